import type { ReactNode } from 'react';
import { useLostSince, useNow } from '../desk/useMoment.ts';
import { ageText } from '../format/age.ts';
import { useText } from '../i18n/useText.ts';
import './StaleBand.css';

/** The hatched line on top of a pane that goes on with what it has: nothing while the server is there. */
export function StaleBand({ children }: { children: ReactNode }) {
  const say = useText();
  const lostSince = useLostSince();
  const now = useNow();
  if (lostSince === null) return null;
  return (
    <div className="stale-band hatch">
      <b>{say('connection.lost_ago', { age: ageText(now - lostSince) })}</b> {children}
    </div>
  );
}
