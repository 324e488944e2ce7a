import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import type { VideoRequest } from '../video/requests/videoOrders.ts';
import { useDayClips } from './dayClips.ts';
import { goTo } from './historyActions.ts';

const MARK_OF: Record<VideoRequest['phase'], string> = {
  ready: 'is-here',
  under_way: 'is-there',
  failed: 'is-missing',
};

/** The clips of the day: filled where the depot has them, outlined where they are still to come, hatched where they failed. */
export function ClipLane() {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { history } = app;
  const clips = useDayClips();
  const view = useStore(history.store, (state) => state.view);
  const vehicles = useStore(history.store, (state) => state.vehicles);
  if (clips.length === 0) return null;
  const share = (at: number) => Math.min(1, Math.max(0, (at - view.from) / (view.to - view.from)));
  const visible = clips.filter((it) => it.to > view.from && it.from < view.to);
  return (
    <div className="history-lanes__row history-lanes__row--clips">
      <span className="lane__name">
        {t('history.clips')} <span className="faint">{clips.length}</span>
      </span>
      <div className="history-lanes__events">
        {visible.map((clip) => {
          const name = vehicles.find((it) => it.vehicle_id === clip.vehicleId)?.name ?? '';
          const words = t(`history.clip.${clip.phase}`, { name, at: time.clock(clip.from) });
          return (
            <button
              key={clip.id}
              type="button"
              className="history-lanes__clip"
              style={{
                left: `${share(clip.from) * 100}%`,
                width: `${(share(clip.to) - share(clip.from)) * 100}%`,
              }}
              tabIndex={-1}
              aria-label={words}
              title={words}
              onClick={() => goTo(app, clip.from, clip.vehicleId)}
            >
              <i className={MARK_OF[clip.phase]} />
            </button>
          );
        })}
      </div>
    </div>
  );
}
