import { useEffect, useState } from 'react';
import { userRoutes, type Session } from '../../server/contract/users.ts';
import { fetchAllPages, PAGE_LIMIT } from '../api/client.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { Age, TimeOfDay } from '../ui/Moment.tsx';
import { RetryButton } from '../ui/RetryButton.tsx';

/** Where a user is logged in now, each to be ended at once. */
export function SessionList({ userId }: { userId: string }) {
  const app = useAppContext();
  const t = useT();
  const [sessions, setSessions] = useState<readonly Session[]>([]);
  const [load, setLoad] = useState<LoadState>({ phase: 'loading' });
  const { sentence, run } = useAction();
  const [round, setRound] = useState(0);

  useEffect(() => {
    const loader = createLoader({
      clock: app.clock,
      read: (signal) =>
        fetchAllPages((cursor) =>
          app.api.request(userRoutes.sessions, {
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
  }, [app, userId, round]);

  const end = (sessionId: string | null) =>
    run(async () => {
      await app.api.request(userRoutes.revokeSessions, {
        params: { user_id: userId },
        query: sessionId === null ? {} : { session_id: sessionId },
      });
      setRound((count) => count + 1);
    });

  return (
    <section className="manage__section" aria-label={t('users.sessions')}>
      <h3>{t('users.sessions')}</h3>
      {load.phase === 'failed' ? (
        <>
          <p className="quiet">{t('users.sessions_failed')}</p>
          <div>
            <RetryButton size="small" onRetry={() => setRound((count) => count + 1)} />
          </div>
        </>
      ) : sessions.length === 0 ? (
        <p className="quiet">
          {load.phase === 'loading' ? t('users.sessions_reading') : t('users.no_sessions')}
        </p>
      ) : (
        <ul className="session-list">
          {sessions.map((it) => (
            <li key={it.session_id} className="session-list__row">
              <div className="ellipsis">
                <span className="strong">{browserName(it.user_agent) ?? t('users.user_agent_unknown')}</span>{' '}
                <span className="quiet">{it.ip_address}</span>
              </div>
              <Button
                size="small"
                label={t('users.end_session_at', { address: it.ip_address ?? '' })}
                onPress={() => void end(it.session_id)}
              >
                {t('users.end_session')}
              </Button>
              <div className="faint small session-list__times">
                {t('users.session_since')} <TimeOfDay at={Date.parse(it.created_at)} withDate />
                {' · '}
                {t('users.session_seen')} <Age since={Date.parse(it.last_seen_at)} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {sessions.length > 1 && (
        <div>
          <Button size="small" onPress={() => void end(null)}>
            {t('users.end_all_sessions', { count: sessions.length })}
          </Button>
        </div>
      )}
      <Failure>{sentence}</Failure>
    </section>
  );
}

/** From the most particular name to the most general: each browser also names those that it can pass for. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Electron\//, 'Fleetdeck'],
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/python-requests/i, 'Python'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** "Firefox, Windows" of a `User-Agent` header; the beginning of one that nobody knows; null for none. */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null || userAgent.trim() === '') return null;
  const names = [BROWSERS, SYSTEMS].flatMap(
    (table) => table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? [],
  );
  return names.length === 0 ? userAgent.slice(0, 40) : names.join(', ');
}
