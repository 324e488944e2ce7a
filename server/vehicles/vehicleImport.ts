import { setImmediate as nextTurn } from 'node:timers/promises';
import { terminalKey } from '../contract/fields.ts';
import { CsvFault, readCsv } from '../contract/csv.ts';
import { vehicleRows, type ColumnMapping } from '../contract/vehicleCsv.ts';
import type { FieldError } from '../contract/problem.ts';
import { newVehicle, type ImportResult, type NewVehicle } from '../contract/vehicles.ts';
import { ApiError, invalidBy } from '../http/apiError.ts';
import type { Viewer } from '../http/viewer.ts';
import type { Vehicles } from './vehicles.ts';

const maxRows = 5_000;

/**
 * The rows of a CSV text in the form of the JSON array; throws 400.
 *
 * @param columns `terminal_id:IMEI` and the like, for columns of other names
 */
export async function rowsOfCsv(text: string, columns: readonly string[] = []): Promise<unknown[]> {
  try {
    // One more shows that there are too many.
    const table = readCsv(text, maxRows);
    const rows = table === null ? [] : await inSlices(vehicleRows(table, mappingOf(columns)), (row) => row);
    if (rows.length > 0) return rows;
  } catch (error) {
    if (error instanceof CsvFault)
      throw new ApiError('validation_failed', `CSV: ${error.message}.`, { cause: error });
    throw error;
  }
  throw new ApiError('validation_failed', 'CSV: there are no rows below a head line.');
}

function mappingOf(columns: readonly string[]): ColumnMapping | null {
  if (columns.length === 0) return null;
  return Object.fromEntries(
    columns.map((it) => {
      const at = it.indexOf(':');
      return [it.slice(0, at), it.slice(at + 1).trim()];
    }),
  );
}

/** A file in which every field is wrong would be answered with many times its size. */
const maxFaultsOfRow = 5;

function firstFaults(faults: readonly FieldError[]): FieldError[] {
  if (faults.length <= maxFaultsOfRow) return [...faults];
  const more = `has ${faults.length - maxFaultsOfRow} more errors`;
  return [...faults.slice(0, maxFaultsOfRow), { path: '', message: more }];
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
  if (rows.length > maxRows) throw new ApiError('too_large', `An import takes at most ${maxRows} rows.`);
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
      return answer('invalid', { errors: [{ path: 'terminal_id', message: 'comes twice in this import' }] });
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
