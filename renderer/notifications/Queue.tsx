import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useLostSince, useOfNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Pane } from '../ui/Pane.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { nameWidthPx } from '../vehicles/VehicleRow.tsx';
import { compareRows } from './queueOrder.ts';
import { QueueHead } from './QueueHead.tsx';
import { queueLines } from './queueLines.ts';
import { QueueList } from './QueueList.tsx';
import { QueueRow } from './QueueRow.tsx';
import { foldQueue, groupingOf, passes, showList } from './queueView.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { inSentence } from '../format/inSentence.ts';
import { Notice } from '../ui/Notice.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { alarmLabels } from './alarmLabels.ts';
import './Queue.css';

const SKELETON = [
  [16, 48, 30, 32, 72, 200],
  [16, 48, 36, 32, 90, 240],
  [16, 48, 30, 32, 64, 170],
] as const;

/** The alarms that wait for somebody, gravest and oldest first. */
export function Queue({
  folded,
  wide,
  instruments,
}: {
  folded: boolean;
  wide: boolean;
  /** In the head, where no top bar has them; the queue cannot be unfolded then. */
  instruments?: ReactNode;
}) {
  const app = useAppContext();
  const t = useT();
  const { byId, load } = useStore(app.notifications.store);
  const waiting = useStore(app.acks.store, (state) => state.waiting);
  const snoozedById = useStore(app.snoozed, (state) => state.byId);
  const list = useStore(app.queueView, (state) => state.list);
  const groupBy = useStore(app.queueView, (state) => state.groupBy);
  const filter = useStore(app.queueView, (state) => state.filter);
  const foldedGroups = useStore(app.queueView, (state) => state.folded);
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  const edition = useStore(app.places.edition, (state) => state.number);
  const selectedId = useStore(app.view, (state) => state.notificationId);
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const time = useDepotTime();
  const lost = useLostSince() !== null;
  const today = useOfNow((now) => time.dayStart(now));
  useEffect(() => foldQueue(app, folded), [app, folded]);

  const [open, snoozed, quiet] = useMemo(() => {
    const all = [...byId.values()].filter((it) => it.state === 'open').sort(compareRows);
    const loud = all.filter((it) => !it.quiet);
    return [
      loud.filter((it) => !snoozedById.has(it.notification_id)),
      loud.filter((it) => snoozedById.has(it.notification_id)),
      all.filter((it) => it.quiet),
    ];
  }, [byId, snoozedById]);
  const taken = useMemo(
    () =>
      [...byId.values()]
        .filter((it) => it.ack !== null && Date.parse(it.ack.at) >= today)
        .sort((a, b) => ((a.ack?.at ?? '') < (b.ack?.at ?? '') ? 1 : -1)),
    [byId, today],
  );
  // What was just acknowledged keeps its place, marked, until something else is selected.
  const selected = byId.get(selectedId ?? '') ?? null;
  const [selectedOpenId, setSelectedOpenId] = useState<string | null>(null);
  if (selected?.state === 'open' && selectedOpenId !== selectedId) setSelectedOpenId(selectedId);
  const kept = selectedOpenId === selectedId ? selected : null;
  const shown = useMemo(
    () => (kept === null || kept.state === 'open' ? open : [...open, kept].sort(compareRows)),
    [open, kept],
  );
  const ofList: readonly Notification[] = { open: shown, quiet, acknowledged: taken }[list];
  const rows = useMemo(() => ofList.filter(passes(filter)), [ofList, filter]);
  const nameWidth = useMemo(
    () =>
      nameWidthPx(
        [...rows, ...snoozed].flatMap(({ vehicle_id: id }) =>
          id === null ? { name: t('settings.host') } : (vehicles.get(id) ?? []),
        ),
      ),
    [rows, snoozed, vehicles, t],
  );
  // Folded, the head and the top alarm stay.
  const visible = folded ? (open.length > 0 ? open : shown).slice(0, 1) : rows;
  const lines = useMemo(
    () => queueLines(visible, folded || list !== 'open' ? null : groupingOf(app, groupBy), foldedGroups),
    // Names of vehicles, geofences and places are asked for by the grouping.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
    [visible, folded, list, app, groupBy, foldedGroups, vehicles, geofences, edition],
  );
  const name = {
    open: t('queue.open_rows'),
    quiet: t('queue.quiet_rows'),
    acknowledged: t('queue.acknowledged_rows'),
  }[list];
  const snoozedRows = list === 'open' && !folded && <SnoozedRows rows={snoozed} wide={wide} lost={lost} />;

  return (
    <Pane
      name={t('queue.title')}
      className={`queue${wide ? ' queue--wide' : ''}`}
      head={
        <QueueHead
          open={open.filter((it) => !waiting.has(it.notification_id))}
          quiet={quiet.filter((it) => !waiting.has(it.notification_id)).length}
          taken={taken.length + waiting.size}
          folded={folded}
          instruments={instruments}
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
      ) : lines.length === 0 ? (
        !folded && (
          <div className="queue__rows" style={{ '--name-width': `${nameWidth}px` }}>
            {ofList.length > 0 ? (
              <Notice title={t('queue.filter_empty')} />
            ) : list === 'quiet' ? (
              <Notice title={t('queue.quiet_empty')} />
            ) : (
              <QueueEmpty last={taken[0] ?? null} />
            )}
            {snoozedRows}
          </div>
        )
      ) : (
        <QueueList name={name} lines={lines} nameWidth={nameWidth} wide={wide} lost={lost}>
          {list === 'open' && !folded && open.length === 0 && <QueueEmpty last={taken[0] ?? null} />}
          {snoozedRows}
        </QueueList>
      )}
    </Pane>
  );
}

/** What keeps still, at the end of the queue: a line that opens. Nothing while nothing is shelved. */
function SnoozedRows({ rows, wide, lost }: { rows: readonly Notification[]; wide: boolean; lost: boolean }) {
  const app = useAppContext();
  const t = useT();
  const snoozed = useStore(app.snoozed, (state) => state.byId);
  const [visible, setVisible] = useState(false);
  if (rows.length === 0) return null;
  return (
    <>
      <button
        type="button"
        className="queue__shelved"
        aria-expanded={visible}
        onClick={() => setVisible(!visible)}
      >
        <Icon of={visible ? ChevronDown : ChevronRight} />
        {t('queue.shelved', { count: rows.length })}
      </button>
      {visible && (
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

/** Nothing waits: says so, and what was last, so that it does not look broken. */
function QueueEmpty({ last }: { last: Notification | null }) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const vehicle = useVehicleName(last?.vehicle_id ?? '');
  const names = useStore(app.userNames, (state) => state.byId);
  const list = useStore(app.queueView, (state) => state.list);
  if (last === null) return <Notice title={t('queue.empty')}>{t('queue.empty_never')}</Notice>;
  return (
    <Notice
      title={t('queue.empty')}
      actions={
        list === 'open' && (
          <Button onPress={() => showList(app, 'acknowledged')}>{t('queue.show_acknowledged')}</Button>
        )
      }
    >
      {t('queue.empty_last', {
        time: time.clock(Date.parse(last.last_time)),
        vehicle,
        kind: inSentence(alarmLabels(last, app).kind),
        user: names.get(last.ack?.user_id ?? '') ?? t('user.another'),
      })}
    </Notice>
  );
}
