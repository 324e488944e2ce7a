import type { Notification } from '../../server/contract/notifications.ts';
import { queueGroupings } from '../../server/contract/preferences.ts';
import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { acknowledge, stepQueue } from '../live/liveActions.ts';
import type { ScreenName } from '../navigation/navigation.ts';
import { mayWrite } from '../navigation/navigation.ts';
import { openRows } from './openRows.ts';
import { clearChecked, severalToAcknowledge, showList } from './queueView.ts';
import { selectedNotification } from './selectedNotification.ts';

export const isAt = (app: AppContext, ...places: ScreenName[]): boolean =>
  places.includes(app.navigation.store.getState().place);

/** The row that is selected, on Live or among the events; it may have been acknowledged. */
const selectedRow = (app: AppContext): Notification | null =>
  isAt(app, 'live', 'events') ? selectedNotification(app) : null;

function openRow(app: AppContext): Notification | null {
  const row = selectedRow(app);
  const isWaiting = app.acks.store.getState().waiting.has(row?.notification_id ?? '');
  return row?.state === 'open' && !isWaiting ? row : null;
}

/** Whether this window shows the lists of the queue. */
const hasLists = ({ windows, queueView }: AppContext): boolean =>
  (windows.name === null || windows.name === 'queue') && !queueView.getState().isFolded;

const hasSeveral = (app: AppContext): boolean => isAt(app, 'live') && severalToAcknowledge(app) !== null;

export const hasOpenRow = (app: AppContext): boolean => openRow(app) !== null;

/** The next (1) or previous (-1) open alarm; from another screen it leads to Live. */
function stepAlarm(app: AppContext, by: 1 | -1): void {
  if (isAt(app, 'live')) {
    // As arrows do in the list: the row that is reached is meant alone.
    clearChecked(app);
    stepQueue(app, by);
    return;
  }
  const rows = openRows(app);
  const selected = rows.find((it) => it.notification_id === app.view.getState().notificationId);
  const next = selected ?? (by === 1 ? rows[0] : rows.at(-1));
  showList(app, 'open');
  app.navigation.go(
    'live',
    next === undefined ? {} : { vehicle: next.vehicle_id, notification: next.notification_id },
  );
}

/** What is done with the selected alarm, and the queue from anywhere. */
export const notificationCommands: readonly Command[] = [
  {
    id: 'acknowledge',
    label: 'command.acknowledge',
    group: 'queue',
    shortcut: 'A',
    when: (app) => mayWrite(app.user, 'notifications') && (hasOpenRow(app) || hasSeveral(app)),
    run: (app) => {
      const row = openRow(app);
      // Several ask for their note: one key must not take forty alarms away.
      if (hasSeveral(app)) app.view.setState({ overlay: 'note' });
      else if (row !== null) acknowledge(app, row.notification_id, null);
    },
  },
  {
    id: 'acknowledge_with_note',
    label: 'command.acknowledge_with_note',
    group: 'queue',
    shortcut: 'Shift+A',
    when: (app) => mayWrite(app.user, 'notifications') && (hasOpenRow(app) || hasSeveral(app)),
    run: (app) => app.view.setState({ overlay: 'note' }),
  },
  {
    id: 'group_queue',
    label: 'command.group_queue',
    group: 'queue',
    shortcut: 'B',
    when: (app) => isAt(app, 'live') && hasLists(app),
    run: ({ queueView }) => {
      const at = queueGroupings.indexOf(queueView.getState().groupBy);
      const groupBy = queueGroupings[(at + 1) % queueGroupings.length] ?? 'none';
      queueView.setState({ groupBy, groupKey: null, folded: new Set() });
    },
  },
  {
    id: 'quiet_list',
    label: 'command.quiet_list',
    group: 'queue',
    shortcut: 'U',
    when: (app) => isAt(app, 'live') && hasLists(app),
    run: (app) => showList(app, app.queueView.getState().list === 'quiet' ? 'open' : 'quiet'),
  },
  {
    id: 'snooze',
    label: 'command.snooze',
    group: 'queue',
    shortcut: 'Z',
    when: (app) =>
      mayWrite(app.user, 'notifications') &&
      (selectedRow(app) !== null || (isAt(app, 'live') && app.view.getState().vehicleId !== null)),
    run: (app) => app.view.setState({ overlay: 'snooze' }),
  },
  {
    id: 'why',
    label: 'command.why',
    group: 'queue',
    shortcut: 'W',
    when: (app) => selectedRow(app) !== null,
    run: (app) => app.view.setState({ overlay: 'why' }),
  },
  {
    id: 'next_alarm',
    label: 'command.next_alarm',
    group: 'queue',
    shortcut: 'J',
    when: () => true,
    run: (app) => stepAlarm(app, 1),
  },
  {
    id: 'previous_alarm',
    label: 'command.previous_alarm',
    group: 'queue',
    shortcut: 'K',
    when: () => true,
    run: (app) => stepAlarm(app, -1),
  },
];
