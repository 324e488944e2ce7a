import { expect, test } from 'vitest';
import type { Position } from '../../../../server/contract/positions.ts';
import { Unreachable } from '../../../../renderer/api/errors.ts';
import type { LinkState } from '../../../../renderer/stream/streamReader.ts';
import { readTrack, type TrackLoad } from '../../../../renderer/video/player/readTrack.ts';
import type { CachedContext } from '../../../../renderer/video/store/cachedContext.ts';
import { MARGIN_MS } from '../../../../renderer/video/videoCaches.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { trackFix } from './trackFix.ts';

const END = Date.UTC(2026, 10, 21, 12);
const span = { vehicleId: 'v1', from: END - 60_000, to: END };

/** A depot that has so much of a track, or does not answer. */
function setUp({
  sinceEndMs,
  track = [trackFix(20)],
  kept = null,
}: {
  sinceEndMs: number;
  track?: readonly Position[] | null;
  kept?: CachedContext | null;
}) {
  const clock = createFakeClock(END + sinceEndMs);
  const depot = { track, reads: 0 };
  const links = new Set<(link: LinkState) => void>();
  const loads: TrackLoad[] = [];
  const stop = readTrack(
    {
      tracks: {
        read: () => {
          depot.reads += 1;
          return depot.track === null
            ? Promise.reject(new Unreachable('lost'))
            : Promise.resolve(depot.track);
        },
      },
      clips: { moment: () => Promise.resolve(kept) },
      stream: {
        onLink(handle) {
          links.add(handle);
          return () => links.delete(handle);
        },
      },
      clock,
      now: () => clock.now(),
    },
    span,
    (load) => loads.push(load),
  );
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const live = () => links.forEach((handle) => handle({ phase: 'live', since: END, lostBefore: null }));
  return { clock, depot, loads, stop, settle, live };
}

const fresh = (...positions: Position[]): TrackLoad => ({ phase: 'ready', positions, isFresh: true });

test('the track reader reads the track of a moment just past once more, when its last fixes have come', async () => {
  const { clock, depot, loads, settle } = setUp({ sinceEndMs: 5_000 });
  await settle();
  depot.track = [trackFix(20), trackFix(50)];
  clock.advance(MARGIN_MS - 5_001);
  expect(depot.reads).toBe(1);
  clock.advance(60_000);
  await settle();
  expect(loads).toEqual([fresh(trackFix(20)), fresh(trackFix(20), trackFix(50))]);
  expect(depot.reads).toBe(2);
});

test('the track reader reads the track of an older moment once, and nothing after its end', async () => {
  const older = setUp({ sinceEndMs: MARGIN_MS });
  const left = setUp({ sinceEndMs: 0 });
  left.stop();
  older.clock.advance(600_000);
  left.clock.advance(600_000);
  await older.settle();
  expect([older.depot.reads, left.depot.reads, left.loads]).toEqual([1, 1, []]);
});

test('the track reader keeps what it has when the second read fails, and reads again with the next link', async () => {
  const { clock, depot, loads, settle, live } = setUp({ sinceEndMs: 0 });
  await settle();
  depot.track = null;
  clock.advance(MARGIN_MS);
  await settle();
  expect(loads).toEqual([fresh(trackFix(20))]);
  depot.track = [trackFix(20), trackFix(50)];
  live();
  await settle();
  expect(loads.at(-1)).toEqual(fresh(trackFix(20), trackFix(50)));
});

test('the track reader shows the data cached with the clips where the depot does not answer', async () => {
  const kept = { positions: [trackFix(20)], events: [] };
  const { depot, loads, settle, live } = setUp({ sinceEndMs: MARGIN_MS, track: null, kept });
  await settle();
  expect(loads).toEqual([{ phase: 'ready', ...kept, isFresh: false }]);
  depot.track = [trackFix(20), trackFix(50)];
  live();
  await settle();
  expect(loads.at(-1)).toEqual(fresh(trackFix(20), trackFix(50)));
});
