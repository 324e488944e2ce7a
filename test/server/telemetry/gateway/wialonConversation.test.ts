import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../../server/telemetry/gateway/accept.ts';
import type { Report } from '../../../../server/telemetry/report.ts';
import {
  longBody,
  packetText,
  shortBody,
  type FakeWialon,
  type WialonData,
  type WialonVersion,
} from '../../../support/fakeWialon.ts';
import { expectStated } from '../protocols/wialon/statedReports.ts';
import { noVectors, wialonVectors, type WialonVector } from '../protocols/wialon/wialonData.ts';
import { imei, openWialonDoor } from './wialonDoor.ts';

const at_ms = Date.UTC(2026, 10, 21, 4, 43);
const fix: WialonData = { time_ms: at_ms, lat: 56.95, lon: 24.1, speed_kmh: 10, satellites: 9 };
const later = (seconds: number): WialonData => ({ ...fix, time_ms: at_ms + seconds * 1_000 });

/** An outcome that is known when the test says so. */
function whenTold() {
  let settle: (outcome: Outcome) => void = () => undefined;
  const outcome = new Promise<Outcome>((resolve) => (settle = resolve));
  return { answer: () => outcome, settle };
}

describe.each(['1.1', '2.0'] as const)('a terminal that speaks version %s', (version) => {
  test('logs in, whatever its password, and is heard from then on', async () => {
    const door = await openWialonDoor();
    const terminal = await door.connect(version);
    expect(await terminal.logIn(imei, 'of another platform')).toBe('#AL#1');
    expect(await terminal.ask('SD', shortBody(fix))).toBe('#ASD#1');
    const params = [['SOS', 1, 1]] as const;
    expect(await terminal.ask('D', longBody({ ...later(1), params }))).toBe('#AD#1');
    expect(await terminal.ask('P', '')).toBe('#AP#');
    expect(door.taken).toMatchObject([
      { terminal_id: imei, time_ms: at_ms, speed_kmh: 10, alarms: [] },
      { terminal_id: imei, time_ms: at_ms + 1_000, alarms: ['sos'] },
    ]);
    expect(door.heard).toEqual([imei]);
  });

  test('empties its black box, of short data and of long', async () => {
    const door = await openWialonDoor();
    const terminal = await door.come(version);
    const many = Array.from({ length: 300 }, (_, at) => later(-at));
    const bodies = many.map((it, at) => (at % 2 === 0 ? shortBody(it) : longBody(it)));
    expect(await terminal.ask('B', bodies.join('|'))).toBe('#AB#300');
    expect(door.taken.map((it) => it.time_ms)).toEqual(many.map((it) => it.time_ms));
  });

  test('passes on what its driver writes', async () => {
    const door = await openWialonDoor();
    const terminal = await door.come(version);
    expect(await terminal.ask('M', 'стою; пробка')).toBe('#AM#1');
    expect(door.taken).toMatchObject([{ place: null, time_ms: null, attributes: { text: 'стою; пробка' } }]);
  });

  test('is answered for each packet in their order, however many come at once', async () => {
    const door = await openWialonDoor();
    const terminal = await door.come(version);
    const packets = [
      packetText(version, 'SD', shortBody(fix)),
      packetText(version, 'P', ''),
      packetText(version, 'SD', 'nothing'),
      packetText(version, 'D', longBody(later(1))),
      packetText(version, 'B', [shortBody(later(2)), shortBody(later(3))].join('|')),
    ];
    await terminal.write(packets.join(''));
    const answers = [];
    for (const _ of packets) answers.push(await terminal.next());
    expect(answers).toEqual(['#ASD#1', '#AP#', '#ASD#-1', '#AD#1', '#AB#2']);
    expect(door.taken.map((it) => it.time_ms)).toEqual([0, 1, 2, 3].map((at) => at_ms + at * 1_000));
  });
});

describe('a checksum that does not fit', () => {
  test.each([
    ['L', `2.0;${imei};NA;1`, '#AL#10'],
    ['SD', `${shortBody(fix)};1`, '#ASD#13'],
    ['D', `${longBody(fix)};1`, '#AD#16'],
    ['D', longBody(fix), '#AD#16'],
    ['B', `${shortBody(fix)}|1`, '#AB#'],
    ['M', 'hello;1', '#AM#01'],
  ])('of %s is answered so, and nothing is taken', async (type, body, answer) => {
    const door = await openWialonDoor();
    const terminal = await door.come('2.0');
    await terminal.write(`#${type}#${body}\r\n`);
    expect(await terminal.next()).toBe(answer);
    expect(door.taken).toEqual([]);
  });
});

describe('before a good login', () => {
  test('nothing is taken or answered', async () => {
    const door = await openWialonDoor();
    const terminal = await door.connect();
    terminal.send('SD', shortBody(fix));
    terminal.send('P', '');
    terminal.send('B', shortBody(fix));
    expect(await terminal.logIn(' ')).toBe('#AL#0');
    terminal.send('SD', shortBody(fix));
    expect(await terminal.logIn(imei)).toBe('#AL#1');
    expect(await terminal.ask('SD', shortBody(fix))).toBe('#ASD#1');
    expect(terminal.received).toEqual(['#AL#0', '#AL#1', '#ASD#1']);
    expect(door.taken).toHaveLength(1);
  });

  test('a terminal of no vehicle is refused, and known to have knocked', async () => {
    const door = await openWialonDoor();
    const terminal = await door.connect('2.0');
    expect(await terminal.logIn('77')).toBe('#AL#0');
    expect(door.taken).toMatchObject([{ terminal_id: '77', place: null }]);
    terminal.send('SD', shortBody(fix));
    door.known.add('77');
    expect(await terminal.logIn('77')).toBe('#AL#1');
    expect(await terminal.ask('SD', shortBody(fix))).toBe('#ASD#1');
    expect(door.taken).toHaveLength(2);
  });

  test('half a minute is enough', async () => {
    const door = await openWialonDoor();
    const [stranger, terminal] = [await door.connect(), await door.come()];
    expect(await stranger.logIn('77')).toBe('#AL#0');
    door.clock.advance(30_000);
    await stranger.ended;
    expect(await terminal.ask('P', '')).toBe('#AP#');
    expect(door.listener.turnedAway().stranger).toBe(1);
  });
});

describe('a packet is answered', () => {
  test('after it is stored, not before', async () => {
    const store = whenTold();
    const door = await openWialonDoor(store.answer);
    const terminal = await door.come();
    const answered = terminal.ask('SD', shortBody(fix));
    await expect.poll(() => door.taken.length).toBe(1);
    const other = await door.connect();
    await other.logIn(imei);
    expect(await other.ask('P', '')).toBe('#AP#');
    expect(terminal.received).toEqual(['#AL#1']);
    store.settle({ status: 'stored' });
    expect(await answered).toBe('#ASD#1');
  });

  test.each<[Outcome, string, string]>([
    [{ status: 'duplicate' }, '#AD#1', '#AB#2'],
    [{ status: 'merged' }, '#AD#1', '#AB#2'],
    [{ status: 'refused', code: 'in_the_future', detail: 'It is in the future.' }, '#AD#0', '#AB#2'],
    [{ status: 'refused', code: 'impossible_coordinate', detail: 'It is no place.' }, '#AD#10', '#AB#2'],
  ])('when it is %o', async (outcome, data, box) => {
    const terminal = await (await openWialonDoor(outcome)).come();
    expect(await terminal.ask('D', longBody(fix))).toBe(data);
    expect(await terminal.ask('B', [shortBody(fix), shortBody(fix)].join('|'))).toBe(box);
  });

  test('with what of a black box could be read', async () => {
    const door = await openWialonDoor();
    const terminal = await door.come();
    expect(await terminal.ask('B', [shortBody(fix), 'x;y', longBody(later(1)), ''].join('|'))).toBe('#AB#2');
    expect(await terminal.ask('B', 'x;y')).toBe('#AB#0');
    expect(await terminal.ask('B', '')).toBe('#AB#0');
    expect(await terminal.ask('M', ' ')).toBe('#AM#0');
    expect(door.taken).toHaveLength(2);
  });

  test('with all of a black box that came as it was sent, and what of it cannot be read is recorded', async () => {
    const door = await openWialonDoor();
    const terminal = await door.come('2.0');
    const box = [shortBody(fix), 'x;y', longBody(later(1)), 'z'].join('|');
    expect(await terminal.ask('B', box)).toBe('#AB#4');
    expect(await terminal.ask('B', 'x;y')).toBe('#AB#1');
    const why = 'structure: 2 fields';
    expect(door.taken).toMatchObject([
      { time_ms: at_ms },
      { time_ms: at_ms + 1_000 },
      { terminal_id: imei, unreadable: expect.stringContaining('2 of 4'), attributes: { text: 'x;y|z' } },
      { unreadable: `black box, 1 of 1: ${why}`, attributes: { text: 'x;y' } },
    ]);
  });

  test('not at all where what cannot be read could not be recorded', async () => {
    const door = await openWialonDoor({ status: 'failed', code: 'disk_full', detail: '' });
    const terminal = await door.come('2.0');
    terminal.send('B', 'x;y');
    await terminal.ended;
    expect(terminal.received).toEqual(['#AL#1']);
  });

  test.each<Outcome>([
    { status: 'failed', code: 'disk_full', detail: 'The disk is full.' },
    { status: 'failed', code: 'unavailable', detail: 'The store failed.' },
  ])('not at all after %o, nor is any that came after it: the terminal sends them again', async (outcome) => {
    const door = await openWialonDoor((report) =>
      report.time_ms === at_ms ? outcome : { status: 'stored' },
    );
    const terminal = await door.come();
    expect(await terminal.ask('SD', shortBody(later(-1)))).toBe('#ASD#1');
    const packets = [fix, later(1)].map((it) => packetText('1.1', 'SD', shortBody(it)));
    await terminal.write(packets.join(''));
    await terminal.ended;
    expect(terminal.received).toEqual(['#AL#1', '#ASD#1']);
    const box = await door.come();
    box.send('B', [later(1), fix].map(shortBody).join('|'));
    await box.ended;
    expect(box.received).toEqual(['#AL#1']);
  });

  test('no more when its vehicle is gone', async () => {
    const door = await openWialonDoor();
    const [talking, silent] = [await door.come(), await door.come()];
    door.known.clear();
    talking.send('SD', shortBody(fix));
    silent.send('P', '');
    await Promise.all([talking.ended, silent.ended]);
    expect(door.heard).toEqual([]);
  });
});

describe('other packets', () => {
  test('that this host has no use for cost nothing', async () => {
    const door = await openWialonDoor();
    const terminal = await door.come();
    for (const type of ['QI', 'QT', 'US', 'UC', 'AM', 'AUS', 'VL', 'ZZ9']) terminal.send(type, 'a;b;c');
    await terminal.write('\r\n\r\n');
    expect(await terminal.ask('SD', shortBody(fix))).toBe('#ASD#1');
    expect(door.taken).toHaveLength(1);
  });

  test('with bytes after their line are answered, and the bytes are no packets', async () => {
    const door = await openWialonDoor();
    const terminal = await door.come();
    const hidden = Buffer.from(`\r\n${packetText('1.1', 'SD', shortBody(later(9)))}#`);
    const part = (at: number) =>
      Buffer.concat([Buffer.from(`#I#${hidden.length};${at};2;211126;044300;a.jpg\r\n`), hidden]);
    await terminal.write(Buffer.concat([part(0), part(1)]));
    expect([await terminal.next(), await terminal.next(), await terminal.next()]).toEqual([
      '#AI#0;1',
      '#AI#1;1',
      '#AI#1',
    ]);
    expect(await terminal.ask('IT', '211126;044300;driver;7;1')).toBe('#AIT#0');
    await terminal.write(Buffer.concat([Buffer.from(`#T#7;${hidden.length};0;ABCD\r\n`), hidden]));
    expect(await terminal.next()).toBe('#AT#0;0');
    expect(await terminal.ask('SD', shortBody(fix))).toBe('#ASD#1');
    expect(door.taken.map((it) => it.time_ms)).toEqual([at_ms]);
  });

  test('of another protocol end the connection, and what came before them is answered', async () => {
    const door = await openWialonDoor();
    for (const foreign of ['GET / HTTP/1.1\r\n\r\n', '\x00\x0f356307042441013', '#lower#x\r\n', '~~~']) {
      const terminal = await door.come();
      await terminal.write(packetText('1.1', 'SD', shortBody(fix)) + foreign);
      await terminal.ended;
      expect(terminal.received).toEqual(['#AL#1', '#ASD#1']);
    }
    expect(door.listener.turnedAway().foreign).toBe(4);
  });

  test('longer than there can be end the connection', async () => {
    const door = await openWialonDoor();
    const terminal = await door.come();
    void terminal.write(`#B#${'1'.repeat(200_000)}`);
    await terminal.ended;
    const picture = await door.come();
    void picture.write('#I#999999;0;1;211126;044300;a.jpg\r\n');
    await picture.ended;
    expect(door.listener.turnedAway().foreign).toBe(2);
  });
});

/** A vector as a terminal of its version says it, logged in. */
function ofVector(vector: WialonVector): { version: WialonVersion; line: string; answer: string } {
  return {
    version: vector.expect.crc === undefined ? '1.1' : '2.0',
    line: `${vector.input}\r\n`,
    answer: vector.expect.reply_text?.trimEnd() ?? '',
  };
}

/** The number in a login; what comes after it is of this terminal. */
const terminalOf = (vector: WialonVector) => vector.expect.device_id ?? imei;

describe('packets of real terminals', () => {
  if (wialonVectors.length === 0) test('are all understood', ({ skip }) => skip(noVectors));
  const ways: [string, (bytes: Buffer) => Buffer[]][] = [
    ['whole', (bytes) => [bytes]],
    ['byte by byte', (bytes) => Array.from(bytes, (byte) => Buffer.of(byte))],
  ];
  const data = wialonVectors.filter((it) => it.expect.positions !== undefined);

  async function logInFor(
    door: Awaited<ReturnType<typeof openWialonDoor>>,
    version: WialonVersion,
  ): Promise<FakeWialon> {
    const terminal = await door.connect(version);
    expect(await terminal.logIn(imei)).toBe('#AL#1');
    return terminal;
  }

  describe.each(ways)('that come %s', (_way, cut) => {
    test.each(wialonVectors)('such as $id are answered as stated', async (vector) => {
      const door = await openWialonDoor();
      door.known.add(terminalOf(vector));
      const { version, line, answer } = ofVector(vector);
      const isLogin = vector.expect.kind === 'login';
      const terminal = isLogin ? await door.connect() : await logInFor(door, version);
      for (const piece of cut(Buffer.from(line, 'utf8'))) await terminal.write(piece);
      expect(await terminal.next()).toBe(answer);
      expectStated(door.taken, vector);
    });
  });

  test('that are cut in two anywhere are answered as stated', async () => {
    const door = await openWialonDoor();
    const terminals = { '1.1': await logInFor(door, '1.1'), '2.0': await logInFor(door, '2.0') };
    for (const vector of data) {
      const { version, line, answer } = ofVector(vector);
      const bytes = Buffer.from(line, 'utf8');
      for (let at = 1; at < bytes.length; at += 1) {
        await terminals[version].write(bytes.subarray(0, at));
        await terminals[version].write(bytes.subarray(at));
        expect(await terminals[version].next()).toBe(answer);
        expectStated(door.taken.splice(0), vector);
      }
    }
  });

  test('that are glued together are answered one after the other', async () => {
    for (const version of ['1.1', '2.0'] as const) {
      const door = await openWialonDoor();
      const terminal = await logInFor(door, version);
      const vectors = data.filter((it) => ofVector(it).version === version);
      await terminal.write(vectors.map((it) => ofVector(it).line).join(''));
      for (const vector of vectors) expect(await terminal.next()).toBe(ofVector(vector).answer);
      for (const vector of vectors) expectStated(door.taken.splice(0, vector.expect.count ?? 1), vector);
    }
  });

  test.each(data)('such as $id come as datagrams too', async (vector) => {
    const door = await openWialonDoor();
    const sender = await door.udp();
    const { version, line, answer } = ofVector(vector);
    const from = version === '2.0' ? `2.0;${imei}` : imei;
    expect(await sender.ask(from + line)).toBe(`${answer}\r\n`);
    expectStated(door.taken, vector);
    expect(door.taken[0]?.terminal_id).toBe(imei);
  });

  test('that were damaged crash nothing, and the next terminal is heard', async ({ skip }) => {
    if (wialonVectors.length === 0) skip(noVectors);
    const door = await openWialonDoor();
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...wialonVectors), edits, async (vector, changes) => {
        const { version, line } = ofVector(vector);
        const bytes = Buffer.from(line, 'utf8');
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const terminal = await logInFor(door, version);
        await terminal.write(bytes);
        await terminal.close();
      }),
      { numRuns: 100 },
    );
    const terminal = await door.come();
    expect(await terminal.ask('SD', shortBody(fix))).toBe('#ASD#1');
  });
});

describe('datagrams', () => {
  test('say whose they are, and need no login', async () => {
    const door = await openWialonDoor();
    const sender = await door.udp();
    expect(await sender.ask(`${imei}#SD#${shortBody(fix)}\r\n`)).toBe('#ASD#1\r\n');
    expect(await sender.ask(`2.0;${imei}${packetText('2.0', 'D', longBody(later(1)))}`)).toBe('#AD#1\r\n');
    expect(await sender.ask(`2.0;${imei}#D#${longBody(later(1))};1\r\n`)).toBe('#AD#16\r\n');
    expect(await sender.ask(`${imei}#P#\r\n`)).toBe('#AP#\r\n');
    expect(await sender.ask(`#L#${imei};NA\r\n`)).toBe('#AL#1\r\n');
    expect(door.taken).toHaveLength(2);
  });

  test('of nobody, of strangers and of another protocol are not answered', async () => {
    const door = await openWialonDoor((report) =>
      report.time_ms === at_ms
        ? { status: 'failed', code: 'unavailable', detail: 'The store failed.' }
        : { status: 'stored' },
    );
    const sender = await door.udp();
    sender.send(`#SD#${shortBody(fix)}\r\n`);
    sender.send(`77#SD#${shortBody(fix)}\r\n`);
    sender.send('77#P#\r\n');
    sender.send('hello');
    sender.send(`${imei}#SD#${shortBody(fix)}\r\n`);
    expect(await sender.ask(`${imei}#SD#${shortBody(later(1))}\r\n`)).toBe('#ASD#1\r\n');
    const idOf = (it: Report) => it.terminal_id;
    expect(door.taken.map(idOf)).toEqual(['77', '77', imei, imei]);
    expect(door.listener.turnedAway().foreign).toBe(1);
  });
});

describe('whoever looks at what came last', () => {
  test('sees why a terminal does not get through', async () => {
    const door = await openWialonDoor();
    const terminal = await door.come();
    expect(await terminal.ask('SD', 'nothing')).toBe('#ASD#-1');
    const [last, login] = door.listener.messages.ofDoor();
    expect(login).toMatchObject({ note: 'login', terminal_id: imei });
    expect(last).toMatchObject({ note: 'structure: 1 fields', terminal_id: imei, transport: 'tcp' });
    expect(Buffer.from(last?.bytes ?? []).toString()).toBe('#SD#nothing\r\n');
  });
});
