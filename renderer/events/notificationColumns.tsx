import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useDepotTime } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { alarmWords } from '../notifications/alarmWords.ts';
import { shelfText } from '../notifications/shelfText.ts';
import { VideoCell } from '../notifications/VideoCell.tsx';
import { valuesAsOf } from '../notifications/goingOn.ts';
import { useAlarmWords } from '../notifications/useWords.ts';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { measuredAgainst } from './measuredAgainst.ts';
import type { Listed } from './pagedList.ts';
import { useNamesInTable } from './useNamesInTable.ts';

type Row = Listed<Notification>;

/** The columns of notifications; made anew when a name that they show changes. */
export function useNotificationColumns() {
  const desk = useDesk();
  const say = useText();
  const names = useNamesInTable();
  return useMemo(
    () => [
      {
        id: 'time',
        head: say('events.column.time'),
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
        head: say('list.column.vehicle'),
        width: 'minmax(56px, 0.6fr)',
        value: ({ item }: Row) => names.vehicle(item.vehicle_id),
      },
      {
        id: 'what',
        head: say('events.column.what'),
        width: 'minmax(200px, 4fr)',
        value: ({ item }: Row) => {
          const words = alarmWords(item, desk);
          return `${words.kind}, ${words.what}`;
        },
        cell: ({ item }: Row) => <What notification={item} />,
      },
      {
        id: 'measured',
        head: say('events.column.measured'),
        width: '112px',
        align: 'end' as const,
        value: ({ item }: Row) =>
          measuredAgainst(valuesAsOf(item.event_kind, item.values, item.last_time, desk.asOf())),
      },
      {
        id: 'place',
        head: say('list.column.place'),
        width: 'minmax(80px, 1.5fr)',
        value: ({ item }: Row) => names.place(item),
      },
      {
        id: 'video',
        head: say('queue.video'),
        width: 'minmax(112px, 168px)',
        sortable: false,
        value: () => '',
        cell: ({ item }: Row) => <VideoCell notification={item} />,
      },
      {
        id: 'state',
        head: say('events.state'),
        width: 'minmax(112px, 1.5fr)',
        value: ({ item }: Row) =>
          item.ack === null
            ? say(`notification.${item.state}`)
            : say('queue.taken_by', { user: names.user(item.ack.user_id) }),
        cell: ({ item }: Row) => <StateCell notification={item} />,
      },
    ],
    [desk, say, names],
  );
}

function What({ notification }: { notification: Notification }) {
  const say = useText();
  const words = useAlarmWords(notification);
  const { severity, count } = notification;
  const colour = severity === 'alarm' ? 'in-alarm' : severity === 'warning' ? 'in-warning' : '';
  return (
    <span title={`${words.kind}, ${words.what}`}>
      <span className={`strong ${colour}`}>{words.kind}</span>{' '}
      {count > 1 && (
        <span className="queue-row__count" title={say('queue.times', { count })}>
          ×{count}
        </span>
      )}{' '}
      {words.what}
      {notification.late && <span className="quiet"> · {say('queue.late')}</span>}
    </span>
  );
}

function StateCell({ notification }: { notification: Notification }) {
  const desk = useDesk();
  const say = useText();
  const time = useDepotTime();
  const { notification_id, ack, state } = notification;
  const names = useStore(desk.userNames, ({ byId }) => byId);
  const unsent = useStore(desk.acks.store, ({ waiting }) => waiting.has(notification_id));
  const shelf = useStore(desk.shelves, ({ byId }) => byId.get(notification_id));
  const now = useStore(desk.serverTime.ticks, (ticks) => (shelf === undefined ? 0 : ticks.now));
  const text = unsent
    ? say('queue.not_sent')
    : ack !== null
      ? say('queue.taken_by', { user: names.get(ack.user_id) ?? say('user.another') })
      : shelf !== undefined
        ? shelfText(shelf, { say, time, names, now })
        : say(`notification.${state}`);
  return (
    <span className={state === 'open' && shelf === undefined ? 'strong' : 'quiet'} title={ack?.note ?? text}>
      {text}
    </span>
  );
}
