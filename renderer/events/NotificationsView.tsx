import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { mayActOnAlarms } from '../notifications/alarmRights.ts';
import { Button } from '../ui/Button.tsx';
import { BulkAckDialog } from './BulkAckDialog.tsx';
import type { EventsAddress } from './eventsAddress.ts';
import { selectNotification } from './eventsActions.ts';
import { EventsPane } from './EventsPane.tsx';
import { notificationList } from './lists.ts';
import { NotificationFilters } from './NotificationFilters.tsx';
import { useNotificationFile } from './fileColumns.ts';
import { useNotificationColumns } from './notificationColumns.tsx';
import { usePagedList } from './usePagedList.ts';

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
