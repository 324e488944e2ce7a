import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchBody, frameBytes, messageFrame, positionBody } from '../../../support/fakeJt808.ts';
import { jt808Vectors, noVectors } from '../protocols/jt808/jt808Data.ts';
import { openJt808TestListener, phone } from './jt808TestListener.ts';

const fix = { lat: 56.95, lon: 24.1, time_ms: Date.UTC(2026, 10, 21, 4, 43) };
const header = { phoneBcd: phone, form: '2013', serial: 500 } as const;
/** What a frame of JT/T 808-2011 and -2013 has before its body. */
const headBytes = 12;

const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
  minLength: 1,
  maxLength: 8,
});

function changed(bytes: Uint8Array, edits: readonly [at: number, value: number][]): Buffer {
  const copy = Buffer.from(bytes);
  for (const [at, value] of edits) if (copy.length > 0) copy[at % copy.length] = value;
  return copy;
}

const own = [
  messageFrame({ ...header, id: 0x0200 }, positionBody({ ...fix, alarm: 0x8000_0001 })),
  messageFrame({ ...header, id: 0x0704 }, batchBody([fix, { ...fix, time_ms: fix.time_ms - 1_000 }], 1)),
  messageFrame({ ...header, id: 0x0704, part: [3, 2] }, batchBody([fix, fix])),
];
const collected = jt808Vectors.map((it) => Buffer.from(it.input, 'hex')).filter((it) => it.length > 0);

test('messages with changed bytes crash nothing, and the next terminal is served', async () => {
  const listener = await openJt808TestListener();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...own, ...collected),
      changes,
      fc.boolean(),
      async (frame, edits, isPart) => {
        const terminal = await listener.come();
        terminal.write(changed(frame, edits));
        // With the check byte that fits, in the name of the terminal that is known, the decoders have to cope.
        const body = changed(frame.subarray(1 + headBytes, -2), edits).subarray(0, 1_023);
        const id = frame.length > 2 ? frame.readUInt16BE(1) : 0x0200;
        const part = isPart ? ([2, 1 + ((edits[0]?.[0] ?? 0) % 2)] as const) : undefined;
        terminal.write(messageFrame({ ...header, id, part }, body));
        terminal.write(frameBytes(changed(frame.subarray(1, -2), edits)));
        await terminal.close();
      },
    ),
    { numRuns: 200 },
  );
  const next = await listener.come();
  expect(await next.position(fix)).toBe(0);
  expect(listener.taken.at(-1)).toMatchObject({ place: { lat: 56.95, lon: 24.1 } });
});

test('the vectors that were collected from other programs are among them', ({ skip }) => {
  if (collected.length === 0) skip(noVectors);
  expect(collected.length).toBeGreaterThan(0);
});
