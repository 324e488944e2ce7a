import { CsvFault, type CsvTable } from './csv.ts';
import { vehicleColumns, type VehicleColumn } from './vehicles.ts';

/** Without them a row is no vehicle. */
export const neededColumns = ['terminal_id', 'name'] as const satisfies VehicleColumn[];

/** Under which names of its head line a file has the columns: one left out under its own, an empty one not at all. */
export type ColumnMapping = Partial<Record<VehicleColumn, string>>;

/** What the columns are called in files of depots and other systems; compared without case, spaces and signs. */
const synonyms: Readonly<Record<VehicleColumn, readonly string[]>> = {
  terminal_id: [
    ...[
      'terminal',
      'terminalid',
      'imei',
      'deviceid',
      'device',
      'uniqueid',
      'trackerid',
      'tracker',
      'identifier',
    ],
    ...['serial', 'serialnumber', 'unitid', 'gerateid', 'geratenummer', 'geratid', 'idtraceur', 'idequipo'],
  ],
  name: [
    ...[
      'vehicle',
      'vehiclename',
      'label',
      'unit',
      'unitname',
      'asset',
      'fahrzeug',
      'fahrzeugname',
      'bezeichnung',
    ],
    ...['vehicule', 'nom', 'vehiculo', 'nombre', 'pojazd', 'nazwa', 'veicolo', 'nome', 'voertuig', 'naam'],
  ],
  plate: [
    ...['licenseplate', 'licenceplate', 'numberplate', 'registration', 'registrationnumber', 'regno', 'reg'],
    ...['kennzeichen', 'immatriculation', 'matricula', 'targa', 'kenteken', 'nrrejestracyjny', 'rejestracja'],
  ],
  type: ['vehicletype', 'category', 'fahrzeugtyp', 'fahrzeugart', 'typ', 'art', 'tipo'],
  color: ['colour', 'farbe', 'couleur', 'colore'],
  driver: ['drivername', 'fahrer', 'conducteur', 'chauffeur', 'conductor', 'autista', 'kierowca'],
  phone: ['phonenumber', 'telephone', 'tel', 'mobile', 'telefon', 'handy', 'mobil', 'telefono'],
  vin: ['chassisnumber', 'chassis', 'fin', 'fahrgestellnummer', 'vinnumber', 'numerovin'],
  speed_limit_kmh: [
    'speedlimit',
    'speedlimitkmh',
    'maxspeed',
    'vmax',
    'hochstgeschwindigkeit',
    'limit',
    'vitessemax',
  ],
  clock_offset_s: ['clockoffset', 'timeoffset'],
  group_ids: ['group', 'groups', 'fleet', 'depot', 'gruppe', 'gruppen', 'groupe', 'grupo', 'gruppo'],
};

const folded = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** Which column is which by its name, as far as that is plain; each name stands for one column at most. */
export function proposeMapping(names: readonly string[]): ColumnMapping {
  const mapping: ColumnMapping = {};
  const taken = new Set<string>();
  const take = (column: VehicleColumn, fits: (name: string) => boolean) => {
    const found = mapping[column] ?? names.find((name) => !taken.has(name) && name !== '' && fits(name));
    if (found === undefined) return;
    mapping[column] = found;
    taken.add(found);
  };
  for (const column of vehicleColumns) take(column, (name) => name === column);
  for (const column of vehicleColumns) take(column, (name) => folded(name) === folded(column));
  for (const column of vehicleColumns) take(column, (name) => synonyms[column].includes(folded(name)));
  return mapping;
}

const numbers = new Set<string>(['speed_limit_kmh', 'clock_offset_s'] satisfies VehicleColumn[]);

/**
 * The rows of a table in the form of `NewVehicle`, fields that are empty left out. Throws `CsvFault`: for a needed column
 * that is missing, for a mapped name that stands twice, for an ID that a spreadsheet has rounded, and as reading does.
 *
 * @param mapping by default the columns bear their own names, and others are handed on for the contract to refuse
 * @param groupsOf the groups that a field names
 */
export function* vehicleRows(
  table: CsvTable,
  mapping: ColumnMapping | null,
  groupsOf: (field: string) => string[] = (field) => field.split(/[\s|]+/),
): Generator<Record<string, unknown>> {
  const columns = columnsOf(table.names, mapping);
  for (const { fields, line } of table.records) {
    const row: Record<string, unknown> = {};
    for (const { at, column } of columns) {
      const field = fields[at] ?? '';
      if (field === '') continue;
      if (column === 'terminal_id') checkId(field, line, table.names[at] ?? '');
      row[column] = column === 'group_ids' ? groupsOf(field) : numbers.has(column) ? numberOf(field) : field;
    }
    yield row;
  }
}

function columnsOf(
  names: readonly string[],
  mapping: ColumnMapping | null,
): { at: number; column: string }[] {
  const all = names.map((name, at) => ({ at, name }));
  const columns =
    mapping === null
      ? all.flatMap(({ at, name }) => (name === '' ? [] : [{ at, name, column: name }]))
      : vehicleColumns.flatMap((column) =>
          all
            .filter(({ name }) => name !== '' && name === (mapping[column] ?? column))
            .map(({ at, name }) => ({ at, name, column: column })),
        );
  const seen = new Set<string>();
  for (const { column, name } of columns) {
    if (seen.has(column))
      throw new CsvFault(
        'column_twice',
        { column: name },
        `the column ${name} stands twice in the head line`,
      );
    seen.add(column);
  }
  const missing = neededColumns.find((column) => !seen.has(column));
  if (missing !== undefined) {
    const given = mapping?.[missing] ?? '';
    const column = given === '' ? missing : given;
    const found = names
      .filter((name) => name !== '')
      .join(', ')
      .slice(0, 500);
    const others = vehicleColumns.filter((it) => !neededColumns.some((needed) => needed === it)).join(', ');
    const expected = `Expected are ${neededColumns.join(' and ')}, and if need be ${others}`;
    throw new CsvFault(
      'column_missing',
      { column, columns: found },
      `there is no column ${column}. ${expected}; the file has ${found}. Other names are given by the parameter column`,
    );
  }
  return columns;
}

/** 3.52093E+14: the last digits are gone. */
function checkId(field: string, line: number, column: string): void {
  if (!/^\d([.,]\d+)?E\+\d+$/i.test(field)) return;
  throw new CsvFault(
    'rounded',
    { line, column },
    `line ${line} has ${field} in the column ${column}: a spreadsheet has rounded the ID; format the column as text there`,
  );
}

/** With a point or a comma; what is no number is for the contract to refuse. */
const numberOf = (field: string): unknown =>
  /^-?\d+([.,]\d+)?$/.test(field) ? Number(field.replace(',', '.')) : field;
