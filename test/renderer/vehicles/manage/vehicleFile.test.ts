import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vehicleColumns } from '../../../../server/contract/vehicleColumns.ts';
import { newVehicle } from '../../../../server/contract/vehicles.ts';
import { rowsOfCsv } from '../../../../server/vehicles/vehicleImport.ts';
import { readVehicleFile, UnreadableFile } from '../../../../renderer/vehicles/manage/VehicleImport.tsx';
import { csvOf, csvTemplate } from '../../../../renderer/vehicles/manage/vehicleCsv.ts';
import { sampleVehicle } from '../../samples.ts';

const NORTH = '1b4e28ba-2fa1-4d2e-883f-0016d3cca427';
const VANS = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
const groups = new Map([
  ['north', NORTH],
  ['refrigerated vans', VANS],
]);

function faultOf(text: string): Pick<UnreadableFile, 'reason' | 'line'> | null {
  try {
    readVehicleFile(text, groups);
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
    for (const rows of [await rowsOfCsv(csvOf([odd])), readVehicleFile(csvOf([odd]), groups)]) {
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
        expect(readVehicleFile(text, groups)[0]).toMatchObject(expected);
      }),
    );
  });

  it('vehicles as CSV begin from a template that can be imported as it is', () => {
    const rows = readVehicleFile(csvTemplate('Refrigerated vans'), groups);
    expect(newVehicle.parse(rows[0])).toMatchObject({ name: 'V 1', speed_limit_kmh: 90, group_ids: [VANS] });
  });
});

describe('a file of vehicles', () => {
  it('a file of vehicles may be parted by semicolons or tabs and begin with a byte order mark', () => {
    for (const text of ['\uFEFFterminal_id;name\r\n1;V 1\r\n', 'terminal_id\tname\n1\tV 1']) {
      expect(readVehicleFile(text, groups)).toEqual([{ terminal_id: '1', name: 'V 1' }]);
    }
  });

  it('a file of vehicles may name groups, and leaves a name that no group has for the server to refuse', () => {
    const text = `terminal_id,name,group_ids\n1,V 1,North|refrigerated VANS\n2,V 2,${NORTH} ${VANS}\n3,V 3,West`;
    expect(readVehicleFile(text, groups)).toMatchObject([
      { group_ids: [NORTH, VANS] },
      { group_ids: [NORTH, VANS] },
      { group_ids: ['West'] },
    ]);
  });

  it('a file of vehicles may be a JSON array', () => {
    expect(readVehicleFile(' [{"terminal_id":"1","name":"V 1"}]', groups)).toEqual([
      { terminal_id: '1', name: 'V 1' },
    ]);
  });

  it('a file of vehicles that cannot be read says why, and in which line', () => {
    expect(faultOf(' \n')).toEqual({ reason: 'empty', line: null });
    expect(faultOf('terminal_id,name\n')).toEqual({ reason: 'empty', line: null });
    expect(faultOf('name,plate\nV 1,AB')).toEqual({ reason: 'no_head', line: null });
    expect(faultOf('terminal_id,name\n1,a\n2,b,c')).toEqual({ reason: 'long_row', line: 3 });
    expect(faultOf('terminal_id,name\n1,"a')).toEqual({ reason: 'open_quote', line: 2 });
    expect(faultOf('[{"terminal_id":')).toEqual({ reason: 'not_json', line: null });
    expect(faultOf('{"terminal_id":"1"}')).toEqual({ reason: 'not_a_list', line: null });
    expect(faultOf('[]')).toEqual({ reason: 'empty', line: null });
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
