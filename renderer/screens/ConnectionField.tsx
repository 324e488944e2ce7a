import { Unplug } from 'lucide-react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useNow } from '../desk/useMoment.ts';
import { ageText } from '../format/age.ts';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { Link } from '../stream/link.ts';

const BEATS = 6;
/** So long it is said that the link is back. */
const AGAIN_MS = 6_000;

/** The heartbeat, the word, and the age of the last message; lost: since when, and the next try. */
export function ConnectionField() {
  const desk = useDesk();
  const say = useText();
  const { link, lastMessageAt, beats, caughtUp, malformed } = useStore(desk.connection);
  const now = useNow();
  const ageOf = (localMs: number) => now - desk.serverTime.of(localMs);

  if (link.phase === 'lost') return <LostField link={link} ageOf={ageOf} />;
  const isAgain = link.phase === 'live' && link.lostBefore !== null && ageOf(link.since) < AGAIN_MS;
  const strokes = [...Array.from({ length: BEATS - beats.length }, () => null), ...beats];
  return (
    <div
      className="connection"
      role="status"
      title={malformed === 0 ? undefined : say('connection.malformed', { count: malformed })}
    >
      <span className="connection__beats" aria-hidden>
        {strokes.map((beat, index) => (
          <i key={index} className={beat === null ? 'none' : beat ? 'high' : 'low'} />
        ))}
      </span>
      {link.phase === 'connecting' ? (
        <b>{say('connection.connecting')}</b>
      ) : (
        <>
          <b>{isAgain ? say('connection.again') : say('connection.live')}</b>
          <span className="connection__age">
            {isAgain && caughtUp > 0
              ? say('connection.caught_up', { count: caughtUp })
              : lastMessageAt !== null &&
                say('connection.last_message', { age: ageText(ageOf(lastMessageAt)) })}
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
  link: Extract<Link, { phase: 'lost' }>;
  ageOf: (localMs: number) => number;
}) {
  const desk = useDesk();
  const say = useText();
  return (
    <div className="connection-lost hatch" role="status">
      <Icon of={Unplug} />
      <b>
        {link.isRefused === true
          ? say('connection.too_many')
          : say('connection.lost_ago_short', { age: ageText(ageOf(link.since)) })}
      </b>
      <span className="quiet">
        {link.nextTryAt === null
          ? say('connection.trying')
          : say('connection.next_try', { age: ageText(Math.max(0, -ageOf(link.nextTryAt)) + 999) })}
      </span>
      <Button size="small" keycap="R" disabled={link.nextTryAt === null} onPress={() => desk.stream.tryNow()}>
        {say('ui.try_now')}
      </Button>
    </div>
  );
}
