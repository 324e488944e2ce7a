import type { Notification } from '../../server/contract/notifications.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { acknowledge, orderVideoOf, showNotification } from '../live/liveActions.ts';
import { mayWrite } from '../navigation/navigation.ts';
import type { AlarmNotice } from '../platform/platform.ts';

/** What A, L and V do with a row, as buttons of its notice: those that this user may use. */
export function noticeActions(app: AppContext, notification: Notification): AlarmNotice['actions'] {
  const { notification_id: id, vehicle_id, lat } = notification;
  /** As it is by now. */
  const current = () => app.notifications.store.getState().byId.get(id) ?? notification;
  return [
    {
      // From the notice alone: whoever acknowledges it there stays where they work.
      label: app.t('command.acknowledge'),
      raises: false,
      run: () => {
        if (current().state === 'open') acknowledge(app, id, null);
      },
      may: mayWrite(app.user, 'notifications'),
    },
    {
      label: app.t('notice.locate'),
      raises: true,
      run: () => locate(app, current()),
      may: vehicle_id !== null || lat !== null,
    },
    {
      label: app.t('notice.video'),
      raises: true,
      run: () => {
        locate(app, current());
        void orderVideoOf(app, current());
      },
      may: vehicle_id !== null && app.video.mayOrder,
    },
  ].flatMap(({ may, ...action }) => (may ? [action] : []));
}

function locate(app: AppContext, notification: Notification): void {
  const { notification_id, vehicle_id } = notification;
  if (app.navigation.store.getState().place === 'live') {
    showNotification(app, notification, { locate: true });
    return;
  }
  // Selected already, it would be taken for looked at.
  app.view.setState({ vehicleId: null, notificationId: null });
  app.navigation.go('live', { vehicle: vehicle_id, notification: notification_id });
}
