import { expect, it } from 'vitest';
import { CONTEXT_MENUS, entriesOf, openVehicleMenu } from '../../../../renderer/commands/contextMenus.ts';
import { COMMANDS } from '../../../../renderer/commands/commands.ts';
import { sumOf } from '../../../../renderer/vehicles/bulk/BulkCommandDialog.tsx';
import { clipsOf } from '../../../../renderer/vehicles/bulk/BulkVideoDialog.tsx';
import { bulkJobs, failuresOf, textOfVehicles } from '../../../../renderer/vehicles/bulk/bulkVehicles.ts';
import { openSession } from '../../commands/openSession.ts';
import { samplePosition, sampleVehicle } from '../../samples.ts';

function open() {
  const { app } = openSession();
  app.vehicles.put([sampleVehicle(), sampleVehicle({ vehicle_id: 'v2', name: '=V\t2', plate: null })]);
  app.positions.take([samplePosition({ lat: 52.5, lon: 13.4 })]);
  app.navigation.go('live');
  return app;
}

it('a bulk action is parted into calls of a bounded number of vehicles, each with its own', async () => {
  const asked: number[] = [];
  const ids = Array.from({ length: 1_201 }, (_, at) => `v${at}`);
  const jobs = bulkJobs(open(), ids, (part) => {
    asked.push(part.length);
    return Promise.resolve([]);
  });
  for (const job of jobs) await job.run();
  expect(asked).toEqual([500, 500, 201]);
  expect(jobs.flatMap((it) => it.names)).toHaveLength(1_201);
});

it('each vehicle that an action left as it was is named with its reason', () => {
  const app = open();
  const refused = [{ code: 'quota_exceeded' as const, detail: 'At most 50.', vehicle_ids: ['v1'] }];
  expect(failuresOf(app, { refused, not_found: ['gone'] }, ['v2'])).toEqual([
    { name: sampleVehicle().name, reason: 'At most 50.' },
    { name: '=V\t2', reason: 'picked.no_cameras' },
    { name: 'vehicle.gone', reason: 'picked.hidden' },
  ]);
});

it('vehicles are copied as a table with tabs that no spreadsheet runs, or as names alone', () => {
  const app = open();
  const [head, ...rows] = textOfVehicles(app, ['v1', 'v2', 'gone'], 'table', app.t)
    .split('\n')
    .map((line) => line.split('\t'));
  expect(head).toHaveLength(5);
  expect(rows.map(([name]) => name)).toEqual(["'=V 2", sampleVehicle().name]);
  expect(rows[1]?.slice(2, 4)).toEqual(['52.500000', '13.400000']);
  expect(rows[1]?.[4]).toContain('vehicle=v1');
  expect(textOfVehicles(app, ['v1'], 'names', app.t)).toBe(sampleVehicle().name);
});

it('who gets a command now, who later and who does not is counted over all calls', () => {
  const refused = (vehicle_ids: string[]) => [
    { code: 'terminal_refused' as const, detail: 'No.', vehicle_ids },
  ];
  expect(
    sumOf([
      { done: ['a', 'b'], waiting: ['b'], refused: refused(['c']), not_found: [] },
      { done: ['d'], waiting: [], refused: refused(['e']), not_found: ['f'] },
    ]),
  ).toMatchObject({ done: 3, waiting: 1, refused: [{ detail: 'No.', count: 2 }], hidden: 1 });
});

it('an order of clips counts the channels that each vehicle has, and names those without cameras', () => {
  const channels = (...all: number[]) => ({
    channels: all.map((channel) => ({ channel, name: `c${channel}` })),
  });
  const cameras = new Map([
    ['a', channels(1, 2)],
    ['b', channels(2)],
  ]);
  expect(clipsOf(['a', 'b', 'c'], cameras, null)).toEqual({
    ...{ filmed: ['a', 'b'], without: ['c'], clips: 3 },
    channels: [
      [1, 'c1'],
      [2, 'c2'],
    ],
  });
  expect(clipsOf(['a', 'b', 'c'], cameras, 1)).toMatchObject({
    filmed: ['a'],
    without: ['b', 'c'],
    clips: 1,
  });
});

it('the context menus hold commands of the one table, and show those that may run with their keys', () => {
  const known = new Set(COMMANDS.map(({ id }) => id));
  const named = Object.values(CONTEXT_MENUS)
    .flat(2)
    .map((item) => (typeof item === 'string' ? item : item[0]));
  expect(named.filter((id) => !known.has(id))).toEqual([]);

  const app = open();
  openVehicleMenu(app, 'v1', { x: 1, y: 2 });
  expect(app.view.getState()).toMatchObject({ vehicleId: 'v1', contextMenu: { x: 1, y: 2 } });
  const keys = new Map(
    entriesOf(app, 'vehicle')
      .flat()
      .map(({ id, keycap }) => [id, keycap]),
  );
  expect([keys.get('follow'), keys.get('copy_link')]).toEqual(['F', 'Ctrl C']);
  expect(keys.has('clear_vehicles')).toBe(false);
});

it('the menu of a selected vehicle is about all that are selected, that of another one about it alone', () => {
  const app = open();
  app.view.setState({ selectedIds: new Set(['v1', 'v2']) });
  openVehicleMenu(app, 'v2', { x: 0, y: 0 });
  const entries = app.view.getState().contextMenu?.sections.flat() ?? [];
  expect(entries.map(({ id }) => id)).toContain('bulk_groups');
  entries.find(({ id }) => id === 'terminal_commands')?.run?.();
  expect(app.view.getState().overlay).toBe('bulk_command');

  openVehicleMenu(app, 'v3', { x: 0, y: 0 });
  expect(app.view.getState()).toMatchObject({ vehicleId: 'v3', selectedIds: new Set() });
});

it.each([
  ['a report', 'bulk_report', 200, { place: 'reports', query: { vehicle: 'v1,v2' } }],
  ['the list of events', 'bulk_events', 64, { place: 'events', query: { view: 'events', vehicle: 'v1,v2' } }],
] as const)(
  '%s is opened for the selected vehicles, of no more than it may name',
  (_, command, most, opened) => {
    const app = open();
    const run = () => COMMANDS.find(({ id }) => id === command)?.run(app, '');
    app.view.setState({ selectedIds: new Set(Array.from({ length: most + 1 }, (_, at) => `v${at}`)) });
    run();
    expect(app.toasts.getState().toast?.isTrouble).toBe(true);
    expect(app.navigation.store.getState().place).toBe('live');
    app.view.setState({ selectedIds: new Set(['v1', 'v2']) });
    run();
    expect(app.navigation.store.getState()).toMatchObject(opened);
  },
);
