import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { rowsOfCsv } from '../../../server/vehicles/vehicleImport.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let dealer: Caller;
let anna: Caller;
let annasGroup: string;
beforeAll(async () => {
  host = await startTestHost({ users: [{ login: 'anna', rights: { vehicles: 'write' } }] });
  [dealer, anna] = [await host.login(), await host.login('anna')];
  [annasGroup = ''] = (await anna.ask(userRoutes.me)).group_ids;
});
afterAll(() => host.close());

const path = vehicleRoutes.import.path;
async function importRows(body: unknown, { dryRun = false, caller = dealer } = {}) {
  const headers = typeof body === 'string' ? { 'Content-Type': 'text/csv' } : {};
  const answer = await caller.post(`${path}${dryRun ? '?dry_run=1' : ''}`, body, headers);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return vehicleRoutes.import.reply.parse(answer.body);
}
const all = async () => (await dealer.ask(vehicleRoutes.list)).items;

const rows = [
  { terminal_id: 'R1', name: 'one', speed_limit_kmh: 90 },
  { terminal_id: 'R2' },
  { terminal_id: '0r1', name: 'again' },
  { terminal_id: 'R3', name: 'three', group_ids: ['00000000-0000-4000-8000-000000000000'] },
  'no row',
  { terminal_id: 'R4', name: 'four', wheels: 6 },
];

describe('POST /vehicles/import', () => {
  it('POST /vehicles/import answers for each row in a dry run what would become of it, and adds nothing', async () => {
    const { results, ...counts } = await importRows(rows, { dryRun: true });
    expect(counts).toEqual({ created: 1, exists: 0, invalid: 5 });
    expect(results.map((it) => [it.row, it.status, it.errors[0]?.path])).toEqual([
      [1, 'created', undefined],
      [2, 'invalid', 'name'],
      [3, 'invalid', 'terminal_id'],
      [4, 'invalid', 'group_ids.0'],
      [5, 'invalid', ''],
      [6, 'invalid', 'wheels'],
    ]);
    expect(await all()).toEqual([]);
  });

  it('POST /vehicles/import answers five errors of a row and the number of the others', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`no_such_field_${at}`, at]));
    const { results } = await importRows([{ terminal_id: 'R9', name: 'nine', ...wrong }], { dryRun: true });
    expect(results[0]?.errors.map((it) => it.path)).toEqual([
      ...Array.from({ length: 5 }, (_, at) => `no_such_field_${at}`),
      '',
    ]);
    expect(results[0]?.errors[5]?.message).toBe('has 15 more errors');
  });

  it('POST /vehicles/import adds what can be added, and leaves alone what is there already', async () => {
    const first = await importRows(rows);
    expect(first).toMatchObject({ created: 1, invalid: 5 });
    const [one] = await all();
    expect(one).toMatchObject({ terminal_id: 'R1', name: 'one', speed_limit_kmh: 90 });
    expect(first.results[0]?.vehicle_id).toBe(one?.vehicle_id);

    const second = await importRows([
      { terminal_id: 'R1', name: 'renamed' },
      { terminal_id: 'R5', name: 'five' },
    ]);
    expect(second).toMatchObject({ created: 1, exists: 1, invalid: 0 });
    expect(second.results[0]).toEqual({ row: 1, status: 'exists', vehicle_id: one?.vehicle_id, errors: [] });
    expect((await all()).map((it) => it.name).sort()).toEqual(['five', 'one']);
  });

  it('POST /vehicles/import reads CSV with a head line, commas or semicolons, quotes, numbers and groups', async () => {
    const comma = `\uFEFFterminal_id,name,plate,speed_limit_kmh,group_ids\r\nC1,"van ""one"", north",AB-1,80.5,${annasGroup}\r\nC2,two,,,\r\n`;
    expect(await importRows(comma)).toMatchObject({ created: 2, invalid: 0 });
    const semicolon = 'terminal_id;name;clock_offset_s;driver\nC3;three;-3600;"Dina, Fred"\nC4;four;soon;\n';
    const answer = await importRows(semicolon);
    expect(answer).toMatchObject({
      created: 1,
      invalid: 1,
      results: [{}, { errors: [{ path: 'clock_offset_s' }] }],
    });
    const found = new Map((await all()).map((it) => [it.terminal_id, it]));
    expect(found.get('C1')).toMatchObject({
      name: 'van "one", north',
      plate: 'AB-1',
      speed_limit_kmh: 80.5,
      group_ids: [annasGroup],
    });
    expect(found.get('C2')).toMatchObject({ plate: null, speed_limit_kmh: null, group_ids: [] });
    expect(found.get('C3')).toMatchObject({ clock_offset_s: -3600, driver: 'Dina, Fred' });
  });

  it('POST /vehicles/import refuses CSV that cannot be read, saying where', async () => {
    for (const [text, words] of [
      ['terminal_id,name\nX1,"open', 'line 2 opens a quote'],
      ['terminal_id,name\nX1,a\nX2,b,c', 'line 3 has more fields'],
      ['terminal_id,name\n', 'no rows'],
      ['', 'validation_failed'],
      [
        'IMEI;Fahrzeug\n1;a',
        'there is no column terminal_id. Expected are terminal_id and name, and if need be plate, type, color, driver, phone, vin, speed_limit_kmh, clock_offset_s, group_ids; the file has IMEI, Fahrzeug.',
      ],
      ['terminal_id,name,name\n1,a,b', 'the column name stands twice'],
      [
        'terminal_id;name\n3,52093E+14;a',
        'line 2 has 3,52093E+14 in the column terminal_id: a spreadsheet has rounded',
      ],
    ] as const) {
      const answer = await dealer.post(path, text, { 'Content-Type': 'text/csv' });
      expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
      expect(answer.text).toContain(words);
    }
  });

  it('POST /vehicles/import reads files as depots have them: other names, a decimal comma, and bytes of Windows', async () => {
    const file = 'Bemerkung;Fahrzeug;IMEI;Vmax\r\nneu;Müller 1;352093081452251;82,5\r\n';
    const column = ['terminal_id:IMEI', 'name:Fahrzeug', 'speed_limit_kmh:Vmax'];
    const query = new URLSearchParams(column.map((it) => ['column', it])).toString();
    const send = (body: Uint8Array, type = 'text/csv') =>
      fetch(`${host.url}/api/v1${path.replace(/^\/api\/v1/, '')}?${query}`, {
        method: 'POST',
        headers: { Authorization: `JWT ${dealer.jwt}`, 'Content-Type': type },
        body: new Uint8Array(body),
      });
    const answer = await send(Buffer.from(file, 'latin1'));
    expect([answer.status, await answer.json()]).toMatchObject([200, { created: 1, invalid: 0 }]);
    expect((await all()).find((it) => it.terminal_id === '352093081452251')).toMatchObject({
      name: 'Müller 1',
      speed_limit_kmh: 82.5,
    });
    for (const [body, type] of [
      [Buffer.from(`\uFEFF${file}`, 'utf16le'), 'text/csv; charset=utf-8'],
      [Buffer.from(file, 'utf16le').swap16(), 'text/csv; charset=utf-16be'],
    ] as const) {
      expect(await (await send(body, type)).json()).toMatchObject({ exists: 1, invalid: 0 });
    }
    expect((await send(Buffer.from(file), 'text/csv; charset=klingon')).status).toBe(415);
    expect((await dealer.post(`${path}?column=imei:IMEI`, 'a', { 'Content-Type': 'text/csv' })).status).toBe(
      400,
    );
  });

  it('POST /vehicles/import takes 5,000 rows and no more, in both forms', async () => {
    const many = Array.from({ length: 5_001 }, (_, at) => ({ terminal_id: `M${at}`, name: `many ${at}` }));
    expect((await dealer.post(path, many)).status).toBe(400);
    const csv = ['terminal_id,name', ...many.map((it) => `${it.terminal_id},${it.name}`)];
    const refused = await dealer.post(path, csv.join('\n'), { 'Content-Type': 'text/csv' });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(await importRows(many.slice(1))).toMatchObject({ created: 5_000 });
    const list = await dealer.ask(vehicleRoutes.list, { query: { q: 'many', limit: 1_000 } });
    expect(list.items).toHaveLength(1_000);
    expect(list.next_cursor).not.toBeNull();
  });

  it('POST /vehicles/import gives others their turn of the event loop after every 100 rows', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await rowsOfCsv(`terminal_id,name\n${Array.from({ length: 5_000 }, (_, at) => `M${at},m`).join('\n')}`);
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(50);
  });

  it('POST /vehicles/import puts vehicles of a user into its own groups alone, and gives away none of the others', async () => {
    const own = [
      { terminal_id: 'A1', name: 'own', group_ids: [annasGroup] },
      { terminal_id: 'A2', name: 'nowhere' },
      { terminal_id: 'R1', name: 'of others' },
      { terminal_id: 'C1', name: 'seen', group_ids: [annasGroup] },
    ];
    const { results } = await importRows(own, { caller: anna });
    expect(results.map((it) => it.status)).toEqual(['created', 'invalid', 'exists', 'exists']);
    expect(results[2]?.vehicle_id).toBeNull();
    expect(results[3]?.vehicle_id).not.toBeNull();
  });
});
