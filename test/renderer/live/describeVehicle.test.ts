import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Notification } from '../../../server/contract/notifications.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { describeVehicle, labelledAlarm } from '../../../renderer/live/feedMap.ts';
import type { MapVehicle } from '../../../renderer/map/vehicles/vehicleFeatures.ts';
import { createResourceStore } from '../../../renderer/resources/resourceStore.ts';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import { sampleNotification } from '../samples.ts';

const VEHICLES = 100;
const EACH = 20;

const drawn = (id: string): MapVehicle => ({
  ...{ id, name: id, lat: 52, lon: 13, course_deg: null, speed_kmh: 50 },
  ...{ state: 'moving', severity: 'alarm', acknowledged: false, label: null, stale: false },
});

function setUp() {
  const notifications = createResourceStore<Notification>({
    idOf: (it) => it.notification_id,
    isOlder: () => false,
  });
  const app = {
    notifications,
    acks: { store: createStore(() => ({ waiting: new Map() })) },
    snoozed: createStore(() => ({ byId: new Map() })),
    statuses: createStore(() => ({ byVehicle: new Map([['v-off', 'offline']]) })),
    positions: { get: () => undefined },
    geofences: { store: createStore(() => ({ byId: new Map() })) },
    settings: createStore(() => ({ time: createDepotTime('UTC') })),
    asOf: () => Date.parse('2026-11-21T12:00:00.000Z'),
    t: createTranslate(createI18n()),
  } as unknown as AppContext;
  return { app, notifications };
}

describe('the alarm that a vehicle is labelled with', () => {
  const alarm = (notification_id: string, fields: Partial<Notification>) =>
    sampleNotification({ notification_id, vehicle_id: 'v1', severity: 'alarm', ...fields });

  it('is the gravest, and of these the newest', () => {
    const { app, notifications } = setUp();
    notifications.put([
      alarm('old', { event_kind: 'sos', last_time: '2026-11-21T10:00:00.000Z' }),
      alarm('new', { event_kind: 'sos', last_time: '2026-11-21T11:00:00.000Z' }),
      alarm('mild', { event_kind: 'sos', severity: 'warning', last_time: '2026-11-21T11:30:00.000Z' }),
    ]);
    expect(labelledAlarm(app, 'v1')?.notification_id).toBe('new');
  });

  it('goes when its condition ends, though nobody has acknowledged it', () => {
    const { app, notifications } = setUp();
    notifications.put([alarm('n1', { event_kind: 'overspeed', ongoing_until: null })]);
    expect(labelledAlarm(app, 'v1')?.notification_id).toBe('n1');
    notifications.put([
      alarm('n1', { event_kind: 'overspeed', ongoing_until: '2026-11-21T11:00:00.000Z' }),
      alarm('n2', { event_kind: 'offline' }),
      alarm('n3', { event_kind: 'offline', vehicle_id: 'v-off' }),
    ]);
    expect(labelledAlarm(app, 'v1')).toBeNull();
    expect(labelledAlarm(app, 'v-off')?.notification_id).toBe('n3');
  });
});

describe('the label of a vehicle', () => {
  it('looks at the notifications of its own vehicle, not at those of all', () => {
    const { app, notifications } = setUp();
    let looks = 0;
    notifications.put(
      Array.from({ length: VEHICLES * EACH }, (_, index) => {
        const plain = sampleNotification({
          notification_id: `n${index}`,
          event_kind: 'sos',
          severity: 'alarm',
        });
        return {
          ...plain,
          get vehicle_id() {
            looks += 1;
            return `v${index % VEHICLES}`;
          },
        };
      }),
    );
    // A frame asks for all labels, and the next one, without news, asks again.
    for (const frame of [1, 2]) {
      for (let id = 0; id < VEHICLES; id++)
        expect(describeVehicle(app, drawn(`v${id}`)).alarm).not.toBeNull();
      // Once for each notification while they are put in order by vehicle, and then no more.
      expect(looks, `after frame ${frame}`).toBeLessThanOrEqual(VEHICLES * EACH);
    }
  });

  it('names the gravest open alarm that nobody has snoozed, as soon as it changes', () => {
    const { app, notifications } = setUp();
    const label = () => describeVehicle(app, drawn('v1')).alarm;
    expect(label()).toBeNull();
    const sos = sampleNotification({ event_kind: 'sos', severity: 'alarm' });
    notifications.put([sos]);
    expect(label()).toBe('SOS button pressed');
    app.snoozed.setState({ byId: new Map([[sos.notification_id, {}]]) } as never);
    expect(label()).toBeNull();
    app.snoozed.setState({ byId: new Map() });
    notifications.put([{ ...sos, state: 'acknowledged' }]);
    expect(label()).toBeNull();
  });
});
