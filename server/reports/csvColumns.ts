import { columnsOfKind, type ReportColumn } from '../contract/reportColumns.ts';
import type { ReportPlace } from '../contract/reportRows.ts';
import type { CsvCell, CsvColumn } from './csvTable.ts';
import { wallClock } from './localDays.ts';
import type { ReportJob, ReportRow, ReportVehicle } from './reportOrder.ts';

/** What a line of a report's CSV is made of. */
export interface CsvRow {
  vehicle: ReportVehicle;
  row: ReportRow;
}

/**
 * The columns of a report's CSV: the fields of JSON under their names, with names and local times beside them. Places
 * come last, and their addresses after all else.
 */
export function csvColumns({
  kind,
  tz,
  geofences,
  names,
  by_driver,
  layout,
}: Pick<ReportJob, 'kind' | 'tz' | 'geofences' | 'names' | 'by_driver' | 'layout'>) {
  const clockAt = wallClock(tz);
  const geofenceNames = new Map(geofences.map((it) => [it.geozone_id, it.name]));
  const geofenceName = (id: string) => geofenceNames.get(id) ?? '';
  const known = columnsOfKind(kind, true);
  const columns = (layout.columns ?? columnsOfKind(kind, by_driver).map(({ key }) => key)).flatMap(
    (key) => known.find((it) => it.key === key) ?? [],
  );

  function cellsOf(column: ReportColumn<ReportRow>): CsvColumn<CsvRow>[] {
    const { key, value } = column;
    const plain: CsvColumn<CsvRow> = { name: key, cell: ({ row }) => value(row) as CsvCell };
    const named = (name: string, nameOf: (id: string) => string | undefined): CsvColumn<CsvRow> => ({
      name,
      cell: ({ row }) => nameOf((value(row) as string | null) ?? '') ?? '',
    });
    switch (column.kind) {
      case 'vehicle':
        return vehicleColumns;
      case 'time':
        return [plain, named(localName(key), (time) => (time === '' ? '' : clockAt(Date.parse(time))))];
      case 'geofence':
        return [named('geofence', geofenceName), plain];
      case 'rule':
        return [named('rule', (id) => names.rules.get(id)), plain];
      case 'user':
        return [named(`${key}_login`, (id) => names.users.get(id)), plain];
      case 'place': {
        const prefix = key === 'place' ? '' : `${key}_`;
        const part = (name: string, of: (place: ReportPlace) => CsvCell): CsvColumn<CsvRow> => ({
          name: `${prefix}${name}`,
          cell({ row }) {
            const place = column.value(row);
            return place === null ? null : of(place);
          },
        });
        return [
          part('lat', (it) => it.lat),
          part('lon', (it) => it.lon),
          part('geofences', (it) => it.geozone_ids.map(geofenceName).join('; ')),
          part('geozone_ids', (it) => it.geozone_ids.join('; ')),
          // Empty and the last ones, so that it is known where in a line the host writes addresses into them.
          { name: `${prefix}address`, cell: () => null },
        ];
      }
      default:
        return [plain];
    }
  }

  const places = columns.filter((it) => it.kind === 'place').map(cellsOf);
  return {
    columns: [
      ...columns.filter((it) => it.kind !== 'place').flatMap(cellsOf),
      ...places.flatMap((it) => it.slice(0, -1)),
      ...places.flatMap((it) => it.slice(-1)),
    ],
    /** The fields of a row whose addresses stand at the end of its line, in their order. */
    placeKeys: columns.filter((it) => it.kind === 'place').map(({ key }) => key),
  };
}

/** `start_time` and `start_local`, `done_at` and `done_local`, `first_departure` and `first_departure_local`. */
function localName(key: string): string {
  return `${key.replace(/_(time|at)$/, '')}_local`;
}

const vehicleColumns: CsvColumn<CsvRow>[] = [
  { name: 'vehicle_name', cell: ({ vehicle }) => vehicle.name },
  { name: 'plate', cell: ({ vehicle }) => vehicle.plate },
  { name: 'terminal_id', cell: ({ vehicle }) => vehicle.terminal_id },
  { name: 'vehicle_id', cell: ({ vehicle }) => vehicle.vehicle_id },
];
