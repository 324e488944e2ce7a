import { expect, it, vi } from 'vitest';
import { reportLayoutRoutes, type ReportLayout } from '../../../server/contract/reportLayouts.ts';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import { createReportLayouts, layoutOf } from '../../../renderer/reports/reportLayouts.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createMemoryStorage } from '../memoryStorage.ts';

/** A server with the layouts of one user, which may be lost. */
function startServer() {
  const server = { version: 3, layouts: {} as Record<string, ReportLayout>, isLost: false, puts: 0 };
  const answer = () => Promise.resolve({ version: server.version, layouts: server.layouts });
  return {
    server,
    api: {
      request(route: unknown, asked: { body?: { layouts: typeof server.layouts }; ifMatch?: number } = {}) {
        if (server.isLost) return Promise.reject(new Unreachable('the server is lost'));
        if (route !== reportLayoutRoutes.put) return answer();
        server.puts += 1;
        if (asked.ifMatch !== server.version)
          return Promise.reject(new ApiProblem({ code: 'version_conflict', status: 412 } as never, null));
        server.version += 1;
        server.layouts = asked.body?.layouts ?? {};
        return answer();
      },
    },
  };
}

function openLayouts({ api }: ReturnType<typeof startServer>, storage = createMemoryStorage()) {
  const onNotSaved = vi.fn();
  const layouts = createReportLayouts({
    ...{ api: api as never, clock: createFakeClock(), storage, userId: 'anna', onNotSaved },
  });
  layouts.start();
  return { ...layouts, onNotSaved, of: (kind: string) => layoutOf(layouts.store.getState(), kind) };
}

it('a layout is shown at once, saved on the server, and read by another workstation', async () => {
  const depot = startServer();
  const here = openLayouts(depot);
  here.change('trips', { columns: ['vehicle', 'distance'] });
  here.change('trips', { group_by: 'day' });
  here.change('stops', { sort: { column: 'duration', desc: true } });
  const expected = { columns: ['vehicle', 'distance'], sort: null, group_by: 'day' };
  expect(here.of('trips')).toEqual(expected);
  await vi.waitFor(() =>
    expect(depot.server.layouts['stops']?.sort).toEqual({ column: 'duration', desc: true }),
  );
  expect(depot.server.layouts['trips']).toEqual(expected);

  const there = openLayouts(depot);
  await vi.waitFor(() => expect(there.of('trips')).toEqual(expected));
  // This one does not know of the change there.
  there.change('visits', { group_by: 'week' });
  await vi.waitFor(() => expect(depot.server.layouts['visits']?.group_by).toBe('week'));
  here.change('trips', { columns: null });
  await vi.waitFor(() => expect(depot.server.layouts['trips']?.columns).toBeNull());
  expect(here.of('visits').group_by).toBe('week');
  expect(here.onNotSaved).not.toHaveBeenCalled();
});

it('a layout that the server does not take holds on the screen, says so, and is saved with the next change', async () => {
  const depot = startServer();
  const here = openLayouts(depot);
  depot.server.isLost = true;
  here.change('trips', { group_by: 'month' });
  await vi.waitFor(() => expect(here.onNotSaved).toHaveBeenCalledTimes(1));
  expect(here.of('trips').group_by).toBe('month');
  depot.server.isLost = false;
  here.change('stops', { group_by: 'vehicle' });
  await vi.waitFor(() => expect(Object.keys(depot.server.layouts).sort()).toEqual(['stops', 'trips']));
});

it('a layout that was not saved when its page went is saved by the next one', async () => {
  const depot = startServer();
  const storage = createMemoryStorage();
  depot.server.isLost = true;
  openLayouts(depot, storage).change('trips', { group_by: 'day' });
  depot.server.isLost = false;
  const next = openLayouts(depot, storage);
  expect(next.of('trips').group_by).toBe('day');
  await vi.waitFor(() => expect(depot.server.layouts['trips']?.group_by).toBe('day'));
});
