import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Incident } from '../../../server/contract/incidents.ts';
import type { Notification } from '../../../server/contract/notifications.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { forgetPast } from '../../../renderer/appContext/forgetPast.ts';
import { createServerTime } from '../../../renderer/clock/serverTime.ts';
import { createResourceStore } from '../../../renderer/resources/resourceStore.ts';
import { createSettingsStore } from '../../../renderer/settings/settingsStore.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { sampleIncident, sampleNotification } from '../samples.ts';

const today = '2026-11-21T09:00:00.000Z';
const yesterday = '2026-11-20T09:00:00.000Z';

const alarm = (notification_id: string, fields: Partial<Notification>) =>
  sampleNotification({ notification_id, updated_at: yesterday, ongoing_until: yesterday, ...fields });
const incident = (incident_id: string, fields: Partial<Incident>) =>
  sampleIncident({ incident_id, ...fields });

test('the console lets go of what was over before today, but for what is looked at', () => {
  const clock = createFakeClock(Date.parse('2026-11-21T12:00:00.000Z'));
  const notifications = createResourceStore<Notification>({
    idOf: (it) => it.notification_id,
    isOlder: () => false,
  });
  const incidents = createResourceStore<Incident>({ idOf: (it) => it.incident_id, isOlder: () => false });
  notifications.put([
    alarm('open', { state: 'open' }),
    alarm('taken today', { state: 'acknowledged', updated_at: today }),
    alarm('goes on', { state: 'acknowledged', ongoing_until: null }),
    alarm('selected', { state: 'acknowledged' }),
    alarm('past', { state: 'acknowledged' }),
  ]);
  incidents.put([
    incident('open', { status: 'open', closed_at: null }),
    incident('closed today', { status: 'closed', closed_at: today }),
    incident('shown', { status: 'closed', closed_at: yesterday }),
    incident('past', { status: 'closed', closed_at: yesterday }),
  ]);
  const stop = forgetPast({
    ...{
      clock,
      notifications,
      incidents,
      serverTime: createServerTime(clock),
      settings: createSettingsStore(),
    },
    view: createStore(() => ({ notificationId: 'selected' })),
    navigation: { store: createStore(() => ({ place: 'incidents', query: { id: 'shown' } })) },
  } as unknown as AppContext);
  clock.advance(600_000);
  const held = () => [
    ...notifications.store.getState().byId.keys(),
    ...incidents.store.getState().byId.keys(),
  ];
  expect(held()).toEqual([
    ...['open', 'taken today', 'goes on', 'selected'],
    ...['open', 'closed today', 'shown'],
  ]);

  // It is known again by whatever has it.
  notifications.put([alarm('past', { state: 'open' })]);
  expect(held()).toContain('past');
  stop();
  clock.advance(86_400_000);
  expect(held()).toContain('taken today');
});
