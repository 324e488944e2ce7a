import { useCallback, useEffect, useState } from 'react';
import { userRoutes, type Session } from '../../server/contract/users.ts';
import { allPages, PAGE_LIMIT } from '../api/allPages.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Age, TimeOfDay } from '../ui/Moment.tsx';
import { RetryButton } from '../ui/RetryButton.tsx';
import { browserName } from './browserName.ts';

/** Where a user is logged in now, each to be ended at once. */
export function SessionList({ userId }: { userId: string }) {
  const desk = useDesk();
  const say = useText();
  const [sessions, setSessions] = useState<readonly Session[]>([]);
  const [load, setLoad] = useState<LoadState>({ phase: 'loading' });
  const [sentence, setSentence] = useState<string | null>(null);
  const [again, setAgain] = useState(0);

  useEffect(() => {
    const loader = createLoader({
      clock: desk.clock,
      read: (signal) =>
        allPages((cursor) =>
          desk.api.request(userRoutes.sessions, {
            params: { user_id: userId },
            query: { limit: PAGE_LIMIT, cursor },
            signal,
          }),
        ),
      take: setSessions,
      onState: setLoad,
    });
    loader.load();
    return () => loader.stop();
  }, [desk, userId, again]);

  const end = useCallback(
    async (sessionId: string | null) => {
      setSentence(null);
      try {
        await desk.api.request(userRoutes.revokeSessions, {
          params: { user_id: userId },
          query: sessionId === null ? {} : { session_id: sessionId },
        });
        setAgain((count) => count + 1);
      } catch (error) {
        setSentence(sentenceOf(error, say));
      }
    },
    [desk, say, userId],
  );

  return (
    <section className="manage__section" aria-label={say('users.sessions')}>
      <h3>{say('users.sessions')}</h3>
      {load.phase === 'failed' ? (
        <>
          <p className="quiet">{say('users.sessions_failed')}</p>
          <div>
            <RetryButton size="small" onRetry={() => setAgain((count) => count + 1)} />
          </div>
        </>
      ) : sessions.length === 0 ? (
        <p className="quiet">
          {load.phase === 'loading' ? say('users.sessions_reading') : say('users.no_sessions')}
        </p>
      ) : (
        <ul className="session-list">
          {sessions.map((it) => (
            <li key={it.session_id} className="session-list__row">
              <div className="ellipsis">
                <span className="strong">{browserName(it.agent) ?? say('users.agent_unknown')}</span>{' '}
                <span className="quiet">{it.address}</span>
              </div>
              <Button
                size="small"
                label={say('users.end_session_at', { address: it.address ?? '' })}
                onPress={() => void end(it.session_id)}
              >
                {say('users.end_session')}
              </Button>
              <div className="faint small session-list__times">
                {say('users.session_since')} <TimeOfDay at={Date.parse(it.created_at)} withDate />
                {' · '}
                {say('users.session_seen')} <Age since={Date.parse(it.last_seen_at)} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {sessions.length > 1 && (
        <div>
          <Button size="small" onPress={() => void end(null)}>
            {say('users.end_all_sessions', { count: sessions.length })}
          </Button>
        </div>
      )}
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
    </section>
  );
}
