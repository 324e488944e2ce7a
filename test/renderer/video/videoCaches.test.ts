import { expect, test } from 'vitest';
import type { Position } from '../../../server/contract/positions.ts';
import type { Api } from '../../../renderer/api/client.ts';
import { createEventCache, createTrackCache, MARGIN_MS } from '../../../renderer/video/videoCaches.ts';
import { trackFix } from './player/trackFix.ts';

const span = { vehicleId: 'v1', from: 1_000, to: 31_000 };

/** A depot that answers when the test says so. */
function setUp(now: number) {
  const asked: ((positions: readonly Position[]) => void)[] = [];
  const api = {
    read: () => new Promise((resolve) => asked.push((positions) => resolve({ vehicle_id: 'v1', positions }))),
  } as unknown as Api;
  const time = { now };
  return { book: createTrackCache(api, () => time.now), asked, time };
}

test('the track cache reads a period once that is over, its margin too', async () => {
  const { book, asked } = setUp(span.to + MARGIN_MS);
  const reads = [book.read(span), book.read(span)];
  asked[0]?.([trackFix(20)]);
  expect(await Promise.all(reads)).toEqual([[trackFix(20)], [trackFix(20)]]);
  await book.read(span);
  expect(asked).toHaveLength(1);
});

test('the track cache does not take what was asked for while a period was going on for the whole of it', async () => {
  const { book, asked, time } = setUp(span.to);
  const early = book.read(span);
  time.now = span.to + MARGIN_MS;
  const whole = book.read(span);
  asked[1]?.([trackFix(20), trackFix(30)]);
  asked[0]?.([trackFix(20)]);
  expect([await early, await whole]).toEqual([[trackFix(20)], [trackFix(20), trackFix(30)]]);
  expect(await book.read(span)).toHaveLength(2);
  expect(asked).toHaveLength(2);
});

test('the track cache keeps those that were looked at last', async () => {
  const { book, asked } = setUp(Number.MAX_SAFE_INTEGER);
  const read = (from: number) => {
    const reading = book.read({ ...span, from, to: from + 30_000 });
    asked.at(-1)?.([]);
    return reading;
  };
  for (let at = 0; at < 50; at++) await read(at);
  await read(0);
  expect(asked).toHaveLength(50);
  await read(50);
  await read(0);
  expect(asked).toHaveLength(51);
  await read(1);
  expect(asked).toHaveLength(52);
});

test('the event cache keeps the newest ones, and reads others again when they are asked for', async () => {
  const asked: string[][] = [];
  const api = {
    request: (_: unknown, { query }: { query: { ids: string[] } }) => {
      asked.push(query.ids);
      return Promise.resolve({ items: query.ids.map((event_id) => ({ event_id })) });
    },
  } as unknown as Api;
  const events = createEventCache(api);
  const want = async (ids: string[]) => {
    events.want(ids);
    await Promise.resolve();
    await Promise.resolve();
  };
  const ids = Array.from({ length: 10_050 }, (_, at) => `e${at}`);
  await want(ids);
  expect(events.store.getState().byId.size).toBe(10_000);
  expect(events.store.getState().byId.has('e49')).toBe(false);
  const before = asked.length;
  await want(['e50', 'e10049']);
  expect(asked).toHaveLength(before);
  await want(['e49']);
  expect(asked.at(-1)).toEqual(['e49']);
});
