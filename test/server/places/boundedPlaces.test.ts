import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { LatLon } from '../../../server/contract/coordinates.ts';
import type { Place } from '../../../server/contract/places.ts';
import { createPlacesWithin } from '../../../server/places/boundedPlaces.ts';
import type { WorkAsk } from '../../../server/workerChannel.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { placeCalled } from '../../support/namedPlaces.ts';

const budget = { wait_ms: 2_000, points: 1_000 };
const pointAt = (lat: number): LatLon => ({ lat, lon: 1 });
const nameAll = (points: readonly LatLon[]) =>
  Promise.resolve(points.map(({ lat }) => placeCalled(`S ${lat}`)));
const textsOf = (places: readonly (Place | null)[]) => places.map((it) => it?.text ?? null);

function open(of: (points: readonly LatLon[], ask: WorkAsk) => Promise<(Place | null)[]>) {
  const clock = createFakeClock();
  const asked: number[] = [];
  const abort = new AbortController();
  const within = createPlacesWithin({
    places: {
      of(points, ask) {
        asked.push(points.length);
        return of(points, ask);
      },
    },
    clock,
    log: pino({ level: 'silent' }),
  });
  const name = (more: Partial<typeof budget> = {}) =>
    within({ ...budget, ...more }, { user_id: 'ann', signal: abort.signal });
  return { clock, asked, abort, name };
}

describe('addresses for work that must not wait for them', () => {
  it('points are named in their order, each place once, in orders of 250', async () => {
    const { asked, name } = open(nameAll);
    const namePlaces = name();
    const points = [...Array.from({ length: 300 }, (_, i) => pointAt(i / 10)), null, pointAt(0)];
    expect(textsOf(await namePlaces(points))).toEqual(points.map((it) => it && `S ${it.lat}`));
    expect(textsOf(await namePlaces([pointAt(3), null]))).toEqual(['S 3', null]);
    expect(asked).toEqual([250, 50]);
  });

  it('points beyond the budget are not asked for', async () => {
    const { asked, name } = open(nameAll);
    const namePlaces = name({ points: 2 });
    expect(textsOf(await namePlaces([1, 2, 3].map(pointAt)))).toEqual(['S 1', 'S 2', null]);
    expect(textsOf(await namePlaces([pointAt(4), pointAt(2)]))).toEqual([null, 'S 2']);
    expect(asked).toEqual([2]);
  });

  it('a busy thread is waited for until the time is spent, and not asked again', async () => {
    const { clock, asked, name } = open(() => new Promise(() => undefined));
    const namePlaces = name();
    const named = namePlaces([pointAt(1)]);
    clock.advance(2_000);
    expect(await named).toEqual([null]);
    expect(await namePlaces([pointAt(2)])).toEqual([null]);
    expect(asked).toEqual([1]);
  });

  it('the time of all orders counts together', async () => {
    const { clock, asked, name } = open((points) => {
      clock.advance(1_500);
      return nameAll(points);
    });
    const named = await name()(Array.from({ length: 600 }, (_, i) => pointAt(i / 10)));
    // The second order ran out of time in the middle.
    expect([asked, named.filter((it) => it !== null).length]).toEqual([[250, 250], 250]);
  });

  it('points stay without an address where the thread fails, and the work goes on', async () => {
    const { name } = open(() => Promise.reject(new Error('the queue is full')));
    expect(await name()([pointAt(1), null])).toEqual([null, null]);
  });

  it('a caller who is gone ends it with the reason', async () => {
    const { abort, name } = open(
      (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    );
    const named = name()([pointAt(1)]);
    abort.abort(new Error('the client is gone'));
    await expect(named).rejects.toThrow('the client is gone');
  });
});
