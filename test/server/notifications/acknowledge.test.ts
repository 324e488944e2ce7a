import { describe, expect, it } from 'vitest';
import { createAcknowledger } from '../../../server/notifications/acknowledge.ts';
import { createRecentNotifications } from '../../../server/notifications/recentNotifications.ts';
import type { NotificationRow } from '../../../server/store/telemetry/rows.ts';
import { notificationRow } from './rows.ts';

const ack = { user_id: 'u', at_ms: 7, note: null };

/** A store of rows in memory, and a gate that holds changes back until it is opened. */
function rig(...initial: NotificationRow[]) {
  const rows = new Map(initial.map((row) => [row.notification_id, row]));
  const steps: string[] = [];
  const gate = Promise.withResolvers<undefined>();
  let failure: Error | null = null;
  const recent = createRecentNotifications(initial, { now: () => 0 });
  const acknowledge = createAcknowledger({
    store: {
      notificationsById: (ids) => {
        steps.push('read');
        return Promise.resolve(ids.flatMap((id) => rows.get(id) ?? []));
      },
      saveNotifications: (changed) => {
        steps.push('save');
        if (failure !== null) return Promise.reject(failure);
        for (const row of changed) rows.set(row.notification_id, row);
        return Promise.resolve({ changes: [] });
      },
    },
    recent,
    between: async (change) => {
      await gate.promise;
      return change();
    },
    onSaved: () => steps.push('published'),
  });
  return { rows, steps, gate, recent, acknowledge, fail: (error: Error) => (failure = error) };
}

describe('an acknowledgement', () => {
  it('an acknowledgement reads and writes only between two batches, so that a count of the engine is not lost', async () => {
    const row = notificationRow({ count: 1 });
    const { rows, steps, gate, acknowledge } = rig(row);
    const waiting = acknowledge([row.notification_id], ack, 7);
    rows.set(row.notification_id, { ...row, count: 2 });
    expect(steps).toEqual([]);
    gate.resolve(undefined);
    expect([...(await waiting).values()]).toEqual([
      { row: { ...row, count: 2, state: 'acknowledged', ack, updated_ms: 7 }, isNew: true },
    ]);
    expect(steps).toEqual(['read', 'save', 'published']);
  });

  it('an acknowledgement writes nothing when nothing is open', async () => {
    const row = notificationRow({ state: 'acknowledged', ack: { ...ack, user_id: 'other' } });
    const { steps, gate, acknowledge } = rig(row);
    gate.resolve(undefined);
    const found = await acknowledge([row.notification_id, 'gone'], ack, 7);
    expect([...found.values()]).toEqual([{ row, isNew: false }]);
    expect(steps).toEqual(['read']);
  });

  it('an acknowledgement publishes nothing when the store fails', async () => {
    const row = notificationRow();
    const { steps, gate, recent, acknowledge, fail } = rig(row);
    gate.resolve(undefined);
    fail(new Error('disk'));
    await expect(acknowledge([row.notification_id], ack, 7)).rejects.toThrow('disk');
    expect(steps).toEqual(['read', 'save']);
    expect(recent.withEvent(row.event_ids[0] ?? '')).toEqual([row]);
  });
});
