import { reportAddresses } from '../contract/reportRows.ts';
import type { LatLon } from '../geofences/geodesy.ts';
import { formatCell, lineEnd } from './csvTable.ts';
import type { AddressSlot, ReportJob, ReportRow } from './reportOrder.ts';

type Format = ReportJob['format'];

/** No text of a user makes these bytes: a quotation mark inside of one is escaped. */
const noAddress = Buffer.from('"address":null');
const noValue = 'null'.length;

/**
 * Finds the slots of a CSV as its lines are written: the empty cells at the end of a line.
 *
 * @param placeKeys the fields whose addresses these are
 */
export function createCsvSlots(head: string, placeKeys: readonly string[]) {
  const slots: AddressSlot[] = [];
  let end = Buffer.byteLength(head);
  return {
    slots,
    /** @param row null: the line has no places */
    add(line: string, row: ReportRow | null): void {
      if (slots.length >= reportAddresses.points) return;
      end += Buffer.byteLength(line);
      const fields: Partial<Record<string, unknown>> = { ...row };
      const places = placeKeys.flatMap((key) => (fields[key] as LatLon | null | undefined) ?? []);
      places.forEach((point, i) => slots.push({ at: end - lineEnd.length - (places.length - 1 - i), point }));
    },
  };
}

/** The slots of a report in JSON. */
export function jsonSlots(bytes: Uint8Array, rows: readonly ReportRow[]): AddressSlot[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const slots: AddressSlot[] = [];
  let end = 0;
  for (const row of rows) {
    const places = placesOf(row);
    if (places.length === 0 || slots.length >= reportAddresses.points) break;
    for (const point of places) {
      end = text.indexOf(noAddress, end) + noAddress.length;
      slots.push({ at: end - noValue, point });
    }
  }
  return slots;
}

function placesOf(row: ReportRow): readonly LatLon[] {
  if ('place' in row) return row.place === null ? [] : [row.place];
  return 'start' in row ? [row.start, row.end] : [];
}

/** The bytes of a report in pieces, with the addresses that are known. */
export function fillSlots(
  bytes: Uint8Array,
  slots: readonly AddressSlot[],
  addresses: readonly (string | null)[],
  format: Format,
): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let done = 0;
  slots.forEach(({ at }, i) => {
    const address = addresses[i] ?? null;
    if (address === null) return;
    const cell = format === 'csv' ? formatCell(address) : JSON.stringify(address);
    pieces.push(bytes.subarray(done, at), Buffer.from(cell));
    done = at + (format === 'csv' ? 0 : noValue);
  });
  // Few writes instead of one for each cell: what has addresses is the beginning, of a few MB.
  return [Buffer.concat(pieces), bytes.subarray(done)].filter((it) => it.length > 0);
}
