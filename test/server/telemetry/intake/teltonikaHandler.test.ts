import { setImmediate as nextTurn } from 'node:timers/promises';
import { assert, asyncProperty, constantFrom, integer, tuple, array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../../server/telemetry/terminalReport.ts';
import { maxFrame } from '../../../../server/telemetry/protocols/teltonika/frames.ts';
import {
  datagramBytes,
  dataBytes,
  imeiBytes,
  packetBytes,
  packetOf,
  type FakeRecord,
} from '../../../support/fakeTeltonika.ts';
import {
  brokenPackets,
  goodPackets,
  noVectors,
  teltonikaVectors,
} from '../protocols/teltonika/teltonikaData.ts';
import { imei, openTeltonikaTestListener } from './teltonikaTestListener.ts';

const at_ms = Date.UTC(2026, 10, 21, 4, 43);
const fix: FakeRecord = { time_ms: at_ms, lat: 56.95, lon: 24.1 };
const minute = 60_000;
const keepAlive = Buffer.of(0xff);

describe('a terminal', () => {
  test.each([0x08, 0x8e, 0x10] as const)(
    'a terminal hands in records of codec %i and receives their count',
    async (codec) => {
      const listener = await openTeltonikaTestListener();
      const terminal = await listener.come();
      const records = [0, 1, 2].map((at) => ({ ...fix, time_ms: at_ms + at * minute, speed_kmh: 40 + at }));
      expect(await terminal.send(records, codec)).toBe(3);
      expect(listener.taken).toMatchObject(
        records.map(({ time_ms, speed_kmh, lat, lon }) => ({
          terminal_id: imei,
          time_ms,
          speed_kmh,
          place: { lat, lon },
          valid: true,
        })),
      );
    },
  );

  test('a terminal of no vehicle is refused, listed as unknown, and its connection closed', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.connect('860000000000007');
    terminal.write(Buffer.concat([imeiBytes('860000000000007'), packetBytes([fix])]));
    expect(await terminal.read(1)).toEqual(Buffer.of(0));
    await terminal.ended;
    expect(terminal.unread()).toHaveLength(0);
    expect(listener.taken).toMatchObject([{ terminal_id: '860000000000007', place: null }]);
  });

  test('a terminal may send its IMEI again', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.come();
    expect(await terminal.logIn()).toBe(1);
    expect(await terminal.send([fix])).toBe(1);
  });

  test('a terminal keeps its connection by single bytes that have no answer', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.come();
    for (let at = 0; at < 3; at += 1) {
      terminal.write(keepAlive);
      await expect.poll(() => listener.heard).toHaveLength(at + 1);
      listener.clock.advance(9 * minute);
    }
    expect(listener.heard).toEqual([imei, imei, imei]);
    expect(await terminal.send([fix])).toBe(1);
    expect(terminal.unread()).toHaveLength(0);
  });

  test('a terminal that presses the panic button says so with the priority of the record', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.come();
    expect(await terminal.send([{ ...fix, priority: 2 }])).toBe(1);
    expect(listener.taken).toMatchObject([{ alarms: ['sos'] }]);
  });

  test('a terminal whose vehicle is gone gets no answer and has to reconnect', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.come();
    listener.known.clear();
    terminal.write(packetBytes([fix]));
    await terminal.ended;
    expect(terminal.unread()).toHaveLength(0);
  });
});

describe('a packet', () => {
  test.each<Outcome>([{ status: 'failed', code: 'disk_full', detail: '' }, { status: 'unknown' }])(
    'a packet with a record that is %o has no answer, nor has one after it that would pass for it',
    async (outcome) => {
      const listener = await openTeltonikaTestListener(({ time_ms }) =>
        time_ms === at_ms ? outcome : { status: 'stored' },
      );
      const terminal = await listener.come();
      const later = { ...fix, time_ms: at_ms + 1 };
      terminal.write(Buffer.concat([packetBytes([later, fix]), packetBytes([later])]));
      await terminal.ended;
      expect(terminal.unread()).toHaveLength(0);
      expect(await (await listener.come()).send([later])).toBe(1);
    },
  );

  test('a packet with records that are refused for good, or there already, is answered whole', async () => {
    const listener = await openTeltonikaTestListener(({ time_ms }) =>
      time_ms === at_ms
        ? { status: 'duplicate' }
        : { status: 'rejected', code: 'time_in_future', detail: '' },
    );
    const terminal = await listener.come();
    expect(await terminal.send([fix, { ...fix, time_ms: 4e12 }])).toBe(2);
  });

  test('a packet with a wrong CRC is answered with none and not taken', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.come();
    const bytes = packetBytes([fix]);
    bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
    terminal.write(bytes);
    expect((await terminal.read(4)).readUInt32BE()).toBe(0);
    expect(listener.taken).toEqual([]);
    expect(listener.listener.rejections().undecodable).toBe(1);
    expect(await terminal.send([fix])).toBe(1);
  });

  test('a packet of a codec that is not read here stays with the terminal', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.come();
    terminal.write(packetOf(Buffer.of(0x07, 2, 1, 2, 3, 2)));
    expect((await terminal.read(4)).readUInt32BE()).toBe(0);
  });

  test('a packet that can never be read is recorded and answered, or it would come for ever', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.come();
    const data = Buffer.concat([dataBytes([fix, fix], 0x8e).subarray(0, -9), Buffer.of(2)]);
    terminal.write(packetOf(data));
    expect((await terminal.read(4)).readUInt32BE()).toBe(2);
    expect(listener.taken).toMatchObject([
      {
        terminal_id: imei,
        undecodable: 'the records do not end where their counts say',
        attributes: { hex: data.toString('hex') },
      },
    ]);
    expect(listener.listener.messages.ofTerminal(imei)?.note).toBe(
      'the records do not end where their counts say',
    );
  });

  test('a packet that can never be read is not answered before that is recorded', async () => {
    const listener = await openTeltonikaTestListener({ status: 'failed', code: 'disk_full', detail: '' });
    const terminal = await listener.come();
    terminal.write(packetOf(Buffer.concat([dataBytes([fix], 0x08).subarray(0, -9), Buffer.of(1)])));
    await terminal.ended;
    expect(terminal.unread()).toHaveLength(0);
  });

  test('a packet whose records are good and whose end is not loses none of them', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.come();
    const data = dataBytes([fix, { ...fix, time_ms: at_ms + minute }], 0x8e);
    data[data.length - 1] = 9;
    terminal.write(packetOf(data));
    expect((await terminal.read(4)).readUInt32BE()).toBe(2);
    expect(listener.taken.map((it) => it.time_ms)).toEqual([at_ms, at_ms + minute, null]);
    expect(listener.taken[2]).toHaveProperty('undecodable');
  });

  test('a packet longer than any is refused before it has come', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.come();
    const head = Buffer.alloc(8);
    head.writeUInt32BE(maxFrame, 4);
    terminal.write(head);
    await terminal.ended;
    expect(listener.listener.rejections().protocol_mismatch).toBe(1);
  });
});

test.each([
  ['a browser', Buffer.from('POST / HTTP/1.1\r\nHost: depot\r\n\r\n')],
  ['TLS', Buffer.from('16030102000100', 'hex')],
  ['a packet before the IMEI', packetBytes([fix])],
  ['an IMEI with letters', imeiBytes('35630704244101x')],
  ['an IMEI of 200 digits', imeiBytes('3'.repeat(200))],
])('%s ends the connection unanswered', async (_, bytes) => {
  const listener = await openTeltonikaTestListener();
  const terminal = await listener.connect();
  terminal.write(bytes);
  await terminal.ended;
  expect(terminal.unread()).toHaveLength(0);
  expect(listener.taken).toEqual([]);
  expect(listener.listener.rejections().protocol_mismatch).toBe(1);
});

describe('a datagram', () => {
  test('a datagram is answered with its own numbers and the count of its records', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.datagrams();
    const records = [fix, { ...fix, time_ms: at_ms + minute }];
    terminal.send(datagramBytes(imei, records, { packet: 0xcafe, avl: 0xdd }));
    expect((await terminal.answer()).toString('hex')).toBe('0005cafe01dd02');
    expect(listener.taken.map((it) => it.time_ms)).toEqual([at_ms, at_ms + minute]);
  });

  // wiki.teltonika-gps.com, "Codec": the example of codec 8 over UDP.
  test('a datagram of the maker’s documentation is read and answered as it says', async () => {
    const listener = await openTeltonikaTestListener();
    listener.known.add('352093086403655');
    const terminal = await listener.datagrams();
    terminal.send(
      Buffer.from(
        '003dcafe0105000f33353230393330383634303336353508010000016b4f815b30010000000000000000000000000000000103021503010101425dbc000001',
        'hex',
      ),
    );
    expect((await terminal.answer()).toString('hex')).toBe('0005cafe010501');
    expect(listener.taken).toMatchObject([
      { terminal_id: '352093086403655', time_ms: Date.UTC(2019, 5, 13, 6, 23, 26), valid: false },
    ]);
  });

  test('a datagram of no vehicle, or whose length does not fit, is not answered', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.datagrams();
    terminal.send(datagramBytes('860000000000007', [fix], { packet: 1, avl: 1 }));
    terminal.send(datagramBytes(imei, [fix], { packet: 2, avl: 2 }).subarray(0, -1));
    // Without data, and with nothing of them but the codec.
    terminal.send(Buffer.from('00070001010100' + '0131', 'hex'));
    terminal.send(Buffer.from('00080001010100' + '013108', 'hex'));
    terminal.send(datagramBytes(imei, [fix], { packet: 3, avl: 3 }));
    expect((await terminal.answer()).toString('hex')).toBe('00050003010301');
    expect(listener.taken.map((it) => it.terminal_id)).toEqual(['860000000000007', imei]);
    expect(listener.listener.rejections().protocol_mismatch).toBe(3);
  });
});

if (teltonikaVectors.length === 0) {
  test('the Teltonika handler answers the vectors that were collected from other programs', ({ skip }) =>
    skip(noVectors));
}

describe('the vectors of other programs, over a connection', () => {
  test.each(goodPackets)('$id: split at every byte', async ({ input, expect: stated }) => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.come();
    const bytes = Buffer.from(input, 'hex');
    for (let at = 0; at < bytes.length; at += 1) {
      terminal.write(bytes.subarray(0, at));
      await nextTurn();
      terminal.write(bytes.subarray(at));
      expect((await terminal.read(4)).toString('hex')).toBe(stated.reply_hex);
    }
    expect(listener.taken).toHaveLength(bytes.length * stated.count);
    expect(terminal.unread()).toHaveLength(0);
  });

  test('all glued together, the login and the keep-alives with them', async () => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.connect();
    const packets = goodPackets.flatMap(({ input }) => [keepAlive, Buffer.from(input, 'hex')]);
    terminal.write(Buffer.concat([imeiBytes(imei), ...packets]));
    const answers = ['01', ...goodPackets.map((it) => it.expect.reply_hex)].join('');
    expect((await terminal.read(answers.length / 2)).toString('hex')).toBe(answers);
    expect(listener.heard).toHaveLength(goodPackets.length);
  });

  test.each(brokenPackets)('$id: broken, is not taken', async ({ input, expect: stated }) => {
    const listener = await openTeltonikaTestListener();
    const terminal = await listener.come();
    terminal.write(Buffer.from(input, 'hex'));
    terminal.endSending();
    await terminal.ended;
    expect(listener.taken).toEqual([]);
    expect(`not ${terminal.unread().toString('hex')}`).not.toBe(stated.reply_hex);
    expect(terminal.unread().every((byte) => byte === 0)).toBe(true);
  });

  test.runIf(goodPackets.length > 0)(
    'the vectors of other programs, over a connection with bytes that were changed crash nothing',
    async () => {
      const listener = await openTeltonikaTestListener();
      const change = tuple(integer({ min: 0, max: 2_000 }), integer({ min: 0, max: 255 }));
      await assert(
        asyncProperty(
          constantFrom(...goodPackets),
          array(change, { minLength: 1 }),
          async (vector, changes) => {
            const bytes = Buffer.from(vector.input, 'hex');
            for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
            const terminal = await listener.come();
            terminal.write(bytes);
            // With a CRC that fits, the decoder itself has to cope.
            terminal.write(packetOf(bytes.subarray(8, -4)));
            terminal.endSending();
            await terminal.ended;
          },
        ),
        { numRuns: 300 },
      );
      expect(await (await listener.come()).send([fix])).toBe(1);
    },
  );
});
