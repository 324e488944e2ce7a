import { z } from 'zod';
import { CsvFault, readCsv } from '../../../server/contract/csv.ts';
import {
  neededColumns,
  proposeMapping,
  vehicleRows,
  type ColumnMapping,
} from '../../../server/contract/vehicleCsv.ts';
import { vehicleColumns } from '../../../server/contract/vehicles.ts';
import type { Translate } from '../../i18n/text.ts';
import type { TextStorage } from '../../platform/platform.ts';

/** A file of vehicles: rows as the API takes them, or a table of which it is to be said what its columns are. */
export type VehicleFile = { kind: 'rows'; rows: unknown[] } | VehicleTable;

export interface VehicleTable {
  kind: 'table';
  names: readonly string[];
  records: readonly { fields: readonly string[]; line: number }[];
}

/** Why a file cannot be read at all; what is wrong with single rows, the server says. */
class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly reason: 'empty' | 'not_json' | 'not_a_list';

  constructor(reason: UnreadableFile['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * A JSON array, or a CSV text with a head line, read up to one row more than `most`. Throws what `unreadable` puts into
 * words.
 */
export function readVehicleFile(text: string, most = Infinity): VehicleFile {
  if (/^\s*[[{]/.test(text)) return { kind: 'rows', rows: rowsOfJson(text) };
  const table = readCsv(text, most);
  const records = [...(table?.records ?? [])];
  if (table === null || records.length === 0) throw new UnreadableFile('empty');
  return { kind: 'table', names: table.names, records };
}

function rowsOfJson(text: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableFile('not_json');
  }
  if (!Array.isArray(value)) throw new UnreadableFile('not_a_list');
  if (value.length === 0) throw new UnreadableFile('empty');
  return value;
}

/** The rows as the API takes them. Groups may stand by their names, parted by bars. Throws as `readVehicleFile`. */
export function rowsOf(
  file: VehicleFile,
  mapping: ColumnMapping,
  groupIdByName: ReadonlyMap<string, string>,
): unknown[] {
  if (file.kind === 'rows') return file.rows;
  const whole = Object.fromEntries(vehicleColumns.map((column) => [column, mapping[column] ?? '']));
  return [...vehicleRows(file, whole, (field) => groupsOf(field, groupIdByName))];
}

/** Ids parted by spaces or bars, or names parted by bars; a name that no group has stays, for the server to say so. */
function groupsOf(text: string, idByName: ReadonlyMap<string, string>): string[] {
  return text
    .split('|')
    .map((part) => part.trim())
    .flatMap((part) => {
      const id = idByName.get(part.toLowerCase());
      return id === undefined ? part.split(/\s+/) : [id];
    })
    .filter((part) => part !== '');
}

/** Whether the columns that every vehicle needs are known. */
export const isMapped = (mapping: ColumnMapping): boolean =>
  neededColumns.every((column) => (mapping[column] ?? '') !== '');

/** Why a file cannot be read, in words; throws what is no fault of a file. */
export function unreadable(error: unknown, t: Translate): string {
  if (error instanceof UnreadableFile) return t(`import.unreadable.${error.reason}`);
  if (error instanceof CsvFault) {
    const { line = 1, column = '', columns = '' } = error.at;
    return t(`import.unreadable.${error.reason}`, { line, column, columns });
  }
  throw error;
}

const STORED_AS = 'import.vehicle_columns';
/** So many head lines are remembered, the last used first. */
const REMEMBERED = 20;
const remembered = z.array(
  z.object({ names: z.array(z.string()), mapping: z.partialRecord(z.enum(vehicleColumns), z.string()) }),
);

/** What the columns of files were said to be at this computer, by the head lines of the files. */
export function createColumnMemory(storage: TextStorage) {
  const all = () => {
    try {
      return remembered.parse(JSON.parse(storage.read(STORED_AS) ?? '[]'));
    } catch {
      return [];
    }
  };
  const isOf = (names: readonly string[]) => (it: { names: readonly string[] }) =>
    it.names.join('\n') === names.join('\n');
  return {
    mappingOf: (names: readonly string[]): ColumnMapping =>
      all().find(isOf(names))?.mapping ?? proposeMapping(names),
    remember(names: readonly string[], mapping: ColumnMapping): void {
      const others = all().filter((it) => !isOf(names)(it));
      storage.write(STORED_AS, JSON.stringify([{ names, mapping }, ...others].slice(0, REMEMBERED)));
    },
  };
}
