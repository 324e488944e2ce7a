import { describe, expect, it, vi } from 'vitest';
import type { Notification } from '../../../server/contract/notifications.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { noticeActions } from '../../../renderer/notifications/noticeActions.ts';
import { sampleNotification } from '../samples.ts';

function setUp({
  place = 'reports',
  mayOrder = true,
  role = 'dealer',
  notification = sampleNotification(),
} = {}) {
  const acknowledge = vi.fn(() => Promise.resolve());
  const orderVideo = vi.fn(() => Promise.resolve());
  const go = vi.fn();
  const flyTo = vi.fn();
  const byId = new Map<string, Notification>([[notification.notification_id, notification]]);
  let view: Record<string, unknown> = { followedIds: [] };
  const app = {
    t: (key: string) => key,
    user: { role, rights: { notifications: 'read' } },
    navigation: { go, note: vi.fn(), store: { getState: () => ({ place }) } },
    notifications: { store: { getState: () => ({ byId }) } },
    acks: { store: { getState: () => ({ waiting: new Map() }) }, acknowledge },
    queueView: { setState: vi.fn() },
    video: { mayOrder, orderVideo },
    positions: new Map(),
    map: { current: () => ({ camera: { flyTo, follow: vi.fn() } }) },
    view: { getState: () => view, setState: (change: object) => (view = { ...view, ...change }) },
  } as unknown as AppContext;
  const actions = noticeActions(app, notification);
  const run = (label: string) => actions.find((it) => it.label === label)?.run();
  return { actions, run, byId, notification, acknowledge, orderVideo, go, flyTo, view: () => view };
}

describe('the buttons of an alarm’s notice', () => {
  it('the buttons of an alarm’s notice are those that the user may use', () => {
    expect(setUp().actions.map(({ label }) => label)).toEqual([
      'command.acknowledge',
      'notice.locate',
      'notice.video',
    ]);
    const watcher = setUp({ role: 'user', mayOrder: false });
    expect(watcher.actions.map(({ label }) => label)).toEqual(['notice.locate']);
    const host = setUp({ notification: sampleNotification({ vehicle_id: null, lat: null, lon: null }) });
    expect(host.actions.map(({ label }) => label)).toEqual(['command.acknowledge']);
  });

  it('the buttons of an alarm’s notice acknowledge where the operator works, and once', () => {
    const { run, byId, notification, acknowledge, go } = setUp();
    run('command.acknowledge');
    expect(acknowledge.mock.calls).toEqual([[[notification.notification_id], null]]);
    expect(go).not.toHaveBeenCalled();
    byId.set(notification.notification_id, { ...notification, state: 'acknowledged' });
    run('command.acknowledge');
    expect(acknowledge).toHaveBeenCalledOnce();
  });

  it('the buttons of an alarm’s notice lead to Live and to the alarm’s place', () => {
    const { run, notification, go } = setUp();
    run('notice.locate');
    const { vehicle_id: vehicle, notification_id } = notification;
    expect(go.mock.calls).toEqual([['live', { vehicle, notification: notification_id }]]);
    const onLive = setUp({ place: 'live', notification: sampleNotification({ lat: 52, lon: 13 }) });
    onLive.run('notice.locate');
    expect(onLive.go).not.toHaveBeenCalled();
    expect(onLive.flyTo).toHaveBeenCalledOnce();
    expect(onLive.view()).toMatchObject({ notificationId: onLive.notification.notification_id });
  });

  it('the buttons of an alarm’s notice request the video of its moment', () => {
    const { run, notification, orderVideo } = setUp();
    run('notice.video');
    expect(orderVideo.mock.calls).toEqual([
      [
        {
          vehicle_id: notification.vehicle_id,
          at: notification.last_time,
          event_id: notification.event_ids[0] ?? null,
        },
      ],
    ]);
  });
});
