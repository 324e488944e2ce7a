import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useLostSince } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { mayActOnAlarms } from '../notifications/alarmRights.ts';
import { Button } from '../ui/Button.tsx';
import { AckManyDialog } from './AckManyDialog.tsx';
import type { EventsAddress } from './eventsAddress.ts';
import { holdNotification } from './eventsActions.ts';
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
  const desk = useDesk();
  const say = useText();
  const list = useMemo(() => notificationList(desk, address), [desk, address]);
  const listen = useCallback(
    (take: (it: Notification) => void) => desk.stream.on('notification', take),
    [desk],
  );
  const state = usePagedList(list, listen);
  const known = useStore(desk.notifications.store, ({ byId }) => byId);
  const waiting = useStore(desk.acks.store, (it) => it.waiting);
  const held = useStore(desk.eventsView, (it) => it.notification?.notification_id ?? null);
  const lost = useLostSince() !== null;
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [asksNote, setAsksNote] = useState(false);

  // What was acknowledged by REST or told by the stream shows at once.
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
  const mayAct = mayActOnAlarms(desk);

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
              {say('events.acknowledge_many', { count: toAcknowledge.length })}
            </Button>
          )
        }
        selectedKey={held}
        onSelect={(it) => holdNotification(desk, it)}
        onShowAll={onShowAll}
        {...(mayAct ? { checked, onCheck: setChecked } : {})}
      />
      {asksNote && (
        <AckManyDialog
          ids={toAcknowledge}
          onDone={() => setChecked(new Set())}
          onClose={() => setAsksNote(false)}
        />
      )}
    </>
  );
}
