import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vehicleColumns } from '../../../../server/contract/vehicleColumns.ts';
import { newVehicle } from '../../../../server/contract/vehicles.ts';
import { rowsOfCsv } from '../../../../server/vehicles/vehicleImport.ts';
import { UnreadableFile } from '../../../../server/contract/csv.ts';
import { mappingOf, rememberMapping } from '../../../../renderer/vehicles/manage/importMapping.ts';
import { readVehicleFile, rowsOf } from '../../../../renderer/vehicles/manage/VehicleImport.tsx';
import { csvOf, csvTemplate } from '../../../../renderer/vehicles/manage/vehicleCsv.ts';
import { sampleVehicle } from '../../samples.ts';

const NORTH = '1b4e28ba-2fa1-4d2e-883f-0016d3cca427';
const VANS = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const groups = new Map([
  ['north', NORTH],
  ['refrigerated vans', VANS],
]);

function rowsIn(text: string): readonly unknown[] {
  const file = readVehicleFile(text);
  return rowsOf(file, 'columns' in file ? mappingOf(file.columns, null).mapping : {}, groups);
}

function faultOf(text: string): Pick<UnreadableFile, 'reason' | 'line'> | null {
  try {
    rowsIn(text);
    return null;
  } catch (error) {
    if (error instanceof UnreadableFile) return { reason: error.reason, line: error.line };
    throw error;
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
    expect(faultOf(' \n')).toEqual({ reason: 'empty', line: 1 });
    expect(faultOf('terminal_id,name\n')).toEqual({ reason: 'empty', line: 1 });
    expect(faultOf('terminal_id,name\n1,a\n2,b,c')).toEqual({ reason: 'long_row', line: 3 });
    expect(faultOf('terminal_id,name\n1,"a')).toEqual({ reason: 'open_quote', line: 2 });
    expect(faultOf('[{"terminal_id":')).toEqual({ reason: 'not_json', line: 1 });
    expect(faultOf('{"terminal_id":"1"}')).toEqual({ reason: 'not_a_list', line: 1 });
    expect(faultOf('[]')).toEqual({ reason: 'empty', line: 1 });
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

describe('the columns of a file of vehicles', () => {
  const foreign = [
    'Lfd. Nr.',
    'IMEI',
    'Amtl. Kennzeichen',
    'Fahrer',
    'Höchstgeschwindigkeit (km/h)',
    'Gruppe',
  ];
  const mapping = {
    terminal_id: 'IMEI',
    name: 'Amtl. Kennzeichen',
    plate: 'Amtl. Kennzeichen',
    driver: 'Fahrer',
    speed_limit_kmh: 'Höchstgeschwindigkeit (km/h)',
    group_ids: 'Gruppe',
  };

  it('the columns of a file of vehicles are proposed by their headers, and looked at before anything is checked', () => {
    expect(mappingOf(foreign, null)).toEqual({ mapping, isSure: false });
    expect(mappingOf(['A', 'B'], null)).toEqual({ mapping: {}, isSure: false });
  });

  it('the columns of a file of vehicles with the names of fields are sure', () => {
    expect(mappingOf([...vehicleColumns], null).isSure).toBe(true);
    expect(mappingOf(['name', 'plate'], null).isSure).toBe(false);
  });

  it('the columns of a file of vehicles are remembered for the next file with the same header', () => {
    const { driver: _, ...changed } = mapping;
    const stored = rememberMapping(null, { columns: foreign, mapping: changed });
    expect(mappingOf(foreign, stored)).toEqual({ mapping: changed, isSure: true });
    expect(mappingOf([...foreign].reverse(), stored).isSure).toBe(false);
    const again = rememberMapping(stored, { columns: foreign, mapping });
    expect(mappingOf(foreign, again)).toEqual({ mapping, isSure: true });
  });

  it('the columns of a file of vehicles are remembered of the last twenty headers, and of none that is too long', () => {
    let stored: string | null = null;
    for (let at = 0; at < 21; at += 1) {
      stored = rememberMapping(stored, {
        columns: [`c${at}`],
        mapping: { terminal_id: `c${at}`, name: `c${at}` },
      });
    }
    expect(mappingOf(['c0'], stored).isSure).toBe(false);
    expect(mappingOf(['c1'], stored).isSure).toBe(true);
    expect(rememberMapping(stored, { columns: ['x'.repeat(4_000)], mapping: {} })).toBe(stored);
    for (const broken of ['', 'no JSON', '{}', '[{"columns":1}]']) {
      expect(mappingOf(foreign, broken)).toEqual({ mapping, isSure: false });
    }
  });

  it('the columns of a file of vehicles are read as mapped, with decimal commas, and the others are skipped', () => {
    const text = `${foreign.join(';')}\n1;350317170431234;MÜ-A 1;Ute;72,5;North, Refrigerated vans\n;;;;;\n2;1;B 2;;;West\n`;
    expect(rowsIn(text)).toEqual([
      {
        ...{ terminal_id: '350317170431234', name: 'MÜ-A 1', plate: 'MÜ-A 1', driver: 'Ute' },
        ...{ speed_limit_kmh: 72.5, group_ids: [NORTH, VANS] },
      },
      { terminal_id: '1', name: 'B 2', plate: 'B 2', group_ids: ['West'] },
    ]);
  });
});
