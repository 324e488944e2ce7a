import { useCallback } from 'react';
import { userRoutes } from '../../server/contract/users.ts';
import { fetchAllPages, PAGE_LIMIT } from '../api/client.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { usePolling } from '../resources/useReread.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { Age, TimeOfDay } from '../ui/Moment.tsx';
import { RetryButton } from '../ui/RetryButton.tsx';

/** Others log in and out meanwhile. */
const AGAIN_MS = 30_000;

/** Where a user is logged in now, each to be ended at once. */
export function SessionList({ userId }: { userId: string }) {
  const app = useAppContext();
  const t = useT();
  const read = useCallback(
    (signal: AbortSignal) =>
      fetchAllPages((cursor) =>
        app.api.request(userRoutes.sessions, {
          params: { user_id: userId },
          query: { limit: PAGE_LIMIT, cursor },
          signal,
        }),
      ),
    [app, userId],
  );
  const { value, load, again } = usePolling(read, AGAIN_MS);
  const sessions = value ?? [];
  const { sentence, run } = useAction();

  const end = (sessionId: string | null) =>
    run(async () => {
      await app.api.request(userRoutes.revokeSessions, {
        params: { user_id: userId },
        query: sessionId === null ? {} : { session_id: sessionId },
      });
      again();
    });

  return (
    <section className="manage__section" aria-label={t('users.sessions')}>
      <h3>{t('users.sessions')}</h3>
      {load.phase === 'failed' ? (
        <>
          <p className="quiet">{t('users.sessions_failed')}</p>
          <div>
            <RetryButton size="small" onRetry={again} />
          </div>
        </>
      ) : sessions.length === 0 ? (
        <p className="quiet">{value === null ? t('users.sessions_reading') : t('users.no_sessions')}</p>
      ) : (
        <ul className="row-list">
          {sessions.map((it) => (
            <li key={it.session_id} className="row-list__row">
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
              <div className="faint small row-list__line">
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
