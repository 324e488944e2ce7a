import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Icon } from '../ui/Icon.tsx';
import { QueueRow } from './QueueRow.tsx';

/** What keeps still, at the end of the queue: a line that opens. Nothing while nothing is shelved. */
export function SnoozedRows({
  rows,
  wide,
  lost,
}: {
  rows: readonly Notification[];
  wide: boolean;
  lost: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const snoozed = useStore(app.snoozed, (state) => state.byId);
  const [shown, setShown] = useState(false);
  if (rows.length === 0) return null;
  return (
    <>
      <button type="button" className="queue__shelved" aria-expanded={shown} onClick={() => setShown(!shown)}>
        <Icon of={shown ? ChevronDown : ChevronRight} />
        {t('queue.shelved', { count: rows.length })}
      </button>
      {shown && (
        <div role="list" aria-label={t('queue.shelved_rows')}>
          {rows.map((it) => (
            <QueueRow
              key={it.notification_id}
              notification={it}
              wide={wide}
              lost={lost}
              snoozed={snoozed.get(it.notification_id) ?? null}
            />
          ))}
        </div>
      )}
    </>
  );
}
