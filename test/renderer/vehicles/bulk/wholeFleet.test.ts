import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Route } from '../../../../server/contract/route.ts';
import { maxReportVehicles } from '../../../../server/contract/reportRows.ts';
import type { AppContext } from '../../../../renderer/appContext/appContext.ts';
import { COMMANDS } from '../../../../renderer/commands/commands.ts';
import type { BulkJob } from '../../../../renderer/resources/BulkDialog.tsx';
import { commandJobs } from '../../../../renderer/vehicles/bulk/BulkCommandDialog.tsx';
import { clipJobs, clipsOf } from '../../../../renderer/vehicles/bulk/BulkVideoDialog.tsx';
import { archiveJobs, groupJobs, snoozeJobs } from '../../../../renderer/vehicles/bulk/bulkVehicles.ts';
import {
  archivedSelection,
  archivedVehicles,
  restoreAction,
} from '../../../../renderer/vehicles/manage/archivedVehicles.ts';
import { openSession } from '../../commands/openSession.ts';
import { samplePosition, sampleVehicle } from '../../samples.ts';

const FLEET = 10_000;
const NOON = Date.parse('2026-11-21T12:00:00Z');

const run = (app: AppContext, id: string) => {
  const command = COMMANDS.find((it) => it.id === id) ?? expect.fail(`there is no command ${id}`);
  expect(command.when(app), id).toBe(true);
  command.run(app, command.shortcut ?? '');
};

/** A session on Live with a large fleet, whose server takes what its contract lets it take. */
function openFleet() {
  const { app } = openSession();
  const ids = Array.from({ length: FLEET }, () => randomUUID());
  app.vehicles.put(ids.map((vehicle_id, at) => sampleVehicle({ vehicle_id, name: `V ${at}` })));
  app.positions.take(ids.map((vehicle_id, at) => samplePosition({ vehicle_id, lat: at / 1_000, lon: 13 })));
  app.navigation.go('live');
  run(app, 'select_all');
  const selected = [...app.view.getState().selectedIds];
  expect(new Set(selected)).toEqual(new Set(ids));

  const named: string[] = [];
  const keys: (string | undefined)[] = [];
  const request = (
    route: Route,
    { body, idempotencyKey }: { body: { vehicle_ids: string[] }; idempotencyKey?: string },
  ) => {
    expect(route.body?.safeParse(body).error).toBeUndefined();
    named.push(...body.vehicle_ids);
    keys.push(idempotencyKey);
    return Promise.resolve({ done: body.vehicle_ids, refused: [], not_found: [], without_cameras: [] });
  };
  Object.assign(app, { api: { request } });
  return {
    ...{ app, selected, keys },
    /** The vehicles that the calls of an action name, in their order. */
    namedBy: async (jobs: readonly BulkJob[]): Promise<string[]> => {
      named.length = 0;
      for (const job of jobs) expect(await job.run()).toEqual([]);
      expect(jobs.reduce((sum, it) => sum + it.names.length, 0)).toBe(named.length);
      return [...named];
    },
  };
}

it('each bulk action on 10,000 selected vehicles names each of them once, in calls that the contract takes', async () => {
  const { app, selected, keys, namedBy } = openFleet();
  const group = randomUUID();
  expect(await namedBy(groupJobs(app, selected, [group], 'add'))).toEqual(selected);
  expect(await namedBy(groupJobs(app, selected, [group], 'remove'))).toEqual(selected);
  expect(await namedBy(snoozeJobs(app, selected, { duration_s: 3_600, note: null }))).toEqual(selected);
  keys.length = 0;
  expect(await namedBy(commandJobs(app, selected, { kind: 'position', text: null }, randomUUID()))).toEqual(
    selected,
  );
  const cameras = { channels: [{ channel: 1, name: 'front' }] };
  const { filmed } = clipsOf(selected, new Map(selected.map((id) => [id, cameras])), null);
  const span = { from: NOON, to: NOON + 60_000, channel: null, key: randomUUID() };
  expect(await namedBy(clipJobs(app, filmed, span))).toEqual(selected);
  expect(new Set(keys).size).toBe(keys.length);
  expect(await namedBy(archiveJobs(app, selected))).toEqual(selected);
  expect(app.vehicles.store.getState().byId.size).toBe(0);

  const archived = archivedVehicles(app);
  archived.put(
    selected.map((vehicle_id) => sampleVehicle({ vehicle_id, archived_at: '2026-11-21T12:00:00Z' })),
  );
  app.navigation.go('vehicles', { archived: '1' });
  expect(archivedSelection(app)).toEqual([]);
  archived.checked.setState(new Set(selected), true);
  run(app, 'restore_vehicles');
  expect(await namedBy(restoreAction(app, archivedSelection(app)).jobs([]))).toEqual(selected);
  expect(archivedSelection(app)).toEqual([]);
});

it('what 10,000 selected vehicles are too many for is refused in words, and the rest shows and copies all', () => {
  const { app, selected } = openFleet();
  const copied: string[] = [];
  Object.assign(app.platform, {
    copyText: (text: string) => Promise.resolve(void copied.push(text)),
  });
  for (const id of ['follow', 'bulk_report']) {
    app.toasts.setState({ toast: null });
    run(app, id);
    expect(app.toasts.getState().toast, id).toMatchObject({ isTrouble: true });
  }
  expect(app.navigation.store.getState()).toMatchObject({ place: 'live' });
  run(app, 'locate');
  for (const id of ['copy_link', 'copy_names', 'copy_links']) run(app, id);
  expect(copied.map((text) => text.split('\n').length)).toEqual([FLEET + 1, FLEET, FLEET]);
  for (const id of ['bulk_groups', 'bulk_geofence', 'video', 'snooze', 'terminal_commands']) {
    run(app, id);
    expect(app.view.getState().overlay, id).not.toBeNull();
    app.view.setState({ overlay: null });
  }
  app.view.setState({ selectedIds: new Set(selected.slice(0, maxReportVehicles)) });
  run(app, 'bulk_report');
  expect(app.navigation.store.getState().query['vehicle']?.split(',')).toHaveLength(maxReportVehicles);
  run(app, 'go_live');
  run(app, 'clear_vehicles');
  expect(app.view.getState().selectedIds.size).toBe(0);
});
