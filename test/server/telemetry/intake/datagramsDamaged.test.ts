import fc from 'fast-check';
import { expect, test } from 'vitest';
import { datagramBytes, type FakeRecord } from '../../../support/fakeTeltonika.ts';
import { longBody, packetText, shortBody } from '../../../support/fakeWialon.ts';
import { goodPackets } from '../protocols/teltonika/teltonikaData.ts';
import { wialonVectors } from '../protocols/wialon/wialonData.ts';
import { imei, openTeltonikaTestListener } from './teltonikaTestListener.ts';
import { openWialonTestListener } from './wialonTestListener.ts';

const fix: FakeRecord = { time_ms: Date.UTC(2026, 10, 21, 4, 43), lat: 56.95, lon: 24.1 };
const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 });

function changed(bytes: Uint8Array, list: readonly [at: number, value: number][]): Buffer {
  const copy = Buffer.from(bytes);
  for (const [at, value] of list) copy[at % copy.length] = value;
  return copy;
}

/** A packet of TCP as its terminal would send it over UDP: its data, from the codec to the second count. */
function asDatagram(packet: Buffer): Buffer {
  const sender = Buffer.concat([Buffer.of(0, 1, 1, 1, 0, imei.length), Buffer.from(imei, 'latin1')]);
  const body = Buffer.concat([sender, packet.subarray(8, -4)]);
  return Buffer.concat([Buffer.of(body.length >> 8, body.length & 0xff), body]);
}

test('datagrams of Teltonika with bytes that were changed crash nothing, and the next one is answered', async () => {
  const listener = await openTeltonikaTestListener();
  const [damaged, good] = [await listener.datagrams(), await listener.datagrams()];
  const own = ([0x08, 0x8e, 0x10] as const).map((codec) =>
    datagramBytes(imei, [fix, { ...fix, io: { 239: Buffer.of(1) } }], { packet: 1, avl: 1 }, codec),
  );
  const collected = goodPackets.map(({ input }) => asDatagram(Buffer.from(input, 'hex')));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...own, ...collected), edits, async (bytes, list) => {
      damaged.send(changed(bytes, list));
      const answer = good.answer();
      good.send(datagramBytes(imei, [fix], { packet: 0xcafe, avl: 7 }));
      expect((await answer).toString('hex')).toBe('0005cafe010701');
    }),
    { numRuns: 200 },
  );
});

test('datagrams of Wialon with bytes that were changed crash nothing, and the next one is answered', async () => {
  const listener = await openWialonTestListener();
  const [damaged, good] = [await listener.udp(), await listener.udp()];
  const own = (['1.1', '2.0'] as const).flatMap((version) =>
    [shortBody(fix), longBody({ ...fix, params: [['SOS', 1, 1]] })].map(
      (body) =>
        `${version === '2.0' ? '2.0;' : ''}${imei}${packetText(version, 'B', [body, body].join('|'))}`,
    ),
  );
  const collected = wialonVectors.map(({ input }) => `${imei}${input}`);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...own, ...collected), edits, async (text, list) => {
      damaged.send(changed(Buffer.from(text), list));
      expect(await good.ask(`${imei}#SD#${shortBody(fix)}\r\n`)).toBe('#ASD#1\r\n');
    }),
    { numRuns: 200 },
  );
});
