import { useMemo, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { Bell, ChevronDown, ChevronRight, ChevronUp, Volume2, VolumeX } from 'lucide-react';
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
import { QueueRow } from './QueueRow.tsx';
import { foldPane } from '../live/liveLayout.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import { inSentence } from '../format/inSentence.ts';
import { Notice } from '../ui/Notice.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { alarmLabels } from './alarmLabels.ts';
import { OwnWindowButton } from '../windows/OwnWindowButton.tsx';
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
  const showAcknowledged = useStore(app.view, (state) => state.showAcknowledged);
  const selectedId = useStore(app.view, (state) => state.notificationId);
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
  // What was just acknowledged keeps its place, marked, until something else is selected.
  const selected = byId.get(selectedId ?? '') ?? null;
  const [selectedOpenId, setSelectedOpenId] = useState<string | null>(null);
  if (selected?.state === 'open' && selectedOpenId !== selectedId) setSelectedOpenId(selectedId);
  const kept = selectedOpenId === selectedId ? selected : null;
  const shown = useMemo(
    () => (kept === null || kept.state === 'open' ? open : [...open, kept].sort(compareRows)),
    [open, kept],
  );
  const rows: readonly Notification[] = showAcknowledged ? taken : shown;
  const nameWidth = useMemo(
    () => nameWidthPx([...rows, ...snoozed].flatMap((it) => vehicles.get(it.vehicle_id ?? '') ?? [])),
    [rows, snoozed, vehicles],
  );
  // Folded, the head and the top alarm stay.
  const visible = folded ? (open.length > 0 && !showAcknowledged ? open : rows).slice(0, 1) : rows;

  return (
    <Pane
      name={t('queue.title')}
      className={`queue${wide ? ' queue--wide' : ''}`}
      head={
        <QueueHead
          open={open.filter((it) => !waiting.has(it.notification_id))}
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
            {visible.map((it) => (
              <QueueRow key={it.notification_id} notification={it} wide={wide} lost={lost} />
            ))}
          </div>
          {!showAcknowledged && !folded && open.length === 0 && <QueueEmpty last={taken[0] ?? null} />}
          {!showAcknowledged && !folded && <SnoozedRows rows={snoozed} wide={wide} lost={lost} />}
        </div>
      )}
    </Pane>
  );
}

function QueueHead({
  open,
  taken,
  folded,
  instruments = false,
}: {
  open: readonly Notification[];
  taken: number;
  folded: boolean;
  instruments?: ReactNode;
}) {
  const app = useAppContext();
  const t = useT();
  const sound = useStore(app.preferences, (state) => state.sound);
  const showAcknowledged = useStore(app.view, (state) => state.showAcknowledged);
  const [permission, setPermission] = useState(() => app.platform.notifyPermission());
  const count = (severity: Notification['severity']) => open.filter((it) => it.severity === severity).length;
  const alarms = count('alarm');
  const warnings = count('warning');
  const infos = count('info');

  return (
    <>
      <h2>{t('queue.title')}</h2>
      {alarms > 0 && <span className="in-alarm strong">{t('queue.alarms', { count: alarms })}</span>}
      {warnings > 0 && <span className="in-warning strong">{t('queue.warnings', { count: warnings })}</span>}
      {infos > 0 && <span className="strong">{t('queue.infos', { count: infos })}</span>}
      {taken > 0 && !showAcknowledged && (
        <Button size="small" kind="quiet" onPress={() => app.view.setState({ showAcknowledged: true })}>
          {t('queue.acknowledged_today', { count: taken })}
        </Button>
      )}
      {showAcknowledged && (
        <Button size="small" onPress={() => app.view.setState({ showAcknowledged: false })}>
          {t('queue.show_open')}
        </Button>
      )}
      <span className="fill" />
      {permission === 'not_asked' && (
        <Button
          size="small"
          kind="quiet"
          icon={Bell}
          onPress={() => void app.platform.askToNotify().then(setPermission)}
        >
          {t('queue.notify_here')}
        </Button>
      )}
      <Button
        size="small"
        kind="quiet"
        icon={sound ? Volume2 : VolumeX}
        onPress={() => app.preferences.setState({ sound: !sound })}
      >
        {sound ? t('queue.sound_on') : t('queue.sound_off')}
      </Button>
      <OwnWindowButton of="queue" />
      {instruments === false && app.windows.name === null ? (
        <IconButton
          icon={folded ? ChevronUp : ChevronDown}
          size="small"
          label={folded ? t('queue.unfold') : t('queue.fold')}
          keycap="\"
          onPress={() => foldPane(app.preferences, 'queue')}
        />
      ) : (
        instruments
      )}
    </>
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
  const showAcknowledged = useStore(app.view, (state) => state.showAcknowledged);
  if (last === null) return <Notice title={t('queue.empty')}>{t('queue.empty_never')}</Notice>;
  return (
    <Notice
      title={t('queue.empty')}
      actions={
        !showAcknowledged && (
          <Button onPress={() => app.view.setState({ showAcknowledged: true })}>
            {t('queue.show_acknowledged')}
          </Button>
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
