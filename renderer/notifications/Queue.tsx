import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useDepotTime, useLostSince, useNow } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { stepQueue } from '../live/liveActions.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Pane } from '../ui/Pane.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBand } from '../ui/StaleBand.tsx';
import { nameWidthPx } from '../vehicles/VehicleRow.tsx';
import { compareRows } from './queueOrder.ts';
import { QueueEmpty } from './QueueEmpty.tsx';
import { QueueHead } from './QueueHead.tsx';
import { QueueRow } from './QueueRow.tsx';
import { ShelvedRows } from './ShelvedRows.tsx';
import './Queue.css';

const SKELETON = [
  [16, 48, 30, 32, 72, 200],
  [16, 48, 36, 32, 90, 240],
  [16, 48, 30, 32, 64, 170],
] as const;

/** The alarms that wait for somebody, gravest and oldest first. */
export function Queue({ folded, wide }: { folded: boolean; wide: boolean }) {
  const desk = useDesk();
  const say = useText();
  const { byId, load } = useStore(desk.notifications.store);
  const waiting = useStore(desk.acks.store, (state) => state.waiting);
  const shelves = useStore(desk.shelves, (state) => state.byId);
  const showAcknowledged = useStore(desk.view, (state) => state.showAcknowledged);
  const vehicles = useStore(desk.vehicles.store, (state) => state.byId);
  const time = useDepotTime();
  const lost = useLostSince() !== null;
  const today = time.dayStart(useNow());

  const [open, shelved] = useMemo(() => {
    const all = [...byId.values()].filter((it) => it.state === 'open').sort(compareRows);
    return [
      all.filter((it) => !shelves.has(it.notification_id)),
      all.filter((it) => shelves.has(it.notification_id)),
    ];
  }, [byId, shelves]);
  const taken = useMemo(
    () =>
      [...byId.values()]
        .filter((it) => it.ack !== null && Date.parse(it.ack.at) >= today)
        .sort((a, b) => ((a.ack?.at ?? '') < (b.ack?.at ?? '') ? 1 : -1)),
    [byId, today],
  );
  const rows: readonly Notification[] = showAcknowledged ? taken : open;
  const nameWidth = useMemo(
    () => nameWidthPx([...rows, ...shelved].flatMap((it) => vehicles.get(it.vehicle_id) ?? [])),
    [rows, shelved, vehicles],
  );
  // Folded, the head and the top alarm stay.
  const shown = folded ? rows.slice(0, 1) : rows;

  return (
    <Pane
      name={say('queue.title')}
      className={`queue${wide ? ' queue--wide' : ''}`}
      head={
        <QueueHead
          open={open.filter((it) => !waiting.has(it.notification_id))}
          taken={taken.length + waiting.size}
          folded={folded}
        />
      }
    >
      {!folded && <StaleBand>{say('queue.stale')}</StaleBand>}
      {load.phase === 'failed' && open.length === 0 ? (
        <LoadFailure
          title={say('queue.failed')}
          stillWorks={say('queue.failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={() => desk.retry('notifications')}
        />
      ) : load.phase === 'loading' && byId.size === 0 ? (
        <SkeletonRows
          className="queue-row"
          widths={SKELETON}
          rows={folded ? 1 : 4}
          label={say('queue.loading')}
        />
      ) : rows.length === 0 ? (
        !folded && (
          <div className="queue__rows" style={{ '--name-width': `${nameWidth}px` }}>
            <QueueEmpty last={taken[0] ?? null} />
            {!showAcknowledged && <ShelvedRows rows={shelved} wide={wide} lost={lost} />}
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
              stepQueue(desk, step);
            }}
            aria-label={showAcknowledged ? say('queue.acknowledged_rows') : say('queue.open_rows')}
          >
            {shown.map((it) => (
              <QueueRow key={it.notification_id} notification={it} wide={wide} lost={lost} />
            ))}
          </div>
          {!showAcknowledged && !folded && <ShelvedRows rows={shelved} wide={wide} lost={lost} />}
        </div>
      )}
    </Pane>
  );
}
