import { Unplug } from 'lucide-react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useNow } from '../appContext/useMoment.ts';
import { formatAge } from '../format/age.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { LinkState } from '../stream/linkState.ts';

const BEATS = 6;
/** So long it is said that the link is back. */
const AGAIN_MS = 6_000;

/** The heartbeat, the word, and the age of the last message; lost: since when, and the next try. */
export function ConnectionField() {
  const app = useAppContext();
  const t = useT();
  const { link, lastMessageAt, beats, caughtUp, malformed } = useStore(app.connection);
  const now = useNow();
  const ageOf = (localMs: number) => now - app.serverTime.of(localMs);

  if (link.phase === 'lost') return <LostField link={link} ageOf={ageOf} />;
  const isAgain = link.phase === 'live' && link.lostBefore !== null && ageOf(link.since) < AGAIN_MS;
  const strokes = [...Array.from({ length: BEATS - beats.length }, () => null), ...beats];
  return (
    <div
      className="connection"
      role="status"
      title={malformed === 0 ? undefined : t('connection.malformed', { count: malformed })}
    >
      <span className="connection__beats" aria-hidden>
        {strokes.map((beat, index) => (
          <i key={index} className={beat === null ? 'none' : beat ? 'high' : 'low'} />
        ))}
      </span>
      {link.phase === 'connecting' ? (
        <b>{t('connection.connecting')}</b>
      ) : (
        <>
          <b>{isAgain ? t('connection.again') : t('connection.live')}</b>
          <span className="connection__age">
            {isAgain && caughtUp > 0
              ? t('connection.caught_up', { count: caughtUp })
              : lastMessageAt !== null &&
                t('connection.last_message', { age: formatAge(ageOf(lastMessageAt)) })}
          </span>
        </>
      )}
    </div>
  );
}

function LostField({
  link,
  ageOf,
}: {
  link: Extract<LinkState, { phase: 'lost' }>;
  ageOf: (localMs: number) => number;
}) {
  const app = useAppContext();
  const t = useT();
  return (
    <div className="connection-lost hatch" role="status">
      <Icon of={Unplug} />
      <b>
        {link.isRefused === true
          ? t('connection.too_many')
          : t('connection.lost_ago_short', { age: formatAge(ageOf(link.since)) })}
      </b>
      <span className="quiet">
        {link.nextTryAt === null
          ? t('connection.trying')
          : t('connection.next_try', { age: formatAge(Math.max(0, -ageOf(link.nextTryAt)) + 999) })}
      </span>
      <Button size="small" keycap="R" disabled={link.nextTryAt === null} onPress={() => app.stream.tryNow()}>
        {t('ui.try_now')}
      </Button>
    </div>
  );
}
