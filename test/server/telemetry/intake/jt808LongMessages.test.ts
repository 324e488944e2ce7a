import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../../server/telemetry/terminalReport.ts';
import { positionBody, words, type FakeJt808, type FakePosition } from '../../../support/fakeJt808.ts';
import { openJt808TestListener, terminalId } from './jt808TestListener.ts';

const at_ms = Date.UTC(2026, 10, 21, 4, 43);
const fix: FakePosition = { lat: 56.95, lon: 24.1, time_ms: at_ms };
const pauseMs = 2_500;
const failed: Outcome = { status: 'failed', code: 'disk_full', detail: 'The disk is full.' };

const timesOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => at_ms + (from + at) * 1_000);

/** A batch of 0x0704; each of its positions is 30 bytes. @param stated how many it says that there are */
function batchOf(times: readonly number[], stated = times.length): Buffer {
  const bodies = times.map((time_ms) => positionBody({ ...fix, time_ms }));
  return Buffer.concat([words(stated), Buffer.of(1), ...bodies.flatMap((it) => [words(it.length), it])]);
}

/** Waits for so many answers to 0x0704 that were not waited for yet: their serials and results. */
async function answers(terminal: FakeJt808, count: number): Promise<[number, number][]> {
  const all: [number, number][] = [];
  while (all.length < count) {
    const { body } = await terminal.next(0x8001);
    if (body.readUInt16BE(2) === 0x0704) all.push([body.readUInt16BE(0), body[4] ?? -1]);
  }
  return all;
}

/** Whatever was sent before this is taken in, and what is answered at once is answered. */
async function settle(terminal: FakeJt808): Promise<void> {
  expect(await terminal.heartbeat()).toBe(0);
}

function batchAnswers(terminal: FakeJt808): [number, number][] {
  return terminal.received
    .filter((it) => it.id === 0x8001 && it.body.readUInt16BE(2) === 0x0704)
    .map((it) => [it.body.readUInt16BE(0), it.body[4] ?? -1]);
}

/** Parts of 93 bytes: the count, the kind and three positions, then three each but for the three bytes. */
const partBytes = 93;

describe('a long message of positions', () => {
  test('a long message of positions is answered after the commit, in all its parts', async () => {
    let store: (outcome: Outcome) => void = () => undefined;
    const stored = new Promise<Outcome>((resolve) => (store = resolve));
    const listener = await openJt808TestListener(() => stored);
    const terminal = await listener.come();
    const serials = terminal.sendParts(0x0704, batchOf(timesOf(9)), partBytes);
    await expect.poll(() => listener.taken.length).toBe(9);
    await settle(terminal);
    expect(batchAnswers(terminal)).toEqual([]);
    store({ status: 'stored' });
    expect(await answers(terminal, 3)).toEqual(serials.map((it) => [it, 0]));
  });

  test('a long message of positions comes whole from a terminal that sends each part after the answer to the one before', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.come({ resends: false });
    const [first = 0, second = 0, third = 0] = terminal.sendParts(
      0x0704,
      batchOf(timesOf(9)),
      partBytes,
      [2, 3],
    );
    await settle(terminal);
    listener.clock.advance(pauseMs - 1);
    await settle(terminal);
    expect(batchAnswers(terminal)).toEqual([]);
    listener.clock.advance(1);
    expect(await answers(terminal, 1)).toEqual([[first, 0]]);
    // It is known to wait from here on.
    terminal.sendPart(first, 2);
    expect(await answers(terminal, 1)).toEqual([[second, 0]]);
    expect(listener.taken).toEqual([]);
    terminal.sendPart(first, 3);
    expect(await answers(terminal, 1)).toEqual([[third, 0]]);
    expect(listener.taken.map((it) => it.time_ms)).toEqual(timesOf(9));

    const [next = 0] = terminal.sendParts(0x0704, batchOf(timesOf(6, 100)), partBytes, [2]);
    expect(await answers(terminal, 1)).toEqual([[next, 0]]);
  });

  test('a long message of positions whose part is repeated for want of an answer gets it', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.come({ resends: false });
    const [first = 0] = terminal.sendParts(0x0704, batchOf(timesOf(6)), partBytes, [2]);
    terminal.sendPart(first, 1);
    expect(await answers(terminal, 1)).toEqual([[first, 0]]);
  });

  test('a long message of positions has no answer to its last part when it could not be stored, and its repeat is enough', async () => {
    let works = false;
    const listener = await openJt808TestListener(() => (works ? { status: 'stored' } : failed));
    const terminal = await listener.come({ resends: false });
    const [first = 0, second = 0] = terminal.sendParts(0x0704, batchOf(timesOf(6)), partBytes, [2]);
    await settle(terminal);
    listener.clock.advance(pauseMs);
    expect(await answers(terminal, 1)).toEqual([[first, 0]]);
    terminal.sendPart(first, 2);
    await expect.poll(() => listener.taken.length).toBe(6);
    await settle(terminal);
    expect(batchAnswers(terminal)).toHaveLength(1);
    works = true;
    terminal.sendPart(first, 2);
    expect(await answers(terminal, 1)).toEqual([[second, 0]]);
    expect(listener.taken).toHaveLength(12);
  });

  test('a long message of positions of which the last part alone comes again on a new connection is asked for the others', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.come();
    const [first = 0, second = 0] = terminal.sendParts(0x0704, batchOf(timesOf(6)), partBytes, [1]);
    await settle(terminal);
    listener.clock.advance(pauseMs);
    await settle(terminal);
    // An answer to it would stand for the whole.
    expect(batchAnswers(terminal)).toEqual([]);
    listener.clock.advance(pauseMs);
    expect(await answers(terminal, 2)).toEqual([
      [first, 0],
      [second, 0],
    ]);
    expect(listener.taken.map((it) => it.time_ms)).toEqual(timesOf(6));
  });

  test('a long message of positions of which parts come again under new serials is joined of them', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.come({ resends: false });
    const [first = 0] = terminal.sendParts(0x0704, batchOf(timesOf(6)), partBytes, [2]);
    await settle(terminal);
    listener.clock.advance(2 * pauseMs);
    await terminal.next(0x8003);
    const resent = terminal.sendPart(first, 2, true);
    await settle(terminal);
    listener.clock.advance(pauseMs);
    expect(await answers(terminal, 2)).toEqual([
      [first, 0],
      [resent, 0],
    ]);
    expect(listener.taken.map((it) => it.time_ms)).toEqual(timesOf(6));
  });
});

describe('a batch of positions that does not hold what it says', () => {
  const whole = batchOf(timesOf(3));

  test.each([
    ['counts more than there are', batchOf(timesOf(3), 4), 3],
    ['is cut within a position', whole.subarray(0, -1), 2],
    ['is cut between two', whole.subarray(0, -30), 2],
    ['has bytes left over', Buffer.concat([whole, Buffer.of(0)]), 3],
  ])(
    'a batch of positions that does not hold what it says as it %s is not acknowledged, what can be read is stored, the rest recorded',
    async (...said) => {
      const [, body, count] = said;
      const listener = await openJt808TestListener();
      const terminal = await listener.come();
      expect(await terminal.emit(0x0704, body)).toBe(2);
      expect(listener.taken.slice(0, -1).map((it) => it.time_ms)).toEqual(timesOf(count));
      expect(listener.taken.at(-1)).toMatchObject({
        undecodable: expect.stringContaining(`${count} of ${body.readUInt16BE(0)}: not whole`),
        attributes: { hex: body.toString('hex') },
      });
    },
  );

  test('a batch of positions that does not hold what it says with nothing in it, as it says, is acknowledged', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.come();
    expect(await terminal.emit(0x0704, batchOf([]))).toBe(0);
    expect(listener.taken).toEqual([]);
    expect(listener.listener.rejections().undecodable).toBe(0);
  });

  test('a batch of positions that does not hold what it says is recorded as far as there is space for it', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.come();
    expect(await terminal.emit(0x0704, Buffer.alloc(1_020, 0xee))).toBe(2);
    terminal.sendParts(0x0704, Buffer.alloc(10_000, 0xee), 1_000);
    for (let at = 0; at < 10; at += 1) await terminal.next(0x8001);
    const kept = listener.taken.map((it) => String(it.attributes['hex']).length);
    expect(kept).toEqual([2_040, 3_400]);
  });

  test('a batch of positions that does not hold what it says is answered when what can be read is stored, and not at all when it could not be', async () => {
    const listener = await openJt808TestListener(failed);
    const terminal = await listener.come();
    terminal.send(0x0704, batchOf(timesOf(3), 4));
    await expect.poll(() => listener.taken.length).toBe(4);
    await settle(terminal);
    expect(batchAnswers(terminal)).toEqual([]);
  });

  test('a batch of positions that does not hold what it says with parts of another one in it is not stored', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.come({ resends: false });
    // Of the first the second part is lost, of the second the first; the parts do not end with a position.
    const one = terminal.sendParts(0x0704, batchOf(timesOf(6)), 100, [2]);
    await settle(terminal);
    listener.clock.advance(2 * pauseMs);
    await terminal.next(0x8003);
    // The answer to the first part, in case it was waited for.
    expect(await answers(terminal, 1)).toEqual([[one[0], 0]]);
    const other = terminal.sendParts(0x0704, batchOf(timesOf(5, 50)), 100, [1]);
    await settle(terminal);
    listener.clock.advance(pauseMs);
    expect(await answers(terminal, 1)).toEqual([[other[1], 2]]);
    expect(listener.taken).toEqual([]);
    // What is sure of the first one is still here.
    terminal.sendPart(one[0] ?? 0, 2);
    expect(await answers(terminal, 1)).toEqual([[one[1], 0]]);
    expect(listener.taken.map((it) => it.time_ms)).toEqual(timesOf(6));
  });

  test('a batch of positions that does not hold what it says is logged ten times a minute at most', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino(
      { level: 'warn' },
      { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    const listener = await openJt808TestListener({ status: 'stored' }, log);
    const terminal = await listener.come();
    for (let at = 0; at < 15; at += 1) expect(await terminal.emit(0x0704, batchOf(timesOf(3), 4))).toBe(2);
    expect(lines).toHaveLength(10);
    expect(lines[0]).toMatchObject({
      reason: 'undecodable',
      detail: `0x0704 batch of positions of ${terminalId}, 3 of 4: not whole`,
    });
    listener.clock.advance(60_000);
    expect(await terminal.emit(0x0200, Buffer.alloc(5))).toBe(2);
    expect(lines.at(-1)).toMatchObject({
      detail: `0x0200 position of ${terminalId}: not whole`,
      not_logged_before: 5,
    });
  });
});
