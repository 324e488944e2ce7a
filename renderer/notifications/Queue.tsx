import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useLostSince, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { stepQueue } from '../live/liveActions.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Pane } from '../ui/Pane.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { nameWidthPx } from '../vehicles/VehicleRow.tsx';
import { compareRows } from './queueOrder.ts';
import { QueueEmpty } from './QueueEmpty.tsx';
import { QueueHead } from './QueueHead.tsx';
import { QueueRow } from './QueueRow.tsx';
import { SnoozedRows } from './SnoozedRows.tsx';
import './Queue.css';

const SKELETON = [
  [16, 48, 30, 32, 72, 200],
  [16, 48, 36, 32, 90, 240],
  [16, 48, 30, 32, 64, 170],
] as const;

/** The alarms that wait for somebody, gravest and oldest first. */
export function Queue({ folded, wide }: { folded: boolean; wide: boolean }) {
  const app = useAppContext();
  const t = useT();
  const { byId, load } = useStore(app.notifications.store);
  const waiting = useStore(app.acks.store, (state) => state.waiting);
  const snoozedById = useStore(app.snoozed, (state) => state.byId);
  const showAcknowledged = useStore(app.view, (state) => state.showAcknowledged);
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const time = useDepotTime();
  const lost = useLostSince() !== null;
  const today = time.dayStart(useNow());

  const [open, snoozed] = useMemo(() => {
    const all = [...byId.values()].filter((it) => it.state === 'open').sort(compareRows);
    return [
      all.filter((it) => !snoozedById.has(it.notification_id)),
      all.filter((it) => snoozedById.has(it.notification_id)),
    ];
  }, [byId, snoozedById]);
  const taken = useMemo(
    () =>
      [...byId.values()]
        .filter((it) => it.ack !== null && Date.parse(it.ack.at) >= today)
        .sort((a, b) => ((a.ack?.at ?? '') < (b.ack?.at ?? '') ? 1 : -1)),
    [byId, today],
  );
  const rows: readonly Notification[] = showAcknowledged ? taken : open;
  const nameWidth = useMemo(
    () => nameWidthPx([...rows, ...snoozed].flatMap((it) => vehicles.get(it.vehicle_id) ?? [])),
    [rows, snoozed, vehicles],
  );
  // Folded, the head and the top alarm stay.
  const shown = folded ? rows.slice(0, 1) : rows;

  return (
    <Pane
      name={t('queue.title')}
      className={`queue${wide ? ' queue--wide' : ''}`}
      head={
        <QueueHead
          open={open.filter((it) => !waiting.has(it.notification_id))}
          taken={taken.length + waiting.size}
          folded={folded}
        />
      }
    >
      {!folded && <StaleBanner>{t('queue.stale')}</StaleBanner>}
      {load.phase === 'failed' && open.length === 0 ? (
        <LoadFailure
          title={t('queue.failed')}
          stillWorks={t('queue.failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={() => app.retry('notifications')}
        />
      ) : load.phase === 'loading' && byId.size === 0 ? (
        <SkeletonRows
          className="queue-row"
          widths={SKELETON}
          rows={folded ? 1 : 4}
          label={t('queue.loading')}
        />
      ) : rows.length === 0 ? (
        !folded && (
          <div className="queue__rows" style={{ '--name-width': `${nameWidth}px` }}>
            <QueueEmpty last={taken[0] ?? null} />
            {!showAcknowledged && <SnoozedRows rows={snoozed} wide={wide} lost={lost} />}
          </div>
        )
      ) : (
        <div className="queue__rows" style={{ '--name-width': `${nameWidth}px` }}>
          <div
            role="list"
            tabIndex={0}
            onKeyDown={(event) => {
              const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
              if (step === null || showAcknowledged) return;
              event.preventDefault();
              stepQueue(app, step);
            }}
            aria-label={showAcknowledged ? t('queue.acknowledged_rows') : t('queue.open_rows')}
          >
            {shown.map((it) => (
              <QueueRow key={it.notification_id} notification={it} wide={wide} lost={lost} />
            ))}
          </div>
          {!showAcknowledged && !folded && <SnoozedRows rows={snoozed} wide={wide} lost={lost} />}
        </div>
      )}
    </Pane>
  );
}
