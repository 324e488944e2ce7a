import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince, useDepotTime } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { VideoCell } from '../notifications/VideoCell.tsx';
import { alarmLabels } from '../notifications/alarmLabels.ts';
import { mayActOnAlarms } from '../notifications/alarmRights.ts';
import { valuesAt } from '../notifications/ongoing.ts';
import { snoozeText } from '../notifications/snoozeText.ts';
import { useAlarmWords } from '../notifications/useLabels.ts';
import { Button } from '../ui/Button.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { BulkAckDialog } from './BulkAckDialog.tsx';
import { NotificationFilters } from './EventFilters.tsx';
import { EventsPane } from './EventsPane.tsx';
import { selectNotification } from './eventsActions.ts';
import type { EventsAddress } from './eventsAddress.ts';
import { useNotificationFile } from './fileColumns.ts';
import { notificationList } from './lists.ts';
import { measuredAgainst, useNamesInTable } from './tableWords.ts';
import { usePagedList, type Listed } from './pagedList.ts';

/** What rules have made of events: all of it, open, shelved and acknowledged. */
export function NotificationsView({
  address,
  onChange,
  onShowAll,
}: {
  address: EventsAddress;
  onChange: (part: Partial<EventsAddress>) => void;
  onShowAll: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const list = useMemo(() => notificationList(app, address), [app, address]);
  const listen = useCallback(
    (take: (it: Notification) => void) => app.stream.on('notification', take),
    [app],
  );
  const state = usePagedList(list, listen);
  const known = useStore(app.notifications.store, ({ byId }) => byId);
  const waiting = useStore(app.acks.store, (it) => it.waiting);
  const held = useStore(app.eventsView, (it) => it.notification?.notification_id ?? null);
  const lost = useLostSince() !== null;
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [asksNote, setAsksNote] = useState(false);

  // An acknowledgement by REST or from the stream shows at once.
  const rows = useMemo(
    () => state.rows.map((row) => ({ ...row, item: known.get(row.id) ?? row.item })),
    [state.rows, known],
  );
  const columns = useNotificationColumns();
  const file = useNotificationFile();
  const toAcknowledge = useMemo(
    () =>
      rows.flatMap(({ id, item }) =>
        checked.has(id) && item.state === 'open' && !waiting.has(id) ? [id] : [],
      ),
    [rows, checked, waiting],
  );
  const mayAct = mayActOnAlarms(app);

  return (
    <>
      <EventsPane
        address={address}
        list={list}
        state={state}
        rows={rows}
        columns={columns}
        file={file}
        filters={<NotificationFilters address={address} onChange={onChange} />}
        actions={
          mayAct &&
          checked.size > 0 && (
            <Button
              size="small"
              kind="primary"
              disabled={lost || toAcknowledge.length === 0}
              onPress={() => setAsksNote(true)}
            >
              {t('events.acknowledge_many', { count: toAcknowledge.length })}
            </Button>
          )
        }
        selectedKey={held}
        onSelect={(it) => selectNotification(app, it)}
        onShowAll={onShowAll}
        {...(mayAct ? { checked, onCheck: setChecked } : {})}
      />
      {asksNote && (
        <BulkAckDialog
          ids={toAcknowledge}
          onDone={() => setChecked(new Set())}
          onClose={() => setAsksNote(false)}
        />
      )}
    </>
  );
}

type Row = Listed<Notification>;

/** The columns of notifications; made anew when a name that they show changes. */
function useNotificationColumns() {
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
