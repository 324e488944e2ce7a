import { useCallback } from 'react';
import { useStore } from 'zustand';
import { shareRoutes, type Share } from '../../server/contract/shares.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { usePolling, type Reread } from '../resources/useReread.ts';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Failure } from '../ui/Form.tsx';
import { Moment } from '../ui/Moment.tsx';
import '../ui/manage.css';

/** Colleagues share vehicles, too, and vehicles leave geofences. */
export const SHARES_AGAIN_MS = 30_000;

/** The links that a user created, to whatever vehicles. */
export function SharesOfUser({ userId }: { userId: string }) {
  const { api } = useAppContext();
  const t = useT();
  const read = useCallback(
    async (signal: AbortSignal) =>
      (await api.request(shareRoutes.listGiven, { query: { user_id: userId }, signal })).items,
    [api, userId],
  );
  const shares = usePolling(read, SHARES_AGAIN_MS);
  const label = t('shares.given');
  return <ShareList shares={shares} label={label} none={t('shares.none_given')} named />;
}

/** Links to vehicles, each to be ended. */
export function ShareList({
  shares: { value: shares, load, again },
  label,
  none,
  named = false,
}: {
  shares: Reread<Share[]>;
  label: string;
  none: string;
  /** With the vehicle of each. */
  named?: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const geofences = useStore(app.geofences.store, ({ byId }) => byId);
  const vehicles = useStore(app.vehicles.store, ({ byId }) => byId);
  const { busy, sentence, run } = useAction();
  const end = ({ share_id }: Share) =>
    run(async () => {
      await app.api.request(shareRoutes.end, { params: { share_id } });
      again();
    });
  if (load.phase === 'failed') return <p className="quiet">{t('shares.failed')}</p>;
  if (shares === null || shares.length === 0)
    return <p className="quiet">{shares === null ? t('shares.loading') : none}</p>;
  return (
    <>
      <ul className="row-list" aria-label={label}>
        {shares.map((it) => (
          <li key={it.share_id} className="row-list__row">
            <div className="ellipsis strong" title={it.name}>
              {it.name}
            </div>
            <ConfirmButton
              size="small"
              disabled={busy}
              confirm={t('shares.end_really', { name: it.name })}
              onConfirm={() => void end(it)}
            >
              {t('shares.end')}
            </ConfirmButton>
            <div className="quiet small row-list__line">
              {[
                ...(named ? [vehicles.get(it.vehicle_id)?.name ?? t('shares.unseen')] : []),
                ...it.shows.map((detail) => t(`shares.detail.${detail}`)),
                ...sideOf(it),
              ].join(' · ')}
            </div>
            {it.state !== 'shown' && (
              <div className="small row-list__line">
                {t(it.state === 'no_position' ? 'shared.never' : `shares.state.${it.state}`)}
              </div>
            )}
            <div className="faint small row-list__line">
              {t('shares.until')} <Moment at={it.expires_at} />
            </div>
          </li>
        ))}
      </ul>
      <Failure>{sentence}</Failure>
    </>
  );

  function sideOf({ where }: Share): string[] {
    if (where === null) return [];
    const name = geofences.get(where.geozone_id)?.name ?? t('place.unknown_geofence');
    return [t(`shares.only_${where.side}`, { name })];
  }
}
