import { vehicleColumns } from '../../../server/contract/vehicleColumns.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';

/** Vehicles as CSV (RFC 4180) that the importer takes back; the ids of groups are parted by spaces. */
export function csvOf(vehicles: readonly Vehicle[]): string {
  return formatCsv(
    vehicles.map((vehicle) =>
      vehicleColumns.map((column) => {
        const value = vehicle[column];
        return Array.isArray(value) ? value.join(' ') : String(value ?? '');
      }),
    ),
  );
}

/** A file to begin from: the head line and one row as an example. */
export function csvTemplate(groupName: string): string {
  return formatCsv([
    [
      '359632101234567',
      'V 1',
      'AB 1234',
      'truck',
      '#3366cc',
      'M. Okafor',
      '+44 20 7946 0101',
      '',
      '90',
      '0',
      groupName,
    ],
  ]);
}

function formatCsv(rows: readonly (readonly string[])[]): string {
  return [vehicleColumns, ...rows].map((row) => row.map(quoted).join(',')).join('\r\n') + '\r\n';
}

function quoted(field: string): string {
  return /[",;\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
