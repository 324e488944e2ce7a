import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../../server/telemetry/terminalReport.ts';
import { longBody, packetText, shortBody } from '../../../support/fakeWialon.ts';
import { at_ms, fix, imei, later, openWialonTestListener } from './wialonTestListener.ts';

/** An outcome that is known when the test says so. */
function whenPublished() {
  let settle: (outcome: Outcome) => void = () => undefined;
  const outcome = new Promise<Outcome>((resolve) => (settle = resolve));
  return { answer: () => outcome, settle };
}

describe.each(['1.1', '2.0'] as const)('a terminal that speaks version %s', (version) => {
  test('a terminal that speaks version %s logs in, whatever its password, and is accepted from then on', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.connect(version);
    expect(await terminal.logIn(imei, 'of another platform')).toBe('#AL#1');
    expect(await terminal.ask('SD', shortBody(fix))).toBe('#ASD#1');
    const params = [['SOS', 1, 1]] as const;
    expect(await terminal.ask('D', longBody({ ...later(1), params }))).toBe('#AD#1');
    expect(await terminal.ask('P', '')).toBe('#AP#');
    expect(listener.taken).toMatchObject([
      { terminal_id: imei, time_ms: at_ms, speed_kmh: 10, alarms: [] },
      { terminal_id: imei, time_ms: at_ms + 1_000, alarms: ['sos'] },
    ]);
    expect(listener.heard).toEqual([imei]);
  });

  test('a terminal that speaks version %s empties its black box, of short data and of long', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.come(version);
    const many = Array.from({ length: 300 }, (_, at) => later(-at));
    const bodies = many.map((it, at) => (at % 2 === 0 ? shortBody(it) : longBody(it)));
    expect(await terminal.ask('B', bodies.join('|'))).toBe('#AB#300');
    expect(listener.taken.map((it) => it.time_ms)).toEqual(many.map((it) => it.time_ms));
  });

  test('a terminal that speaks version %s passes on what its driver writes', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.come(version);
    expect(await terminal.ask('M', 'стою; пробка')).toBe('#AM#1');
    expect(listener.taken).toMatchObject([
      { place: null, time_ms: null, attributes: { text: 'стою; пробка' } },
    ]);
  });

  test('a terminal that speaks version %s is answered for each packet in their order, however many come at once', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.come(version);
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
    const read = listener.taken.filter((it) => it.undecodable === undefined);
    expect(read.map((it) => it.time_ms)).toEqual([0, 1, 2, 3].map((at) => at_ms + at * 1_000));
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
  ])(
    'a checksum that does not fit of %s is answered so, and nothing is taken',
    async (type, body, answer) => {
      const listener = await openWialonTestListener();
      const terminal = await listener.come('2.0');
      await terminal.write(`#${type}#${body}\r\n`);
      expect(await terminal.next()).toBe(answer);
      expect(listener.taken).toEqual([]);
    },
  );
});

describe('before a good login', () => {
  test('nothing is taken or answered', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.connect();
    terminal.send('SD', shortBody(fix));
    terminal.send('P', '');
    terminal.send('B', shortBody(fix));
    expect(await terminal.logIn(' ')).toBe('#AL#0');
    terminal.send('SD', shortBody(fix));
    expect(await terminal.logIn(imei)).toBe('#AL#1');
    expect(await terminal.ask('SD', shortBody(fix))).toBe('#ASD#1');
    expect(terminal.received).toEqual(['#AL#0', '#AL#1', '#ASD#1']);
    expect(listener.taken).toHaveLength(1);
  });

  test('a terminal of no vehicle is refused, and listed as unknown', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.connect('2.0');
    expect(await terminal.logIn('77')).toBe('#AL#0');
    expect(listener.taken).toMatchObject([{ terminal_id: '77', place: null }]);
    terminal.send('SD', shortBody(fix));
    listener.known.add('77');
    expect(await terminal.logIn('77')).toBe('#AL#1');
    expect(await terminal.ask('SD', shortBody(fix))).toBe('#ASD#1');
    expect(listener.taken).toHaveLength(2);
  });

  test('half a minute is enough', async () => {
    const listener = await openWialonTestListener();
    const [stranger, terminal] = [await listener.connect(), await listener.come()];
    expect(await stranger.logIn('77')).toBe('#AL#0');
    listener.clock.advance(30_000);
    await stranger.ended;
    expect(await terminal.ask('P', '')).toBe('#AP#');
    expect(listener.listener.rejections().unidentified).toBe(1);
  });
});

describe('a packet is answered', () => {
  test('a packet is answered after it is stored, not before', async () => {
    const store = whenPublished();
    const listener = await openWialonTestListener(store.answer);
    const terminal = await listener.come();
    const answered = terminal.ask('SD', shortBody(fix));
    await expect.poll(() => listener.taken.length).toBe(1);
    listener.known.add('7');
    const other = await listener.connect();
    await other.logIn('7');
    expect(await other.ask('P', '')).toBe('#AP#');
    expect(terminal.received).toEqual(['#AL#1']);
    store.settle({ status: 'stored' });
    expect(await answered).toBe('#ASD#1');
  });

  test.each<[Outcome, string, string]>([
    [{ status: 'duplicate' }, '#AD#1', '#AB#2'],
    [{ status: 'merged' }, '#AD#1', '#AB#2'],
    [{ status: 'rejected', code: 'time_in_future', detail: 'It is in the future.' }, '#AD#0', '#AB#2'],
    [{ status: 'rejected', code: 'invalid_coordinates', detail: 'It is no place.' }, '#AD#10', '#AB#2'],
  ])('a packet is answered when it is %o', async (outcome, data, box) => {
    const terminal = await (await openWialonTestListener(outcome)).come();
    expect(await terminal.ask('D', longBody(fix))).toBe(data);
    expect(await terminal.ask('B', [shortBody(fix), shortBody(fix)].join('|'))).toBe(box);
  });

  test('a packet is answered with nothing of what says nothing', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.come();
    expect(await terminal.ask('B', '')).toBe('#AB#0');
    expect(await terminal.ask('M', ' ')).toBe('#AM#0');
    expect(listener.taken).toEqual([]);
  });

  test.each(['1.1', '2.0'] as const)(
    'a packet is answered with all of a black box of %s, and what of it cannot be read is recorded',
    async (version) => {
      const listener = await openWialonTestListener();
      const terminal = await listener.come(version);
      const box = [shortBody(fix), 'x;y', longBody(later(1)), 'z'].join('|');
      expect(await terminal.ask('B', box)).toBe('#AB#4');
      expect(await terminal.ask('B', 'x;y')).toBe('#AB#1');
      const why = 'structure: 2 fields';
      expect(listener.taken).toMatchObject([
        { time_ms: at_ms },
        { time_ms: at_ms + 1_000 },
        { terminal_id: imei, undecodable: expect.stringContaining('2 of 4'), attributes: { text: 'x;y|z' } },
        { undecodable: `black box, 1 of 1: ${why}`, attributes: { text: 'x;y' } },
      ]);
    },
  );

  test('a packet is answered with all of a black box of more messages than there can be, which is recorded whole', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.come();
    const box = 'x|'.repeat(20_000);
    expect(await terminal.ask('B', box)).toBe('#AB#20000');
    expect(listener.taken[0]).toMatchObject({
      undecodable: 'black box of 20000: no terminal has so many (1 of 12)',
    });
    expect(listener.taken.map((it) => it.attributes['text']).join('')).toBe(box);
  });

  test('a packet is answered with its alarm, whatever else of it cannot be read', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.come('2.0');
    const pressed = longBody({ ...fix, params: [['SOS', 1, 1]] });
    const halting = pressed.split(';').with(6, 'fast').join(';');
    expect(await terminal.ask('D', halting)).toBe('#AD#11');
    expect(await terminal.ask('B', ['x;y', halting, shortBody(later(1))].join('|'))).toBe('#AB#3');
    const alarm = { undecodable: 'motion: fast', time_ms: at_ms, alarms: ['sos'] };
    expect(listener.taken).toMatchObject([
      { ...alarm, attributes: { text: halting } },
      { time_ms: at_ms + 1_000 },
      { ...alarm, attributes: { text: halting } },
      { undecodable: 'black box, 2 of 3: structure: 2 fields', alarms: [], attributes: { text: 'x;y' } },
    ]);
  });

  test.each([
    ['1.1', 'SD', 'x;y', '#ASD#-1', 'structure: 2 fields'],
    ['2.0', 'SD', shortBody(fix).replace('N', 'X'), '#ASD#10', 'place: 5657.000000;X'],
    ['2.0', 'D', `${longBody(fix)},bad`, '#AD#15', 'params: NA'],
  ] as const)(
    'a packet is answered by %s, of %s that cannot be read, when that is recorded',
    async (...said) => {
      const [version, type, body, answer, undecodable] = said;
      const listener = await openWialonTestListener();
      const terminal = await listener.come(version);
      expect(await terminal.ask(type, body)).toBe(answer);
      expect(listener.taken).toMatchObject([{ terminal_id: imei, undecodable }]);
      expect(listener.listener.rejections().undecodable).toBe(1);
      expect(await terminal.ask('P', '')).toBe('#AP#');
    },
  );

  test('a packet is answered not at all where what cannot be read could not be recorded', async () => {
    const listener = await openWialonTestListener({ status: 'failed', code: 'disk_full', detail: '' });
    const terminal = await listener.come('2.0');
    terminal.send('B', 'x;y');
    await terminal.ended;
    expect(terminal.received).toEqual(['#AL#1']);
  });

  test.each<Outcome>([
    { status: 'failed', code: 'disk_full', detail: 'The disk is full.' },
    { status: 'failed', code: 'unavailable', detail: 'The store failed.' },
  ])(
    'a packet is answered not at all after %o, nor is any that came after it: the terminal sends them again',
    async (outcome) => {
      const listener = await openWialonTestListener((report) =>
        report.time_ms === at_ms ? outcome : { status: 'stored' },
      );
      const terminal = await listener.come();
      expect(await terminal.ask('SD', shortBody(later(-1)))).toBe('#ASD#1');
      const packets = [fix, later(1)].map((it) => packetText('1.1', 'SD', shortBody(it)));
      await terminal.write(packets.join(''));
      await terminal.ended;
      expect(terminal.received).toEqual(['#AL#1', '#ASD#1']);
      const box = await listener.come();
      box.send('B', [later(1), fix].map(shortBody).join('|'));
      await box.ended;
      expect(box.received).toEqual(['#AL#1']);
    },
  );

  test('no more when its vehicle is gone', async () => {
    const listener = await openWialonTestListener();
    const [talking, silent] = [await listener.come(), await listener.come()];
    listener.known.clear();
    talking.send('SD', shortBody(fix));
    silent.send('P', '');
    await Promise.all([talking.ended, silent.ended]);
    expect(listener.heard).toEqual([]);
  });
});

describe('other packets', () => {
  test('other packets that this host has no use for cost nothing', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.come();
    for (const type of ['QI', 'QT', 'US', 'UC', 'AM', 'AUS', 'VL', 'ZZ9']) terminal.send(type, 'a;b;c');
    await terminal.write('\r\n\r\n');
    expect(await terminal.ask('SD', shortBody(fix))).toBe('#ASD#1');
    expect(listener.taken).toHaveLength(1);
  });

  test('other packets with bytes after their line are answered, and the bytes are no packets', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.come();
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
    expect(listener.taken.map((it) => it.time_ms)).toEqual([at_ms]);
  });

  test('other packets of another protocol end the connection, and what came before them is answered', async () => {
    const listener = await openWialonTestListener();
    for (const foreign of ['GET / HTTP/1.1\r\n\r\n', '\x00\x0f356307042441013', '#lower#x\r\n', '~~~']) {
      const terminal = await listener.come();
      await terminal.write(packetText('1.1', 'SD', shortBody(fix)) + foreign);
      await terminal.ended;
      expect(terminal.received).toEqual(['#AL#1', '#ASD#1']);
    }
    expect(listener.listener.rejections().protocol_mismatch).toBe(4);
  });

  test('other packets longer than there can be end the connection', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.come();
    void terminal.write(`#B#${'1'.repeat(200_000)}`);
    await terminal.ended;
    const picture = await listener.come();
    void picture.write('#I#999999;0;1;211126;044300;a.jpg\r\n');
    await picture.ended;
    expect(listener.listener.rejections().protocol_mismatch).toBe(2);
  });
});

describe('the list of the latest messages', () => {
  test('the list of the latest messages shows why a terminal does not get through', async () => {
    const listener = await openWialonTestListener();
    const terminal = await listener.come();
    expect(await terminal.ask('SD', 'nothing')).toBe('#ASD#-1');
    const [last, login] = listener.listener.messages.latest();
    expect(login).toMatchObject({ note: 'login', terminal_id: imei });
    expect(last).toMatchObject({ note: 'structure: 1 fields', terminal_id: imei, transport: 'tcp' });
    expect(Buffer.from(last?.bytes ?? []).toString()).toBe('#SD#nothing\r\n');
  });
});
