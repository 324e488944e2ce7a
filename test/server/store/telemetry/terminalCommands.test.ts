import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from '../../../../server/store/telemetry/schema.ts';
import {
  openTerminalCommandsSql,
  terminalCommandsSql,
} from '../../../../server/store/telemetry/terminalsTables.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { morning, terminalCommand } from './sampleRows.ts';
import { makeOlder, openSampleStore, pruneAll } from './sampleStore.ts';

const day = 86_400_000;

test('commands come back as they were written, and a change takes the place of what was', async () => {
  const store = await openSampleStore();
  const text = terminalCommand();
  const position = terminalCommand({
    ...{ command_id: 'other', kind: 'position', text: null, created_ms: morning + 1 },
  });
  const saved = await store.saveTerminalCommands([text, position]);
  expect(saved.changes).toMatchObject([
    { topic: 'command', resource_id: 'command', visible_to: null },
    { topic: 'command', resource_id: 'other', visible_to: null },
  ]);
  expect(await store.openTerminalCommands()).toEqual([text, position]);

  const ended = terminalCommand({
    ...{
      status: 'failed',
      protocol: 'jt808',
      response: 'nein',
      sent_ms: morning + 2,
      completed_ms: morning + 3,
    },
    error: { code: 'terminal_refused', detail: 'Er mag nicht – 不行.' },
  });
  await store.saveTerminalCommands([ended]);
  expect(await store.openTerminalCommands()).toEqual([position]);
  expect(await store.terminalCommandsById(['command', 'nobody'])).toEqual([ended]);
});

test('the commands of a vehicle are listed in pages from new to old', async () => {
  const store = await openSampleStore();
  const rows = Array.from({ length: 7 }, (_, at) =>
    terminalCommand({ command_id: `command ${at}`, created_ms: morning + Math.floor(at / 2) }),
  );
  await store.saveTerminalCommands([...rows, terminalCommand({ command_id: 'bus', vehicle_id: 'bus' })]);
  const newestFirst = [...rows].reverse();
  expect(await store.terminalCommands({ vehicle_id: 'van', limit: 4 })).toEqual(newestFirst.slice(0, 4));
  const last = newestFirst[3];
  const before = { ms: last?.created_ms ?? 0, id: last?.command_id ?? '' };
  expect(await store.terminalCommands({ vehicle_id: 'van', limit: 4, before })).toEqual(newestFirst.slice(4));
});

test('old commands are pruned by their end, and those without one stay', async () => {
  const store = await openSampleStore();
  await store.saveTerminalCommands([
    terminalCommand({ command_id: 'old', status: 'expired', completed_ms: morning }),
    terminalCommand({ command_id: 'new', status: 'expired', completed_ms: morning + day }),
    terminalCommand({ command_id: 'waiting' }),
  ]);
  expect(await pruneAll(store, { events_ms: morning + day })).toMatchObject({ deleted: 1 });
  const left = await store.terminalCommands({ vehicle_id: 'van', limit: 9 });
  expect(left.map((row) => row.command_id)).toEqual(['waiting', 'new']);
});

test('a purged vehicle leaves none behind', async () => {
  const store = await openSampleStore();
  const bus = terminalCommand({ command_id: 'bus', vehicle_id: 'bus' });
  await store.saveTerminalCommands([terminalCommand(), bus]);
  await store.forgetVehicle('van');
  expect(await store.openTerminalCommands()).toEqual([bus]);
});

test.each([
  ['those of a vehicle', terminalCommandsSql, 'terminal_commands_by_vehicle (vehicle_id=? AND created_ms<?)'],
  ['those that wait', openTerminalCommandsSql, 'terminal_commands_by_end (completed_ms=?)'],
  [
    'old ones',
    'SELECT command_id FROM terminal_commands WHERE completed_ms < 1 ORDER BY completed_ms',
    'by_end (completed_ms<?)',
  ],
])('%s are found by an index, in their order', (_, sql, expected) => {
  const db = new DatabaseSync(':memory:');
  for (const migration of migrations) db.exec(migration.sql);
  const plan = db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map((line) => String(line.detail));
  db.close();
  expect(plan.join('\n')).toContain(expected);
  expect(plan.filter((line) => line.startsWith('SCAN') || line.includes('TEMP B-TREE'))).toEqual([]);
});

test('a database from before there were commands is brought to the newest with all that it holds', async () => {
  const folder = await temporaryFolder();
  makeOlder(folder, 5, (db) => {
    db.exec(`
      INSERT INTO vehicle_ids (vehicle_id) VALUES ('van');
      INSERT INTO vehicle_states SELECT vehicle, '1' FROM vehicle_ids;
      INSERT INTO events (event_id, kind, vehicle_id, time_ms, received_ms, late, "values")
        VALUES ('event', 'overspeed', 'van', 1, 1, 0, '{}');
    `);
  });
  const file = join(folder, 'telemetry.db');
  const db = new DatabaseSync(file);
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 5 });
  db.close();
  const store = await openSampleStore({ folder });
  expect(await store.openTerminalCommands()).toEqual([]);
  expect(await store.vehicleStates()).toEqual([{ vehicle_id: 'van', state: '1' }]);
  expect((await store.events({ limit: 9 })).map((row) => row.event_id)).toEqual(['event']);
  await store.saveTerminalCommands([terminalCommand()]);
  expect(await store.openTerminalCommands()).toHaveLength(1);
});
