import { describe, expect, it } from 'vitest';
import type { SharedVehicle } from '../../../server/contract/shares.ts';
import type { Api } from '../../../renderer/api/client.ts';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import { createSharedVehicle } from '../../../renderer/shares/sharedVehicle.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const seen = (lat: number, more: Partial<SharedVehicle> = {}): SharedVehicle => ({
  ...{ depot: 'Depot', vehicle: 'V 1', plate: null, driver: null, withheld: false, status: 'moving' },
  position: { time: `2026-11-21T12:00:${lat}.000Z`, lat, lon: 24, speed_kmh: 40, course_deg: 90 },
  ...{ address: null, expires_at: '2026-11-21T16:00:00.000Z' },
  ...more,
});

function problem(code: 'not_found' | 'rate_limited', retryAfterS: number | null): ApiProblem {
  const status = code === 'not_found' ? 404 : 429;
  return new ApiProblem({ type: '', title: '', status, detail: '', code, request_id: '' }, retryAfterS);
}

/** Answers reading after reading. */
const pageOf = (...answers: (SharedVehicle | Error)[]) => pageAt('token', answers);
function pageAt(token: string, answers: (SharedVehicle | Error)[]) {
  const clock = createFakeClock();
  const asked: string[] = [];
  const api = {
    request: (route: { id: string }) => {
      asked.push(route.id);
      if (route.id === 'listSharedMaps') return Promise.resolve({ version: 1, items: [] });
      const answer = answers.shift();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  } as unknown as Api;
  const shared = createSharedVehicle({ api, clock, token });
  shared.start();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...shared,
    asked,
    settle,
    async later(ms: number) {
      clock.advance(ms);
      await settle();
    },
  };
}

describe('the page of a link', () => {
  it('the page of a link reads the vehicle again and again, and draws the way that it came meanwhile', async () => {
    const page = pageOf(seen(10), seen(10), seen(11));
    await page.settle();
    expect(page.store.getState()).toMatchObject({ phase: 'shown', lost: false });
    await page.later(15_000);
    await page.later(15_000);
    expect(page.store.getState().trail.map(({ lat }) => lat)).toEqual([10, 11]);
    expect(page.asked).toEqual(['openShare', 'listSharedMaps', 'openShare', 'openShare']);
  });

  it('the page of what is no link says so, and asks the server nothing', async () => {
    for (const token of ['', '..', 'abc%20', 'a/b', 'a'.repeat(65)]) {
      const page = pageAt(token, [seen(10)]);
      await page.settle();
      expect(page.store.getState().phase).toBe('gone');
      expect(page.asked).toEqual([]);
    }
  });

  it('the page of a link forgets the way once the place is withheld', async () => {
    const page = pageOf(seen(10), seen(11, { withheld: true, position: null }));
    await page.settle();
    await page.later(15_000);
    expect(page.store.getState()).toMatchObject({ phase: 'shown', trail: [] });
  });

  it('the page of a link keeps what it has while the server is away, and waits as long as it is asked to', async () => {
    const page = pageOf(seen(10), new Unreachable('gone'), problem('rate_limited', 40), seen(11));
    await page.settle();
    await page.later(15_000);
    expect(page.store.getState()).toMatchObject({ lost: true, vehicle: { vehicle: 'V 1' } });
    await page.later(15_000);
    await page.later(39_000);
    expect(page.store.getState().lost).toBe(true);
    await page.later(1_000);
    expect(page.store.getState()).toMatchObject({ lost: false, vehicle: { position: { lat: 11 } } });
  });

  it('the page of a link says that the link has ended, and asks no more', async () => {
    const page = pageOf(seen(10), problem('not_found', null));
    await page.settle();
    await page.later(15_000);
    expect(page.store.getState()).toMatchObject({ phase: 'gone', vehicle: null, trail: [] });
    const { length } = page.asked;
    await page.later(600_000);
    expect(page.asked).toHaveLength(length);
  });
});
