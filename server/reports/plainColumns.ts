import type { ReportColumn } from '../contract/reportColumns.ts';
import type { ReportPlace } from '../contract/reportRows.ts';
import type { ServerWords } from '../contract/texts/serverWords.ts';
import type { CsvRow } from './csvColumns.ts';
import type { Cell, CellKind } from './export/cells.ts';
import type { ExportColumn } from './export/exportTable.ts';
import type { ReportJob, ReportRow } from './reportOrder.ts';

/** A column as it is filled from rows. */
export interface FilledColumn extends ExportColumn {
  cell: (row: CsvRow) => Cell;
  /** Of the column of the contract that it shows whole. */
  key?: string;
}

type Column = ReportColumn<ReportRow>;

const kinds: Readonly<Record<Column['kind'], CellKind>> = {
  vehicle: 'text',
  text: 'text',
  code: 'text',
  id: 'text',
  time: 'time',
  date: 'date',
  flag: 'flag',
  duration_s: 'duration',
  distance_m: 'distance',
  speed_kmh: 'speed',
  count: 'count',
  number: 'number',
  share: 'share',
  bytes: 'bytes',
  place: 'text',
  geofence: 'text',
  rule: 'text',
  user: 'text',
};

const mapped = (value: number | null, inUnit: (value: number) => number): number | null =>
  value === null ? null : inUnit(value);
const millis = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** A column of the contract with a cell that a file for people holds. */
export function plainColumn(
  { kind, geofences, names }: Pick<ReportJob, 'kind' | 'geofences' | 'names'>,
  column: Column,
  words: ServerWords,
): FilledColumn {
  const unit =
    column.kind === 'distance_m'
      ? words.distanceUnit
      : column.kind === 'bytes'
        ? words.say('sign.mb')
        : undefined;
  const label = words.column(kind, column.key);
  const head = {
    key: column.key,
    label: unit === undefined || label.endsWith(`, ${unit}`) ? label : `${label}, ${unit}`,
    kind: kinds[column.kind],
    ...(column.total === undefined ? {} : { total: column.total }),
  };
  const geofenceNames = new Map(geofences.map((it) => [it.geozone_id, it.name]));
  const named = (nameOf: (id: string) => string | undefined): FilledColumn => ({
    ...head,
    cell({ row }) {
      const id = column.value(row) as string | null;
      return id === null ? null : (nameOf(id) ?? null);
    },
  });
  switch (column.kind) {
    case 'vehicle':
      return { ...head, cell: ({ vehicle }) => vehicle.name };
    case 'geofence':
      return named((id) => geofenceNames.get(id));
    case 'rule':
      return named((id) => names.rules.get(id));
    case 'user':
      return named((id) => names.users.get(id));
    case 'code':
      return named((code) => words.code(column.key, code));
    case 'time':
      return { ...head, cell: ({ row }) => millis(column.value(row)) };
    case 'distance_m':
      return { ...head, cell: ({ row }) => mapped(column.value(row), (m) => words.distance(m) * 1_000) };
    case 'speed_kmh':
      return { ...head, cell: ({ row }) => mapped(column.value(row), words.speed) };
    case 'place':
      return {
        ...head,
        cell({ row }) {
          const place = column.value(row);
          return place === null ? null : placeText(place, geofenceNames);
        },
      };
    default:
      return { ...head, cell: ({ row }) => column.value(row) };
  }
}

/** As on the screen: the geofences and the address, else where it is. */
function placeText(
  { lat, lon, address, geozone_ids }: ReportPlace,
  names: ReadonlyMap<string, string>,
): string {
  const parts = [...geozone_ids.flatMap((id) => names.get(id) ?? []), ...(address === null ? [] : [address])];
  return parts.length === 0 ? `${lat.toFixed(5)}, ${lon.toFixed(5)}` : parts.join(' · ');
}
