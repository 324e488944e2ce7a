import { z } from 'zod';
import {
  missingColumns,
  proposeMapping,
  vehicleColumns,
  type ColumnMapping,
} from '../../../server/contract/vehicleColumns.ts';

/** Of so many headers, the last ones used. */
const mostKept = 20;
/** A longer header is not remembered: the storage of a browser is shared, and has 5 MB. */
const mostChars = 4_000;

const kept = z.array(
  z.object({
    columns: z.array(z.string()),
    mapping: z.partialRecord(z.enum(vehicleColumns), z.string()),
  }),
);
type Kept = z.infer<typeof kept>;

/**
 * How the columns of a file are to be read: as the last time for a header with the same columns, else as proposed. It is
 * sure when nobody has to look at it: it was used before, or all columns bear the names of fields.
 *
 * @param stored of `rememberMapping`
 */
export function mappingOf(
  columns: readonly string[],
  stored: string | null,
): { mapping: ColumnMapping; isSure: boolean } {
  const last = readKept(stored).find((it) => isSame(it.columns, columns));
  const isKnown = last !== undefined && Object.values(last.mapping).every((it) => columns.includes(it));
  const mapping = isKnown ? last.mapping : proposeMapping(columns);
  const isOwn = columns.every((column) => vehicleColumns.some((field) => field === column));
  return { mapping, isSure: (isKnown || isOwn) && missingColumns(mapping).length === 0 };
}

/** What is stored when this mapping was used. */
export function rememberMapping(
  stored: string | null,
  used: { columns: readonly string[]; mapping: ColumnMapping },
): string | null {
  if (JSON.stringify(used).length > mostChars) return stored;
  const others = readKept(stored).filter((it) => !isSame(it.columns, used.columns));
  return JSON.stringify([used, ...others].slice(0, mostKept));
}

const isSame = (a: readonly string[], b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b);

function readKept(stored: string | null): Kept {
  try {
    return kept.catch([]).parse(JSON.parse(stored ?? '[]'));
  } catch {
    return [];
  }
}
