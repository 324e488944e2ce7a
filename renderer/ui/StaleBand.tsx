import type { ReactNode } from 'react';
import { useLostSince, useOfNow } from '../appContext/useMoment.ts';
import { formatAge } from '../format/age.ts';
import { useT } from '../i18n/useT.ts';
import './StaleBand.css';

/** The hatched line on top of a pane that goes on with what it has: nothing while the server is there. */
export function StaleBanner({ children }: { children: ReactNode }) {
  const t = useT();
  const lostSince = useLostSince();
  const lost = useOfNow((now) =>
    lostSince === null ? null : t('connection.lost_ago', { age: formatAge(now - lostSince) }),
  );
  if (lost === null) return null;
  return (
    <div className="stale-band hatch">
      <b>{lost}</b> {children}
    </div>
  );
}
