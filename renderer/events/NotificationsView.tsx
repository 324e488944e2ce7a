import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { openListedMenu } from '../commands/contextMenus.ts';
import { useT } from '../i18n/useT.ts';
import { alarmLabels, detailsAt, useAlarmWords } from '../notifications/alarmLabels.ts';
import { mayWrite } from '../navigation/navigation.ts';
import { formatSnooze } from '../notifications/snoozes.ts';
import { Button } from '../ui/Button.tsx';
import { severityTone } from '../ui/SeverityMark.tsx';
import { NotificationFilters } from './EventFilters.tsx';
import { EventsPane, type ListViewProps } from './EventsPane.tsx';
import { selectNotification } from './eventsActions.ts';
import { useNotificationFile, sharedColumns, useNamesInTable } from './columns.tsx';
import { notificationList } from './lists.ts';
import { usePagedList, type Listed } from './pagedList.ts';
import { AckDialog } from '../notifications/NoteDialog.tsx';

/** What rules have made of events: all of it, open, shelved and acknowledged. */
export function NotificationsView({ address, onChange, onShowAll }: ListViewProps) {
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
  const selectedId = useStore(app.eventsView, (it) => it.notification?.notification_id ?? null);
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
  const mayAct = mayWrite(app.user, 'notifications');

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
              disabled={toAcknowledge.length === 0}
              onPress={() => setAsksNote(true)}
            >
              {t('events.acknowledge_many', { count: toAcknowledge.length })}
            </Button>
          )
        }
        selectedKey={selectedId}
        onSelect={(it) => selectNotification(app, it)}
        onMenu={(it, at) => openListedMenu(app, it, at)}
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

/** The columns of notifications; made anew when a name that they show changes. */
function useNotificationColumns() {
  const app = useAppContext();
  const t = useT();
  const names = useNamesInTable();
  return useMemo(() => {
    const { time, vehicle, what, measured, place, video } = sharedColumns<Notification>(t, names, {
      severity: ({ severity }) => severity,
      time: ({ last_time }) => last_time,
      words: (notification) => alarmLabels(notification, app),
      what: (notification) => <What notification={notification} />,
      details: ({ event_kind, details, last_time }) => detailsAt(event_kind, details, last_time, app.asOf()),
      video: (notification) => notification,
    });
    const state = {
      id: 'state',
      head: t('events.state'),
      width: 'minmax(112px, 1.5fr)',
      value: ({ item }: Listed<Notification>) =>
        item.ack === null
          ? t(`notification.${item.state}`)
          : t('queue.taken_by', { user: names.user(item.ack.user_id) }),
      cell: ({ item }: Listed<Notification>) => <StateCell notification={item} />,
    };
    return [time, vehicle, what, measured, place, video, state];
  }, [app, t, names]);
}

function What({ notification }: { notification: Notification }) {
  const t = useT();
  const words = useAlarmWords(notification);
  const { severity, count } = notification;
  return (
    <span title={`${words.kind}, ${words.what}`}>
      <span className={`strong ${severityTone(severity)}`}>{words.kind}</span>{' '}
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
        ? formatSnooze(snoozed, { t, time, names, now })
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

/** Acknowledges many with one note. */
function BulkAckDialog({
  ids,
  onDone,
  onClose,
}: {
  ids: readonly string[];
  onDone: () => void;
  onClose: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  // What was ticked when it was asked for: an acknowledgement by somebody else must not change the sentence.
  const [chosen] = useState(ids);

  return (
    <AckDialog
      title={t('events.acknowledge_many', { count: chosen.length })}
      acknowledge={(note) => {
        void app.acks.acknowledge(chosen, note);
        onDone();
      }}
      onClose={onClose}
    />
  );
}
