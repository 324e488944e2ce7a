import { Play } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Incident } from '../../server/contract/incidents.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useLostSince, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Meter } from '../ui/Meter.tsx';
import { orderProgress, videoOrders, type VideoRequest } from '../video/requests/videoOrders.ts';
import { requestVideo } from './incidentActions.ts';
import { mayWork } from './incidentCommands.ts';

/** The attached clips by moment, how far they are, and a key that requests the moment of the incident. */
export function IncidentClips({ incident }: { incident: Incident }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const { task_ids, vehicle_id, status } = incident;
  const tasks = useStore(app.video.tasks, (state) => state.byId);
  const isRead = useStore(app.video.tasks, (state) => state.load.phase === 'ready');
  const missing = isRead ? task_ids.filter((id) => !tasks.has(id)).join(' ') : '';
  useEffect(() => {
    if (missing === '') return;
    const abort = new AbortController();
    for (const id of missing.split(' ')) {
      // One that was deleted keeps its line in the timeline.
      app.video.taskStore.seek(id, abort.signal).catch(() => undefined);
    }
    return () => abort.abort();
  }, [app, missing]);
  const orders = useMemo(() => {
    const ids = new Set(task_ids);
    return videoOrders(
      [...tasks.values()].filter((it) => ids.has(it.task_id)),
      () => false,
    );
  }, [tasks, task_ids]);
  const mayRequest = app.video.mayOrder && vehicle_id !== null && mayWork(app) && status !== 'closed';
  if (orders.length === 0 && !mayRequest) return null;
  return (
    <section className="incident__section" aria-label={t('incident.clips')}>
      <div className="incident__title">
        <h3 className="fill">{t('incident.clips')}</h3>
        {mayRequest && (
          <Button size="small" keycap="V" disabled={lost} onPress={() => requestVideo(app, incident)}>
            {t('incident.request_video')}
          </Button>
        )}
      </div>
      {orders.length === 0 ? (
        <p className="quiet">{t('incident.no_clips')}</p>
      ) : (
        <ul>
          {orders.map((order) => (
            <ClipRow key={order.id} order={order} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ClipRow({ order }: { order: VideoRequest }) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  const { done, of, part, waitsSince } = orderProgress(order);
  const ready = order.shown.find((it) => it.status === 'done');
  return (
    <li className="incident-clip">
      <span className="num fill ellipsis">
        {t('video_requests.span', { from: time.moment(order.from, now), to: time.clock(order.to) })}
      </span>
      {order.phase === 'under_way' && (
        <>
          {ready === undefined && waitsSince === null && (
            <span className="quiet">{t('video.part', { done, of })}</span>
          )}
          {waitsSince === null ? (
            <Meter label={t('video.loading')} value={part} />
          ) : (
            <span className="quiet">{t('video.waits')}</span>
          )}
        </>
      )}
      {order.phase === 'failed' && <span className="quiet">{t('video.failed')}</span>}
      {ready !== undefined && (
        <Button size="small" icon={Play} onPress={() => app.video.play(ready.task_id)}>
          {t('video.ready', { done, of })}
        </Button>
      )}
    </li>
  );
}
