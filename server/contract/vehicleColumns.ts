import type { CsvTable } from './csv.ts';
import { foldText } from './searchText.ts';

/** What the columns of a file of vehicles may hold. Attributes are not among them: they have no place in a table. */
export const vehicleColumns = [
  'terminal_id',
  'name',
  'plate',
  'type',
  'color',
  'driver',
  'phone',
  'vin',
  'speed_limit_kmh',
  'clock_offset_s',
  'group_ids',
] as const;
export type VehicleColumn = (typeof vehicleColumns)[number];

export const requiredColumns = ['terminal_id', 'name'] as const satisfies VehicleColumn[];

/** The column of a file from which each field is read; several fields may be read from the same. */
export type ColumnMapping = Partial<Record<VehicleColumn, string>>;

/**
 * Other names of the columns in exports of tracking platforms (Wialon, Traccar, Navixy, Geotab, Samsara, flespi) and in
 * lists of depots, folded as headers are; the surest first. Colours have none: lists name them in words.
 */
const synonyms: Readonly<Record<VehicleColumn, readonly string[]>> = {
  terminal_id: [
    ...['imei', 'imeinumber', 'imeino', 'imeinr', 'imeinummer', 'imeicode', 'deviceimei', 'trackerimei'],
    ...['gpsimei', 'iotimei', 'numerimei', 'numeroimei', 'uniqueid', 'ident', 'terminal', 'terminalnumber'],
    ...['deviceid', 'trackerid', 'unitid', 'telematicsunitid', 'gpsid', 'hardwareid', 'terminalnr'],
    ...['terminalnummer', 'gerateid', 'geraeteid', 'geratenummer', 'geraetenummer', 'idappareil'],
    ...['idboitier', 'iddispositivo', 'idurzadzenia', 'apparaatid', 'trackernummer', 'идентификатор'],
    ...['уникальныиid', 'device', 'tracker', 'deviceserial', 'serialnumber', 'seriennummer'],
  ],
  name: [
    ...['vehiclename', 'unitname', 'assetname', 'customname', 'devicename', 'objectname', 'label'],
    ...['fahrzeugname', 'fahrzeugbezeichnung', 'bezeichnung', 'nomvehicule', 'nomduvehicule', 'nombre'],
    ...['nombrevehiculo', 'nome', 'nomeveicolo', 'nazwa', 'nazwapojazdu', 'naam', 'voertuignaam', 'название'],
    ...['имя', 'vehicle', 'unit', 'asset', 'object', 'fahrzeug', 'objekt', 'nom', 'vehicule', 'vehiculo'],
    ...['veicolo', 'pojazd', 'voertuig', 'объект', 'unitnumber', 'vehiclenumber', 'fleetnumber'],
    ...['fahrzeugnummer', 'fahrzeugnr', 'wagennummer', 'wagennr'],
  ],
  plate: [
    ...['licenseplate', 'licenceplate', 'licenseplatenumber', 'platenumber', 'plateno', 'numberplate'],
    ...['registrationnumber', 'registrationplate', 'vehicleregistration', 'registration', 'regno', 'regnr'],
    ...['vrn', 'kennzeichen', 'amtlicheskennzeichen', 'amtlkennzeichen', 'kfzkennzeichen', 'nummernschild'],
    ...['immatriculation', 'plaque', 'plaquedimmatriculation', 'matricula', 'placa', 'patente', 'targa'],
    ...['numerrejestracyjny', 'nrrejestracyjny', 'rejestracja', 'kenteken', 'госномер', 'valstsnumurs'],
  ],
  type: [
    ...['vehicletype', 'unittype', 'category', 'fahrzeugtyp', 'fahrzeugart', 'typ', 'typevehicule'],
    ...['typedevehicule', 'tipo', 'tipodevehiculo', 'tipoveicolo', 'typpojazdu', 'rodzaj', 'voertuigtype'],
    ...['тип', 'типтс'],
  ],
  color: [],
  driver: [
    ...['drivername', 'assigneddriver', 'fahrer', 'fahrername', 'stammfahrer', 'chauffeur', 'conducteur'],
    ...['conductor', 'autista', 'conducente', 'kierowca', 'bestuurder', 'водитель', 'vaditajs'],
  ],
  phone: [
    ...['phonenumber', 'simphone', 'simphonenumber', 'simnumber', 'simcardnumber', 'msisdn', 'telephone'],
    ...['telefon', 'telefonnummer', 'telefonnr', 'tel', 'telnr', 'rufnummer', 'mobile', 'mobilephone'],
    ...[
      'mobilenumber',
      'mobil',
      'mobilnummer',
      'handy',
      'handynummer',
      'handynr',
      'simnr',
      'simrufnummer',
      'simnummer',
      'sim',
    ],
    ...[
      'numerodetelephone',
      'telefono',
      'numerodetelefono',
      'numertelefonu',
      'telefoon',
      'телефон',
      'talrunis',
    ],
  ],
  vin: [
    ...['vinnumber', 'vinno', 'vincode', 'vehicleidentificationnumber', 'chassisnumber', 'chassisno'],
    ...['chassis', 'fin', 'fahrgestellnummer', 'fahrgestellnr', 'fahrzeugidentnummer'],
    ...['fahrzeugidentifikationsnummer', 'numerodechassis', 'bastidor', 'telaio', 'numerotelaio'],
    ...['numervin', 'nrvin', 'chassisnummer', 'vinномер'],
  ],
  speed_limit_kmh: [
    ...['speedlimit', 'maxspeed', 'maximumspeed', 'vmax', 'tempolimit', 'geschwindigkeitslimit'],
    ...['hochstgeschwindigkeit', 'hoechstgeschwindigkeit', 'maxgeschwindigkeit', 'vitessemax'],
    ...['vitessemaximale', 'limitedevitesse', 'velocidadmaxima', 'limitedevelocidad', 'velocitamassima'],
    ...['limitpredkosci', 'predkoscmaksymalna', 'maximumsnelheid', 'maxsnelheid', 'snelheidslimiet'],
  ],
  clock_offset_s: ['clockoffset', 'clockoffsetseconds', 'timeoffset'],
  group_ids: [
    ...['groups', 'group', 'groupname', 'vehiclegroup', 'vehiclegroups', 'unitgroup', 'fleet', 'depot'],
    ...['department', 'gruppe', 'gruppen', 'fahrzeuggruppe', 'standort', 'niederlassung', 'abteilung'],
    ...['flotte', 'groupe', 'groupes', 'grupo', 'grupos', 'gruppo', 'gruppi', 'grupa', 'grupy', 'groep'],
    ...['группа', 'grupas'],
  ],
};

/** Without case, diacritics, spaces and signs, without "No." at its beginning and the unit at its end. */
function foldHeader(name: string): string {
  return foldText(name.replace(/^\s*(?:n[°º]|n[or]\.|№)/i, ''))
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?<=.)kmh$/u, '');
}

/** By the names of the columns; a list that has plates and no names is read with the plate as the name. */
export function proposeMapping(columns: readonly string[]): ColumnMapping {
  const mapping = ownMapping(columns);
  const free = new Map(
    columns
      .filter((column) => !Object.values(mapping).includes(column))
      .reverse()
      .map((column) => [foldHeader(column), column]),
  );
  for (const field of vehicleColumns) {
    if (mapping[field] !== undefined) continue;
    const ownName = field === 'color' ? [] : [foldHeader(field)];
    const folded = [...ownName, ...synonyms[field]].find((name) => free.has(name));
    const column = folded === undefined ? undefined : free.get(folded);
    if (folded === undefined || column === undefined) continue;
    mapping[field] = column;
    free.delete(folded);
  }
  if (mapping.name === undefined && mapping.plate !== undefined) mapping.name = mapping.plate;
  return mapping;
}

/** Of the columns that bear a field's own name. */
export function ownMapping(columns: readonly string[]): ColumnMapping {
  return Object.fromEntries(
    vehicleColumns.filter((field) => columns.includes(field)).map((field) => [field, field]),
  );
}

/** The required fields that no column is read for. */
export function missingColumns(mapping: ColumnMapping): VehicleColumn[] {
  return requiredColumns.filter((field) => mapping[field] === undefined);
}

/**
 * Each record as a new vehicle is written, null for a blank one: spreadsheets write them by the hundred thousand. What
 * does not fit its field stays, for `newVehicle` to refuse. Throws UnreadableFile.
 *
 * @param groupsOf ids of what stands in the column of the groups
 */
export function* vehicleRows(
  { columns, records }: CsvTable,
  mapping: ColumnMapping,
  groupsOf: (text: string) => string[],
): Generator<Record<string, unknown> | null> {
  const places = vehicleColumns.flatMap((field) => {
    const column = mapping[field];
    return column === undefined ? [] : [{ field, at: columns.indexOf(column) }];
  });
  for (const { fields } of records) {
    if (fields.every((field) => field.trim() === '')) {
      yield null;
      continue;
    }
    const row: Record<string, unknown> = {};
    for (const { field, at } of places) {
      const text = plainCell(field, fields[at] ?? '');
      if (text !== '') row[field] = valueOf(field, text, groupsOf);
    }
    yield row;
  }
}

/** IDs and phones come without what spreadsheets take to leave digits alone: `="0123"`, or an apostrophe before them. */
export function plainCell(field: VehicleColumn, cell: string): string {
  const text = cell.trim();
  if (field !== 'terminal_id' && field !== 'phone') return text;
  const formula = /^="([^"]*)"$/.exec(text)?.[1];
  return (formula ?? text).replace(/^'(?=[+\d])/, '').trim();
}

function valueOf(field: VehicleColumn, text: string, groupsOf: (text: string) => string[]): unknown {
  switch (field) {
    case 'terminal_id':
      return /^[\d\s]+$/.test(text) ? text.replaceAll(/\s/g, '') : text;
    case 'speed_limit_kmh':
    case 'clock_offset_s':
      return numberOf(text) ?? text;
    case 'type':
      return typeByWord.get(foldHeader(text)) ?? text;
    case 'group_ids':
      return groupsOf(text);
    default:
      return text;
  }
}

/** With a decimal point or a decimal comma, and without a separator of thousands, which could be either. */
function numberOf(text: string): number | null {
  const digits = /^([-+]?\d{1,9}(?:[.,]\d{1,9})?)(?: ?km\/h)?$/i.exec(text)?.[1];
  return digits === undefined ? null : Number(digits.replace(',', '.'));
}

const typeByWord = new Map(
  Object.entries({
    car: ['pkw', 'auto', 'passengercar', 'voiture', 'coche', 'osobowy', 'personenauto'],
    van: ['transporter', 'lieferwagen', 'kleintransporter', 'fourgon', 'furgon', 'furgone', 'bestelwagen'],
    truck: ['lkw', 'lorry', 'hgv', 'lastwagen', 'sattelzugmaschine', 'camion', 'vrachtwagen', 'ciezarowka'],
    bus: ['coach', 'omnibus', 'autobus', 'reisebus'],
    trailer: ['anhanger', 'anhaenger', 'auflieger', 'sattelauflieger', 'remorque', 'remolque', 'naczepa'],
    machine: ['maschine', 'baumaschine', 'arbeitsmaschine', 'machinery', 'equipment', 'engin'],
  }).flatMap(([type, words]) => [type, ...words].map((word): [string, string] => [word, type])),
);
