import { ListVideo, Plus, SquarePlay } from 'lucide-react';
import { useMemo, useState, type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand';
import type { Task } from '../../server/contract/video.ts';
import { isProblem } from '../api/errors.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { AccessDialog } from '../video/evidence/AccessList.tsx';
import { EvidenceDialog } from '../video/evidence/EvidenceDialog.tsx';
import { ClipMap } from '../video/player/ClipMap.tsx';
import type { Orderable } from '../video/player/DayBar.tsx';
import { PlayerPane, usePlayback, type PlayerPaneProps } from '../video/player/PlayerPane.tsx';
import { useTrack } from '../video/player/readTrack.ts';
import { QueuePane } from '../video/queue/QueuePane.tsx';
import { KeptDialog } from '../video/requests/KeptDialog.tsx';
import { OrderDialog } from '../video/requests/OrderDialog.tsx';
import { OrderList } from '../video/requests/OrderList.tsx';
import type { OrderPaper } from '../video/requests/OrderRow.tsx';
import { useEventsOf, useOrders, useSubject } from '../video/requests/useOrders.ts';
import { orderIdOf, type VideoRequest } from '../video/requests/videoOrders.ts';
import { useVideo, useVideoControls } from '../video/useVideo.ts';
import './VideoScreen.css';

type Open =
  | { dialog: 'order'; initial: Orderable | null }
  | { dialog: 'kept' }
  | { dialog: OrderPaper; tasks: readonly Task[] }
  | null;

/** The video of a moment: pictures, speed and place on one clock, and all orders beside them. */
export function VideoScreen() {
  const app = useAppContext();
  const { query } = useStore(app.navigation.store);
  const taskId = query['task'] ?? null;
  const video = useVideo();
  const orders = useOrders();
  useEventsOf(orders);
  const [open, setOpen] = useState<Open>(null);
  const task = useStore(video.tasks, (state) => state.byId.get(taskId ?? ''));
  const order = useMemo(
    () => (task === undefined ? undefined : orders.find((it) => it.id === orderIdOf(task))),
    [orders, task],
  );
  const show = (id: string | null) => app.navigation.go('video', { task: id });
  const showOrder = (it: VideoRequest) => show(it.tasks[0]?.task_id ?? null);
  const openOrder = () =>
    setOpen({ dialog: 'order', initial: order === undefined ? null : { ...order, eventId: null } });
  const isQueue = query['view'] === 'queue';
  const openQueue = () => app.navigation.go('video', { view: 'queue' });
  useVideoControls({
    request: video.mayOrder ? openOrder : undefined,
    queue: isQueue ? undefined : openQueue,
  });

  const list = (
    <OrderList
      orders={orders}
      selectedId={order?.id ?? null}
      onSelect={showOrder}
      onOrder={openOrder}
      onQueue={openQueue}
      onKept={() => setOpen({ dialog: 'kept' })}
      onPaper={(dialog, { tasks }) => setOpen({ dialog, tasks })}
    />
  );
  return (
    <div className="video">
      {isQueue ? (
        <QueuePane query={query} onOpen={show} onOrder={openOrder} onPlayer={() => show(null)} />
      ) : order === undefined ? (
        <>
          <NothingToPlay
            taskId={task === undefined ? taskId : null}
            onOrder={openOrder}
            onQueue={openQueue}
          />
          <div className="video__side">{list}</div>
        </>
      ) : (
        <ShownOrder
          key={order.id}
          order={order}
          list={list}
          onOrder={openOrder}
          day={{
            others: orders.filter((it) => it.vehicleId === order.vehicleId),
            onShow: showOrder,
            onOrder: (initial) => {
              if (video.mayOrder) setOpen({ dialog: 'order', initial });
            },
          }}
        />
      )}
      {open?.dialog === 'order' && (
        <OrderDialog initial={open.initial} onClose={() => setOpen(null)} onOrdered={show} />
      )}
      {open?.dialog === 'evidence' && <EvidenceDialog tasks={open.tasks} onClose={() => setOpen(null)} />}
      {open?.dialog === 'access' && <AccessDialog tasks={open.tasks} onClose={() => setOpen(null)} />}
      {open?.dialog === 'kept' && <KeptDialog onClose={() => setOpen(null)} />}
    </div>
  );
}

function ShownOrder({
  order,
  list,
  day,
  onOrder,
}: {
  order: VideoRequest;
  list: ReactNode;
  day: PlayerPaneProps['day'];
  onOrder: () => void;
}) {
  const app = useAppContext();
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(order.vehicleId));
  const subject = useSubject(order);
  const track = useTrack(order);
  const playback = usePlayback(order.id, (order.to - order.from) / 1_000);
  return (
    <>
      <PlayerPane order={order} playback={playback} track={track} day={day} onOrder={onOrder} />
      <div className="video__side">
        <ClipMap
          vehicleId={order.vehicleId}
          vehicleName={vehicle?.name ?? ''}
          from={order.from}
          to={order.to}
          track={track}
          limitKmh={subject?.limitKmh ?? vehicle?.speed_limit_kmh ?? null}
          severity={subject?.severity ?? null}
          playback={playback}
        />
        {list}
      </div>
    </>
  );
}

/** The empty state of the player, and that of a link that leads nowhere. */
function NothingToPlay({
  taskId,
  onOrder,
  onQueue,
}: {
  taskId: string | null;
  onOrder: () => void;
  onQueue: () => void;
}) {
  const video = useVideo();
  const t = useT();
  const sought = useSoughtTask(taskId);
  const order = (
    <>
      {video.mayOrder && (
        <Button kind="primary" icon={Plus} keycap="V" onPress={onOrder}>
          {t('video_requests.order')}
        </Button>
      )}
      <Button icon={ListVideo} keycap="Q" onPress={onQueue}>
        {t('tasks.open')}
      </Button>
    </>
  );
  return (
    <Pane name={t('player.title')} className="player" head={<h2>{t('player.title')}</h2>}>
      <StaleBanner>{t('player.stale_fetching')}</StaleBanner>
      {sought.phase === 'none' ? (
        <Notice icon={SquarePlay} title={t('player.empty')} actions={order}>
          {t('player.empty_how')}
        </Notice>
      ) : sought.phase === 'looking' ? (
        <Notice title={t('player.link_looking')} />
      ) : isProblem(sought.error, 'not_found', 'forbidden', 'validation_failed') ? (
        <Notice icon={SquarePlay} title={t('player.link_dead')} actions={order}>
          {t('player.link_dead_how')}
        </Notice>
      ) : (
        <LoadFailure
          title={t('player.link_failed')}
          stillWorks={t('video_requests.failed_still')}
          error={sought.error}
          nextTryAt={null}
          onRetry={sought.retry}
        />
      )}
    </Pane>
  );
}

export type SoughtTask =
  { phase: 'none' } | { phase: 'looking' } | { phase: 'failed'; error: unknown; retry: () => void };

/** Reads the task that a link names, when the list is here and does not hold it; null seeks nothing. */
function useSoughtTask(taskId: string | null): SoughtTask {
  const { stream } = useAppContext();
  const { taskStore } = useVideo();
  const isListed = useStore(taskStore.store, (state) => state.load.phase !== 'loading');
  const [round, setRound] = useState(0);
  const [failure, setFailure] = useState<{ taskId: string; error: unknown } | null>(null);
  useEffect(() => {
    if (taskId === null || !isListed) return;
    const abort = new AbortController();
    taskStore.seek(taskId, abort.signal).then(
      () => setFailure(null),
      (error: unknown) => {
        if (!abort.signal.aborted) setFailure({ taskId, error });
      },
    );
    const undo = stream.onLink((link) => {
      if (link.phase === 'live') setRound((it) => it + 1);
    });
    return () => {
      abort.abort();
      undo();
    };
  }, [stream, taskStore, taskId, isListed, round]);
  if (taskId === null) return { phase: 'none' };
  if (failure === null || failure.taskId !== taskId) return { phase: 'looking' };
  return { phase: 'failed', error: failure.error, retry: () => setRound((it) => it + 1) };
}
