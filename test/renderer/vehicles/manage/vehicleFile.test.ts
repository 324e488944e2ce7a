import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newVehicle, vehicleColumns } from '../../../../server/contract/vehicles.ts';
import { rowsOfCsv } from '../../../../server/vehicles/vehicleImport.ts';
import { createI18n, createTranslate } from '../../../../renderer/i18n/text.ts';
import {
  createColumnMemory,
  readVehicleFile,
  rowsOf,
  unreadable,
} from '../../../../renderer/vehicles/manage/vehicleFile.ts';
import { csvOf, csvTemplate } from '../../../../renderer/vehicles/manage/vehicleCsv.ts';
import { createMemoryStorage } from '../../memoryStorage.ts';
import { sampleVehicle } from '../../samples.ts';

const t = createTranslate(createI18n());

const NORTH = '1b4e28ba-2fa1-4d2e-883f-0016d3cca427';
const VANS = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const groups = new Map([
  ['north', NORTH],
  ['refrigerated vans', VANS],
]);

const nowhere = createMemoryStorage();
/** The rows of a text as the wizard sends them, with the columns that it proposes. */
function rowsIn(text: string, storage = nowhere): unknown[] {
  const file = readVehicleFile(text);
  const names = file.kind === 'table' ? file.names : [];
  return rowsOf(file, createColumnMemory(storage).mappingOf(names), groups);
}

/** What the operator is told of a text; null where it can be read. */
function faultOf(text: string): string | null {
  try {
    rowsIn(text);
    return null;
  } catch (error) {
    return unreadable(error, t);
  }
}

describe('vehicles as CSV', () => {
  const odd = sampleVehicle({
    terminal_id: '866192037641180',
    name: 'V "17", north; old',
    plate: 'AB 1234',
    type: 'truck',
    color: '#3366cc',
    driver: 'two\nlines',
    speed_limit_kmh: 72.5,
    clock_offset_s: -30,
    group_ids: [NORTH, VANS],
  });

  it('vehicles as CSV are taken back by the server’s importer, field by field', async () => {
    for (const rows of [await rowsOfCsv(csvOf([odd])), rowsIn(csvOf([odd]))]) {
      expect(newVehicle.parse(rows[0])).toEqual(
        Object.fromEntries([...vehicleColumns.map((name) => [name, odd[name]]), ['attributes', {}]]),
      );
    }
  });

  it('vehicles as CSV come back whatever they are called', async () => {
    const name = fc
      .string({ minLength: 1, maxLength: 30 })
      .map((it) => it.trim())
      .filter((it) => it !== '');
    await fc.assert(
      fc.asyncProperty(name, name, async (first, driver) => {
        const vehicle = sampleVehicle({ name: first, driver });
        const text = csvOf([vehicle]);
        const expected = { name: first, driver };
        expect((await rowsOfCsv(text))[0]).toMatchObject(expected);
        expect(rowsIn(text)[0]).toMatchObject(expected);
      }),
    );
  });

  it('vehicles as CSV begin from a template that can be imported as it is', () => {
    const rows = rowsIn(csvTemplate('Refrigerated vans'));
    expect(newVehicle.parse(rows[0])).toMatchObject({ name: 'V 1', speed_limit_kmh: 90, group_ids: [VANS] });
  });
});

describe('a file of vehicles', () => {
  it('a file of vehicles may be parted by semicolons or tabs and begin with a byte order mark', () => {
    for (const text of ['\uFEFFterminal_id;name\r\n1;V 1\r\n', 'terminal_id\tname\n1\tV 1']) {
      expect(rowsIn(text)).toEqual([{ terminal_id: '1', name: 'V 1' }]);
    }
  });

  it('a file of vehicles may name groups, and leaves a name that no group has for the server to refuse', () => {
    const text = `terminal_id,name,group_ids\n1,V 1,North|refrigerated VANS\n2,V 2,${NORTH} ${VANS}\n3,V 3,West`;
    expect(rowsIn(text)).toMatchObject([
      { group_ids: [NORTH, VANS] },
      { group_ids: [NORTH, VANS] },
      { group_ids: ['West'] },
    ]);
  });

  it('a file of vehicles may be a JSON array', () => {
    expect(rowsIn(' [{"terminal_id":"1","name":"V 1"}]')).toEqual([{ terminal_id: '1', name: 'V 1' }]);
  });

  it('a file of vehicles that cannot be read says why, and in which line', () => {
    for (const empty of [' \n', 'terminal_id,name\n', '[]'])
      expect(faultOf(empty)).toBe('There are no rows.');
    expect(faultOf('name,plate\nV 1,AB')).toBe(
      'No column terminal_id. The first line must name the columns; it has name, plate.',
    );
    expect(faultOf('terminal_id,name\n1,a\n2,b,c')).toBe('Line 3 has more fields than the header row.');
    expect(faultOf('terminal_id,name\n1,"a')).toBe('The quotation mark opened on line 2 is not closed.');
    expect(faultOf('IMEI;Name\n3,52093E+14;a')).toBe(
      'Line 2: the spreadsheet has rounded the ID in IMEI. Format the column as text there and save again.',
    );
    expect(faultOf('IMEI;Name;Name\n1;a;b')).toBe('The column Name stands twice in the first line.');
    expect(faultOf('[{"terminal_id":')).toBe('The text begins like JSON but is invalid.');
    expect(faultOf('{"terminal_id":"1"}')).toBe('The JSON text is not an array of vehicles.');
  });

  it('a file of vehicles may have its columns under other names, with a decimal comma', () => {
    const text = 'Bemerkung;Fahrzeug;IMEI;Vmax;Gruppe\nneu;V 1;352093081452251;82,5;North';
    expect(rowsIn(text)).toEqual([
      { terminal_id: '352093081452251', name: 'V 1', speed_limit_kmh: 82.5, group_ids: [NORTH] },
    ]);
  });

  it('a file of vehicles has its columns as the operator said for the last one with the same first line', () => {
    const storage = createMemoryStorage();
    const memory = createColumnMemory(storage);
    const names = ['A', 'B', 'C'];
    const text = 'A,B,C\n1,V 1,x';
    expect(memory.mappingOf(names)).toEqual({});
    memory.remember(names, { terminal_id: 'A', name: 'B' });
    expect(rowsIn(text, storage)).toEqual([{ terminal_id: '1', name: 'V 1' }]);
    memory.remember(names, { terminal_id: 'A', name: 'C' });
    expect(rowsIn(text, storage)).toEqual([{ terminal_id: '1', name: 'x' }]);
    for (let at = 0; at < 30; at++) memory.remember([`${at}`], { name: `${at}` });
    expect(memory.mappingOf(names)).toEqual({});
    expect(memory.mappingOf(['29'])).toEqual({ name: '29' });
    storage.write('import.vehicle_columns', '{');
    expect(memory.mappingOf(['29'])).toEqual({});
  });

  it('a file of vehicles breaks nothing, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ';', '[', '{', '1') }),
        (text) => {
          faultOf(text);
          faultOf(`terminal_id,name\n${text}`);
        },
      ),
    );
  });
});
