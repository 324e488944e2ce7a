import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shortBody, type FakeWialon, type WialonVersion } from '../../../support/fakeWialon.ts';
import { expectStated } from '../protocols/wialon/statedReports.ts';
import { noVectors, wialonVectors, type WialonVector } from '../protocols/wialon/wialonData.ts';
import { fix, imei, openWialonTestListener } from './wialonTestListener.ts';

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
  const ways: [string, (bytes: Buffer) => Buffer[]][] = [
    ['whole', (bytes) => [bytes]],
    ['byte by byte', (bytes) => Array.from(bytes, (byte) => Buffer.of(byte))],
  ];
  const data = wialonVectors.filter((it) => it.expect.positions !== undefined);

  async function logInFor(
    listener: Awaited<ReturnType<typeof openWialonTestListener>>,
    version: WialonVersion,
  ): Promise<FakeWialon> {
    const terminal = await listener.connect(version);
    expect(await terminal.logIn(imei)).toBe('#AL#1');
    return terminal;
  }

  describe.each(ways)('that come %s', (_way, cut) => {
    if (wialonVectors.length === 0)
      test('packets of real terminals that come %s are all understood', ({ skip }) => skip(noVectors));

    test.each(wialonVectors)('packets such as $id are answered as stated', async (vector) => {
      const listener = await openWialonTestListener();
      listener.known.add(terminalOf(vector));
      const { version, line, answer } = ofVector(vector);
      const isLogin = vector.expect.kind === 'login';
      const terminal = isLogin ? await listener.connect() : await logInFor(listener, version);
      for (const piece of cut(Buffer.from(line, 'utf8'))) await terminal.write(piece);
      expect(await terminal.next()).toBe(answer);
      expectStated(listener.taken, vector);
    });
  });

  test('packets of real terminals that are cut in two anywhere are answered as stated', async () => {
    for (const version of ['1.1', '2.0'] as const) {
      const listener = await openWialonTestListener();
      const terminal = await logInFor(listener, version);
      for (const vector of data.filter((it) => ofVector(it).version === version)) {
        const { line, answer } = ofVector(vector);
        const bytes = Buffer.from(line, 'utf8');
        for (let at = 1; at < bytes.length; at += 1) {
          await terminal.write(bytes.subarray(0, at));
          await terminal.write(bytes.subarray(at));
          expect(await terminal.next()).toBe(answer);
          expectStated(listener.taken.splice(0), vector);
        }
      }
    }
  });

  test('packets of real terminals that are glued together are answered one after the other', async () => {
    for (const version of ['1.1', '2.0'] as const) {
      const listener = await openWialonTestListener();
      const terminal = await logInFor(listener, version);
      const vectors = data.filter((it) => ofVector(it).version === version);
      await terminal.write(vectors.map((it) => ofVector(it).line).join(''));
      for (const vector of vectors) expect(await terminal.next()).toBe(ofVector(vector).answer);
      for (const vector of vectors) expectStated(listener.taken.splice(0, vector.expect.count ?? 1), vector);
    }
  });

  test.each(data)('packets such as $id come as datagrams too', async (vector) => {
    const listener = await openWialonTestListener();
    const sender = await listener.udp();
    const { version, line, answer } = ofVector(vector);
    const from = version === '2.0' ? `2.0;${imei}` : imei;
    expect(await sender.ask(from + line)).toBe(`${answer}\r\n`);
    expectStated(listener.taken, vector);
    expect(listener.taken[0]?.terminal_id).toBe(imei);
  });

  test('packets of real terminals that were damaged crash nothing, and the next terminal is accepted', async ({
    skip,
  }) => {
    if (wialonVectors.length === 0) skip(noVectors);
    const listener = await openWialonTestListener();
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...wialonVectors), edits, async (vector, changes) => {
        const { version, line } = ofVector(vector);
        const bytes = Buffer.from(line, 'utf8');
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const terminal = await logInFor(listener, version);
        await terminal.write(bytes);
        await terminal.close();
      }),
      { numRuns: 100 },
    );
    const terminal = await listener.come();
    expect(await terminal.ask('SD', shortBody(fix))).toBe('#ASD#1');
  });
});
