import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { detailText } from '../ui/formFaults.ts';
import { Moment } from '../ui/Moment.tsx';
import '../ui/StaleBand.css';

/** So many troubles are named. */
const NAMED = 2;

/** What keeps the host from working fully, on top of every screen; nothing while all is well. */
export function HealthBanner() {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const health = useStore(app.connection, (state) => state.health);
  if (health === null || health.reasons.length === 0) return null;
  const further = health.reasons.length - NAMED;
  return (
    <div className="stale-band hatch" role={health.status === 'failing' ? 'alert' : 'status'}>
      {health.reasons.slice(0, NAMED).map(({ code, since, detail, causes }) => (
        <div key={code}>
          <b>{t('health.title', { problem: t(`health.${code}`) })}</b>{' '}
          {detailText({ detail: detail ?? '', causes }, t, time)}{' '}
          <span className="quiet">
            {t('health.since')} <Moment at={since} />
          </span>
        </div>
      ))}
      {further > 0 && <div className="quiet">{t('health.more', { count: further })}</div>}
    </div>
  );
}
