import { expect, it, vi } from 'vitest';
import { preferenceRoutes, type Preferences } from '../../../server/contract/preferences.ts';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import { createUserPreferences } from '../../../renderer/settings/userPreferences.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createMemoryStorage } from '../memoryStorage.ts';

/** A server with the preferences of one user. */
function startServer() {
  const server = {
    version: 1,
    preferences: {} as Preferences & { of_later?: number[] },
    refuses: null as Error | null,
    changed: new Set<() => void>(),
  };
  const answer = () => Promise.resolve({ version: server.version, preferences: server.preferences });
  return {
    server,
    request(route: unknown, asked: { body?: { preferences: Preferences }; ifMatch?: number } = {}) {
      if (server.refuses !== null) return Promise.reject(server.refuses);
      if (route !== preferenceRoutes.put) return answer();
      if (asked.ifMatch !== server.version)
        return Promise.reject(new ApiProblem({ code: 'version_conflict', status: 412 } as never, null));
      server.version += 1;
      server.preferences = JSON.parse(JSON.stringify(asked.body?.preferences)) as Preferences;
      server.changed.forEach((run) => run());
      return answer();
    },
  };
}

function open(depot: ReturnType<typeof startServer>, storage = createMemoryStorage()) {
  const { server, ...api } = depot;
  const onNotSaved = vi.fn();
  const clock = createFakeClock();
  const stream = {
    on(topic: string, handle: (message: { user_id: string }) => void) {
      const run = () => handle({ user_id: 'anna' });
      if (topic === 'user') server.changed.add(run);
      return () => server.changed.delete(run);
    },
  };
  const preferences = createUserPreferences({
    ...{ api: api as never, clock, storage, stream: stream as never, userId: 'anna', onNotSaved },
  });
  const stop = preferences.start();
  return { ...preferences, stop, clock, storage, onNotSaved, now: () => preferences.store.getState() };
}

it('a preference holds at once, is saved, and reaches the other windows of the user by the stream', async () => {
  const depot = startServer();
  const [here, there] = [open(depot), open(depot)];
  await Promise.all([here.known(), there.known()]);
  here.change({ language: 'de' });
  expect(here.now()).toEqual({ language: 'de' });
  await vi.waitFor(() => expect(there.now()).toEqual({ language: 'de' }));
  there.change({ language: undefined });
  await vi.waitFor(() => expect(here.now()).toEqual({}));
  expect(depot.server.preferences).toEqual({});
});

it('of two windows that change preferences at the same time both changes hold, and fields of later versions stay', async () => {
  const depot = startServer();
  depot.server.preferences = { of_later: [1] };
  const [here, there] = [open(depot), open(depot)];
  here.change({ language: 'ru' });
  there.change({ distance_unit: 'mi' });
  const both = { language: 'ru', distance_unit: 'mi', of_later: [1] };
  await vi.waitFor(() =>
    expect([depot.server.preferences, here.now(), there.now()]).toEqual([both, both, both]),
  );
});

it('a preference that is changed while the server is lost holds, says so once, and is saved when it is back', async () => {
  const depot = startServer();
  const here = open(depot);
  await here.known();
  depot.server.refuses = new Unreachable('the server is lost');
  here.change({ hour_cycle: 'h12' });
  await vi.waitFor(() => expect(here.onNotSaved).toHaveBeenCalledTimes(1));
  here.clock.advance(60_000);
  expect(here.now()).toEqual({ hour_cycle: 'h12' });
  depot.server.refuses = null;
  await vi.waitFor(() => {
    here.clock.advance(60_000);
    expect(depot.server.preferences).toEqual({ hour_cycle: 'h12' });
  });
  expect(here.onNotSaved).toHaveBeenCalledTimes(1);
});

it('a preference that the server refuses is taken back', async () => {
  const depot = startServer();
  const here = open(depot);
  await here.known();
  depot.server.refuses = new ApiProblem({ code: 'validation_failed', status: 400 } as never, null);
  here.change({ language: 'es' });
  await vi.waitFor(() => expect(here.onNotSaved).toHaveBeenCalledTimes(1));
  expect(here.now()).toEqual({});
});

it('the preferences that this computer had last are known before the server answers', async () => {
  const depot = startServer();
  depot.server.preferences = { language: 'zh' };
  const first = open(depot);
  await first.known();
  first.stop();
  depot.server.refuses = new Unreachable('the server is lost');
  const second = open(depot, first.storage);
  expect(second.now()).toEqual({ language: 'zh' });
  await second.known();
});

const CHANGED = 'user_preferences.anna.changed';

it('a preference that was not saved when its page went is saved by the next one, and is not kept any longer', async () => {
  const depot = startServer();
  depot.server.preferences = { language: 'zh', hour_cycle: 'h12' };
  const first = open(depot);
  await first.known();
  depot.server.refuses = new Unreachable('the server is lost');
  first.change({ language: undefined, distance_unit: 'mi' });
  await vi.waitFor(() => expect(first.onNotSaved).toHaveBeenCalled());
  first.stop();

  depot.server.refuses = null;
  const second = open(depot, first.storage);
  const expected = { hour_cycle: 'h12', distance_unit: 'mi' };
  expect(second.now()).toEqual(expected);
  await vi.waitFor(() => expect(depot.server.preferences).toEqual(expected));
  await vi.waitFor(() => expect(first.storage.read(CHANGED)).toBeNull());
});

it('what another page left is not saved again after a third one has changed and saved it', () => {
  const depot = startServer();
  const storage = createMemoryStorage();
  storage.write(CHANGED, '{"language":"ru","time_zone":"Nowhere/None"}');
  depot.server.refuses = new Unreachable('the server is lost');
  const here = open(depot, storage);
  expect(here.now()).toEqual({ language: 'ru' });
  storage.writeElsewhere(CHANGED, '{"language":"de"}');
  expect(here.now()).toEqual({ language: 'de' });
  storage.writeElsewhere(CHANGED, '{}');
  expect(here.now()).toEqual({});
  here.change({ language: 'es' });
  storage.writeElsewhere(CHANGED, '{}');
  expect(here.now()).toEqual({ language: 'es' });
});
