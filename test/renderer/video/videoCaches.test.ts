import { expect, test } from 'vitest';
import type { Position } from '../../../server/contract/positions.ts';
import type { Api } from '../../../renderer/api/client.ts';
import { createTrackCache, MARGIN_MS } from '../../../renderer/video/videoCaches.ts';
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
