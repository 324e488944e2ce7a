import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { useClips } from '../video/player/useClips.ts';
import { useOrders } from '../video/requests/useOrders.ts';
import type { VideoRequest } from '../video/requests/videoOrders.ts';

const MOST_CAMERAS = 4;

/** The cameras of the alarm that is shown, else those of the newest video; nothing without any. */
export function WallCameras() {
  const app = useAppContext();
  const orders = useOrders();
  const shown = useStore(app.view, (state) => state.notificationId);
  const events = useStore(
    app.notifications.store,
    (state) => state.byId.get(shown ?? '')?.event_ids ?? NO_EVENTS,
  );
  const order = useMemo(() => {
    const ready = orders.filter(({ phase }) => phase === 'ready');
    return ready.find(({ eventId }) => eventId !== null && events.includes(eventId)) ?? ready[0];
  }, [orders, events]);
  return order === undefined ? null : <Cameras key={order.id} order={order} />;
}

const NO_EVENTS: readonly string[] = [];

function Cameras({ order }: { order: VideoRequest }) {
  const t = useT();
  const time = useDepotTime();
  const name = useVehicleName(order.vehicleId);
  const { shows, onFault } = useClips(order);
  return (
    <section className="wall__cameras" aria-label={t('wall.cameras', { vehicle: name })}>
      {shows.slice(0, MOST_CAMERAS).map(({ channel, clip, task }) => (
        <figure key={channel}>
          {clip?.phase === 'here' ? (
            // Without sound: what is said in a vehicle is not for a whole room.
            <video
              key={clip.url}
              src={clip.url}
              muted
              autoPlay
              loop
              playsInline
              onError={() => onFault(task.task_id)}
            />
          ) : (
            <div className="wall__no-picture hatch">
              {t(clip?.phase === 'failed' ? 'wall.no_picture' : 'wall.loading')}
            </div>
          )}
          <figcaption>
            {t('wall.camera', { vehicle: name, channel, time: time.clock(order.from) })}
          </figcaption>
        </figure>
      ))}
    </section>
  );
}
