import type { Cause } from '../contract/causes.ts';
import { causeOf, causeOfCsv, listedColumns, messageOf } from '../contract/causeTexts.ts';
import { terminalKey } from '../contract/sameKeys.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readCsv, UnreadableFile } from '../contract/csv.ts';
import type { FieldError } from '../contract/problem.ts';
import { newVehicle, type ImportResult, type NewVehicle } from '../contract/vehicles.ts';
import {
  missingColumns,
  ownMapping,
  requiredColumns,
  vehicleColumns,
  vehicleRows,
  type ColumnMapping,
  type VehicleColumn,
} from '../contract/vehicleColumns.ts';
import { ApiError, invalidBy } from '../http/apiError.ts';
import type { Viewer } from '../http/viewer.ts';
import type { Vehicles } from './vehicles.ts';

const maxRows = 5_000;

/**
 * The rows of a CSV text in the form of the JSON array; throws 400. `group_ids` are parted by spaces or bars.
 *
 * @param asked a field, a colon and the column from which it is read, for each
 */
export async function rowsOfCsv(text: string, asked?: readonly string[]): Promise<unknown[]> {
  try {
    const table = readCsv(text);
    const mapping = mappingOf(table.columns, asked);
    const rows: unknown[] = [];
    let read = 0;
    for (const row of vehicleRows(table, mapping, (ids) => ids.split(/[\s|]+/))) {
      if ((read += 1) % perTurn === 0) await nextTurn();
      if (row !== null) rows.push(row);
      // One more shows that there are too many.
      if (rows.length > maxRows) break;
    }
    if (rows.length === 0) throw new UnreadableFile('empty');
    return rows;
  } catch (error) {
    if (error instanceof UnreadableFile) throw refusal(causeOfCsv(error));
    throw error;
  }
}

function refusal(...causes: Cause[]): ApiError {
  return new ApiError('validation_failed', [causeOf('file.not_imported', { format: 'CSV' }), ...causes]);
}

const expected = causeOf('csv.expected', {
  required: requiredColumns.join(', '),
  columns: vehicleColumns.filter((field) => !requiredColumns.some((it) => it === field)).join(', '),
});

function mappingOf(columns: readonly string[], asked: readonly string[] | undefined): ColumnMapping {
  const found = causeOf('csv.head_line', listedColumns(columns));
  const mapping = ownMapping(columns);
  const given = new Set<string>();
  for (const entry of asked ?? []) {
    const colon = entry.indexOf(':');
    const field = entry.slice(0, colon) as VehicleColumn;
    const column = entry.slice(colon + 1).trim();
    if (given.has(field)) throw refusal(causeOf('csv.mapped_twice', { field }));
    if (!columns.includes(column)) throw refusal(causeOf('csv.no_column', { column }), found);
    given.add(field);
    mapping[field] = column;
  }
  const missing = missingColumns(mapping);
  if (missing.length > 0)
    throw refusal(causeOf('csv.no_column_for', { fields: missing.join(', ') }), found, expected);
  const unknown = columns.filter(
    (it) => !vehicleColumns.some((field) => field === it) && !isUnnamed.test(it),
  );
  if (asked === undefined && unknown.length > 0) {
    throw refusal(causeOf('csv.unknown_columns', listedColumns(unknown)), expected);
  }
  return mapping;
}

/** Of `readCsv`. */
const isUnnamed = /^column \d+$/;

/** A file in which every field is wrong would be answered with many times its size. */
const maxFaultsOfRow = 5;

function firstFaults(faults: readonly FieldError[]): FieldError[] {
  if (faults.length <= maxFaultsOfRow) return [...faults];
  const more = causeOf('import.more_errors', { count: faults.length - maxFaultsOfRow });
  return [...faults.slice(0, maxFaultsOfRow), { path: '', ...messageOf(more) }];
}

/** Of the largest rows some milliseconds. */
const perTurn = 100;

/** Others have their turn of the event loop between the slices: thousands of rows at once would hold them up. */
async function inSlices<From, To>(items: Iterable<From>, map: (item: From) => To): Promise<To[]> {
  const mapped: To[] = [];
  for (const item of items) {
    mapped.push(map(item));
    if (mapped.length % perTurn === 0) await nextTurn();
  }
  return mapped;
}

/**
 * Adds what can be added, in one write, and answers for each row; a row whose terminal has a vehicle already is left as
 * it is. With `dryRun` nothing is written.
 */
export async function importVehicles(
  vehicles: Vehicles,
  rows: readonly unknown[],
  viewer: Viewer,
  dryRun: boolean,
): Promise<{ created: number; exists: number; invalid: number; results: ImportResult[] }> {
  if (rows.length > maxRows)
    throw new ApiError('too_large', [causeOf('import.most_rows', { most: maxRows })]);
  const checked = await inSlices(rows, (row) => {
    const parsed = newVehicle.safeParse(row);
    if (parsed.success) return { data: parsed.data };
    return { faults: firstFaults(invalidBy(parsed.error, 'body').faults ?? []) };
  });
  const seen = new Set<string>();
  const input: { at: number; vehicle: NewVehicle }[] = [];
  const results = checked.map((row, at): ImportResult => {
    const answer = (status: ImportResult['status'], more: Partial<ImportResult> = {}): ImportResult => ({
      row: at + 1,
      status,
      vehicle_id: null,
      errors: [],
      ...more,
    });
    if (row.data === undefined) return answer('invalid', { errors: row.faults });
    const vehicle = row.data;
    const key = terminalKey(vehicle.terminal_id);
    if (seen.has(key)) {
      return answer('invalid', {
        errors: [{ path: 'terminal_id', message: 'comes twice in this import', kind: 'twice' }],
      });
    }
    seen.add(key);
    const holder = vehicles.byTerminal(vehicle.terminal_id);
    if (holder !== undefined) {
      return answer('exists', {
        vehicle_id: vehicles.sees(viewer, holder.vehicle_id) ? holder.vehicle_id : null,
      });
    }
    const fault = vehicles.groupError(vehicle.group_ids, viewer);
    if (fault !== null) return answer('invalid', { errors: [fault] });
    input.push({ at, vehicle });
    return answer('created');
  });
  if (!dryRun && input.length > 0) {
    const added = await vehicles.add(
      input.map((it) => it.vehicle),
      viewer,
    );
    for (const [index, { at }] of input.entries()) {
      const result = results[at];
      if (result !== undefined) result.vehicle_id = added[index]?.vehicle_id ?? null;
    }
  }
  const count = (status: ImportResult['status']) => results.filter((it) => it.status === status).length;
  return { created: count('created'), exists: count('exists'), invalid: count('invalid'), results };
}
