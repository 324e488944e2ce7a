import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { rowsOfCsv } from '../../../server/vehicles/vehicleImport.ts';
import { bytesIn, encodings } from '../../support/textBytes.ts';
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
const isCsv = (body: unknown) => typeof body === 'string' || body instanceof Uint8Array;
async function importRows(body: unknown, { dryRun = false, caller = dealer } = {}) {
  const headers = isCsv(body) ? { 'Content-Type': 'text/csv' } : {};
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
      ['terminal_id,name\nX1,"open', 'Line 2 opens a quote'],
      ['terminal_id,name\nX1,a\nX2,b,c', 'Line 3 has more fields'],
      ['terminal_id,name\n', 'no rows'],
      ['', 'validation_failed'],
    ] as const) {
      const answer = await dealer.post(path, text, { 'Content-Type': 'text/csv' });
      expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
      expect(answer.text).toContain(words);
    }
  });

  it('POST /vehicles/import takes 5,000 rows and no more, in both forms', async () => {
    const many = Array.from({ length: 5_001 }, (_, at) => ({ terminal_id: `M${at}`, name: `many ${at}` }));
    expect((await dealer.post(path, many)).status).toBe(400);
    const csv = ['terminal_id,name', ...many.map((it) => `${it.terminal_id},${it.name}`)];
    const refused = await dealer.post(path, csv.join('\n'), { 'Content-Type': 'text/csv' });
    expect(refused).toMatchObject({
      status: 413,
      body: { detail: 'An import takes at most 5,000 rows.', causes: [{ code: 'import.most_rows' }] },
    });
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
    await rowsOfCsv(
      `terminal_id,name\n${Array.from({ length: 5_000 }, (_, at) => `M${at},many`).join('\n')}`,
    );
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

  it.each(encodings)('POST /vehicles/import takes CSV in %s, with decimal commas', async (encoding) => {
    const id = `E-${encodings.indexOf(encoding)}`;
    const text = `terminal_id;name;driver;plate;speed_limit_kmh\r\n${id};Müllwagen 5 €;Jörg Weiß;MÜ-ÄÖ 12;72,5\r\n`;
    expect(await importRows(bytesIn(encoding, text))).toMatchObject({ created: 1, invalid: 0 });
    const [found] = (await dealer.ask(vehicleRoutes.list, { query: { q: id } })).items;
    expect(found).toMatchObject({
      terminal_id: id,
      name: 'Müllwagen 5 €',
      driver: 'Jörg Weiß',
      plate: 'MÜ-ÄÖ 12',
      speed_limit_kmh: 72.5,
    });
  });

  it('POST /vehicles/import takes CSV in the charset that its content type states', async () => {
    const bytes = new Uint8Array([...Buffer.from('terminal_id,name\nP1,'), 0xa3, 0xf3, 0x64, 0x9f]);
    const post = (charset: string) =>
      dealer.post(path, bytes, { 'Content-Type': `text/csv; charset=${charset}` });
    expect(await post('windows-1250')).toMatchObject({ status: 200, body: { created: 1 } });
    const list = await dealer.ask(vehicleRoutes.list, { query: { q: 'P1' } });
    expect(list.items[0]?.name).toBe('Łódź');
    expect(await post('utf-8')).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await post('ebcdic')).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  it('POST /vehicles/import refuses a workbook and says what it takes', async () => {
    const workbook = new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x06, 0x00]);
    const answer = await dealer.post(path, workbook, { 'Content-Type': 'text/csv' });
    expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(answer.body.detail).toBe(
      'The body is not text in UTF-8, UTF-16 or Windows-1252; a workbook is first saved as CSV.',
    );
  });
});

describe('the columns of POST /vehicles/import', () => {
  const foreign = 'IMEI;Kennzeichen;Fahrer;Vmax (km/h);Bemerkung\n350317170431234;M-AB 1;Ute;80,5;neu\n';
  const post = (text: string, mapping: readonly string[] = []) =>
    dealer.post(
      `${path}?${new URLSearchParams([['dry_run', '0'], ...mapping.map((it) => ['mapping', it])])}`,
      text,
      { 'Content-Type': 'text/csv' },
    );

  it('the columns of POST /vehicles/import are those that mapping names, whatever their header is', async () => {
    const mapping = [
      'terminal_id:IMEI',
      'name:Kennzeichen',
      'plate:Kennzeichen',
      'speed_limit_kmh:Vmax (km/h)',
    ];
    expect(await post(foreign, mapping)).toMatchObject({ status: 200, body: { created: 1, invalid: 0 } });
    const list = await dealer.ask(vehicleRoutes.list, { query: { q: '350317170431234' } });
    expect(list.items[0]).toMatchObject({
      name: 'M-AB 1',
      plate: 'M-AB 1',
      driver: null,
      speed_limit_kmh: 80.5,
    });
  });

  it('the columns of POST /vehicles/import with names of fields need no mapping beside those that do', async () => {
    const text = 'Gerät, ID;name;plate\nD-1;one;AB 1\n';
    expect(await post(text, ['terminal_id:Gerät, ID'])).toMatchObject({ status: 200, body: { created: 1 } });
  });

  it('the columns of POST /vehicles/import are listed when the header is not understood', async () => {
    const expected =
      'Required columns: terminal_id, name; optional: plate, type, color, driver, phone, vin, speed_limit_kmh, ' +
      'clock_offset_s, group_ids. Map columns with other names by `mapping`, as in mapping=terminal_id:IMEI.';
    const missing = await post(foreign);
    expect(missing).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(missing.body.detail).toBe(
      'The CSV file cannot be imported. No column was found for: terminal_id, name. The header line has “IMEI”, “Kennzeichen”, “Fahrer”, ' +
        `“Vmax (km/h)”, “Bemerkung”. ${expected}`,
    );
    const unknown = await post('terminal_id,name,wheels\nD-2,two,4\n');
    expect(unknown).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(unknown.body.detail).toBe(
      `The CSV file cannot be imported. Unknown columns: “wheels”. ${expected}`,
    );
    // Each language has quotation marks of its own.
    expect(unknown.body).toMatchObject({ causes: [{}, { values: { columns: ['wheels'], rest: '' } }, {}] });
  });

  it('the columns of POST /vehicles/import are listed to twenty, of a header with a thousand', async () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `${at}`.padEnd(120, 'x'));
    const answer = await post(`${names.join(',')}\n1\n`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(', … (1000)');
    expect(answer.text.length).toBeLessThan(8_000);
  });

  it.each([
    [['terminal_id:Imei'], 'There is no column “Imei”. The header line has “IMEI”'],
    [['terminal_id:IMEI', 'terminal_id:Fahrer'], '`mapping` names terminal_id twice'],
    [['wheels:IMEI'], 'takes a field, a colon and a column'],
    [['IMEI'], 'takes a field, a colon and a column'],
    [[`name:${'x'.repeat(200)}`], '<=136 characters'],
    [Array.from({ length: 12 }, () => 'name:IMEI'), 'once for each field'],
  ])('the columns of POST /vehicles/import cannot be mapped as %j', async (mapping, words) => {
    const answer = await post(foreign, mapping);
    expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(answer.body.detail).toContain(words);
  });

  it('the columns of POST /vehicles/import are mapped for CSV only', async () => {
    const answer = await dealer.post(`${path}?mapping=name:IMEI`, [{ terminal_id: 'J1', name: 'one' }]);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'mapping' }] } });
  });
});

describe('the cells of POST /vehicles/import', () => {
  const head = 'terminal_id;name;phone;type;speed_limit_kmh;clock_offset_s\n';
  const errorsOf = async (line: string) => {
    const { results } = await importRows(`${head}${line}\n`, { dryRun: true });
    return results.flatMap((it) => it.errors.map(({ path: field, message }) => `${field} ${message}`));
  };

  it('the cells of POST /vehicles/import are refused where a spreadsheet has rounded a number', async () => {
    const rounded = 'was rounded by a spreadsheet: format the column as text, then enter the number again';
    for (const number of ['3,52093E+14', '3.52093e+14']) {
      expect(await errorsOf(`${number};one;;;;`)).toEqual([`terminal_id ${rounded}`]);
      expect(await errorsOf(`X1;one;${number};;;`)).toEqual([`phone ${rounded}`]);
    }
  });

  it('the cells of POST /vehicles/import may be marked as text, and IMEIs have spaces', async () => {
    const text = `${head}="0350317170431235";one;'+49 89 1;LKW;80 km/h;-3600,0\n86 031717 043123 6;two;;;;\n`;
    expect(await importRows(text)).toMatchObject({ created: 2, invalid: 0 });
    const { items } = await dealer.ask(vehicleRoutes.list, { query: { q: '0317170431' } });
    expect(items.map((it) => it.terminal_id)).toEqual(
      expect.arrayContaining(['0350317170431235', '860317170431236']),
    );
    expect(items.find((it) => it.name === 'one')).toMatchObject({
      phone: '+49 89 1',
      type: 'truck',
      speed_limit_kmh: 80,
      clock_offset_s: -3600,
    });
  });

  it('the cells of POST /vehicles/import with separators of thousands are refused, not misread', async () => {
    expect(await errorsOf('X1;one;;;1.234,5;')).toHaveLength(1);
    expect(await errorsOf('X1;one;;;;-3.600')).toHaveLength(1);
  });

  it('the cells of POST /vehicles/import that are blank make no row, and no column at the ends of lines', async () => {
    const text = `sep=;\r\n\r\n${head.trim()};;\r\n;;;;;;;\r\nB-1;one;;;;;;\r\n\r\n;;\r\n`;
    const { results } = await importRows(text, { dryRun: true });
    expect(results).toMatchObject([{ row: 1, status: 'created' }]);
  });
});
