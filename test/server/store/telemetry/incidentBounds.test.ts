import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../../server/store/telemetry/database.ts';
import { openIncidents } from '../../../../server/store/telemetry/incidentWrites.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { batch, morning, notification, opening } from './sampleRows.ts';
import { openSampleStore } from './sampleStore.ts';

test('the 201st alarm of a rule and vehicle opens the next incident, which takes those after it', async () => {
  const store = await openSampleStore();
  const ids = Array.from({ length: 203 }, (_, at) => `alarm ${at}`);
  const written = await store.commit(
    batch({
      notifications: ids.map((notification_id) => notification({ notification_id })),
      openings: ids.map((notification_id) =>
        opening({ incident_id: `of ${notification_id}`, notification_id }),
      ),
    }),
  );
  expect(new Set(written.incidents?.map((it) => it.incident_id))).toEqual(
    new Set(['of alarm 0', 'of alarm 200']),
  );
  const rows = await store.incidentsById(['of alarm 0', 'of alarm 200']);
  expect(new Map(rows.map((it) => [it.number, it.alarms.length]))).toEqual(
    new Map([
      [1, 200],
      [2, 3],
    ]),
  );
});

test('where as many incidents are open as may be, alarms go to those of their key alone, but an SOS opens one', async () => {
  const folder = await temporaryFolder();
  await (await openSampleStore({ folder })).close();
  const db = openDatabase(join(folder, 'telemetry.db'), { readOnly: false });
  const open = (incident_id: string, repeat_key: string, opened_by: 'rule' | 'sos' = 'rule') =>
    openIncidents(
      { db, at_ms: morning, by: null },
      [opening({ incident_id, repeat_key, opened_by, notification_id: null })],
      2,
    ).incidents.map((it) => it.number);
  expect([open('a', 'first'), open('b', 'second'), open('c', 'third')]).toEqual([[1], [2], []]);
  expect([open('d', 'first'), open('e', 'sos van', 'sos'), open('f', 'fourth')]).toEqual([[], [3], []]);
  db.close();
});
