import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { alarmLabels } from '../notifications/alarmLabels.ts';
import { snoozeText } from '../notifications/snoozeText.ts';
import { VideoCell } from '../notifications/VideoCell.tsx';
import { valuesAt } from '../notifications/ongoing.ts';
import { useAlarmWords } from '../notifications/useLabels.ts';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { measuredAgainst } from './measuredAgainst.ts';
import type { Listed } from './pagedList.ts';
import { useNamesInTable } from './useNamesInTable.ts';

type Row = Listed<Notification>;

/** The columns of notifications; made anew when a name that they show changes. */
export function useNotificationColumns() {
  const app = useAppContext();
  const t = useT();
  const names = useNamesInTable();
  return useMemo(
    () => [
      {
        id: 'time',
        head: t('events.column.time'),
        width: '156px',
        value: (row: Row) => `${row.at} ${names.vehicle(row.item.vehicle_id)}`,
        cell: ({ item }: Row) => (
          <span className="events__time">
            <SeverityMark severity={item.severity} />
            <TimeOfDay at={Date.parse(item.last_time)} withDate />
          </span>
        ),
      },
      {
        id: 'vehicle',
        head: t('list.column.vehicle'),
        width: 'minmax(56px, 0.6fr)',
        value: ({ item }: Row) => names.vehicle(item.vehicle_id),
      },
      {
        id: 'what',
        head: t('events.column.what'),
        width: 'minmax(200px, 4fr)',
        value: ({ item }: Row) => {
          const words = alarmLabels(item, app);
          return `${words.kind}, ${words.what}`;
        },
        cell: ({ item }: Row) => <What notification={item} />,
      },
      {
        id: 'measured',
        head: t('events.column.measured'),
        width: '112px',
        align: 'end' as const,
        value: ({ item }: Row) =>
          measuredAgainst(valuesAt(item.event_kind, item.values, item.last_time, app.asOf())),
      },
      {
        id: 'place',
        head: t('list.column.place'),
        width: 'minmax(80px, 1.5fr)',
        value: ({ item }: Row) => names.place(item),
      },
      {
        id: 'video',
        head: t('queue.video'),
        width: 'minmax(112px, 168px)',
        sortable: false,
        value: () => '',
        cell: ({ item }: Row) => <VideoCell notification={item} />,
      },
      {
        id: 'state',
        head: t('events.state'),
        width: 'minmax(112px, 1.5fr)',
        value: ({ item }: Row) =>
          item.ack === null
            ? t(`notification.${item.state}`)
            : t('queue.taken_by', { user: names.user(item.ack.user_id) }),
        cell: ({ item }: Row) => <StateCell notification={item} />,
      },
    ],
    [app, t, names],
  );
}

function What({ notification }: { notification: Notification }) {
  const t = useT();
  const words = useAlarmWords(notification);
  const { severity, count } = notification;
  const colour = severity === 'alarm' ? 'in-alarm' : severity === 'warning' ? 'in-warning' : '';
  return (
    <span title={`${words.kind}, ${words.what}`}>
      <span className={`strong ${colour}`}>{words.kind}</span>{' '}
      {count > 1 && (
        <span className="queue-row__count" title={t('queue.times', { count })}>
          ×{count}
        </span>
      )}{' '}
      {words.what}
      {notification.late && <span className="quiet"> · {t('queue.late')}</span>}
    </span>
  );
}

function StateCell({ notification }: { notification: Notification }) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { notification_id, ack, state } = notification;
  const names = useStore(app.userNames, ({ byId }) => byId);
  const unsent = useStore(app.acks.store, ({ waiting }) => waiting.has(notification_id));
  const snoozed = useStore(app.snoozed, ({ byId }) => byId.get(notification_id));
  const now = useStore(app.serverTime.ticks, (ticks) => (snoozed === undefined ? 0 : ticks.now));
  const text = unsent
    ? t('queue.not_sent')
    : ack !== null
      ? t('queue.taken_by', { user: names.get(ack.user_id) ?? t('user.another') })
      : snoozed !== undefined
        ? snoozeText(snoozed, { t, time, names, now })
        : t(`notification.${state}`);
  return (
    <span
      className={state === 'open' && snoozed === undefined ? 'strong' : 'quiet'}
      title={ack?.note ?? text}
    >
      {text}
    </span>
  );
}
