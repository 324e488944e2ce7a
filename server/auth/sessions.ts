import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { keptPerUser } from '../contract/quotas.ts';
import type { Session } from '../contract/users.ts';
import type { Act } from '../store/acts.ts';
import type { SessionRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';

export type SessionEnd = { user_id: string; session_id: string };

const dayMs = 86_400_000;
/** Of so many addresses the last login is remembered, for so long; after a restart by the sessions that are stored. */
const maxAddresses = 1_000;
const addressDays = 30;

export type Sessions = Awaited<ReturnType<typeof loadSessions>>;

export async function loadSessions(
  store: Pick<Store, 'sessions' | 'saveSessions' | 'deleteSessions'>,
  clock: Clock,
  sessionDays: () => number,
) {
  const live = new Map<string, SessionRow>();
  const idsOf = new Map<string, Set<string>>();
  const listeners = new Set<(ended: SessionEnd[]) => void>();
  /** When the last session of each address began; the longest ago stands first. */
  const begunFrom = new Map<string, number>();
  const rows = await store.sessions();
  for (const row of rows.sort((a, b) => a.created_ms - b.created_ms)) {
    keep(row);
    noteAddress(row);
  }

  function noteAddress({ ip_address: address, created_ms }: SessionRow): void {
    if (address === null) return;
    begunFrom.delete(address);
    begunFrom.set(address, created_ms);
    const [oldest] = begunFrom.keys();
    if (begunFrom.size > maxAddresses && oldest !== undefined) begunFrom.delete(oldest);
  }

  function keep(row: SessionRow): void {
    live.set(row.session_id, row);
    idsOf.set(row.user_id, (idsOf.get(row.user_id) ?? new Set()).add(row.session_id));
  }

  function forget({ session_id, user_id }: SessionRow): void {
    live.delete(session_id);
    const ids = idsOf.get(user_id);
    ids?.delete(session_id);
    if (ids?.size === 0) idsOf.delete(user_id);
  }

  function of(userId: string): SessionRow[] {
    return [...(idsOf.get(userId) ?? [])].flatMap((id) => live.get(id) ?? []);
  }

  /**
   * What a user has beyond the limit. A tool that logs in before every call never refreshes a session: its own go
   * first, and that of a person who works in the console stays.
   */
  function beyondLimit(userId: string): SessionRow[] {
    const current = of(userId);
    if (current.length <= keptPerUser.sessions) return [];
    const isUsed = (row: SessionRow) => (row.last_seen_ms > row.created_ms ? 1 : 0);
    return current
      .sort((a, b) => isUsed(a) - isUsed(b) || a.last_seen_ms - b.last_seen_ms)
      .slice(0, current.length - keptPerUser.sessions);
  }

  function ended(rows: readonly SessionRow[]): void {
    for (const row of rows) forget(row);
    for (const listener of listeners)
      listener(rows.map(({ user_id, session_id }) => ({ user_id, session_id })));
  }

  async function drop(rows: readonly SessionRow[]): Promise<void> {
    if (rows.length === 0) return;
    ended(rows);
    await store.deleteSessions(rows.map((row) => row.session_id));
  }

  return {
    async begin(
      userId: string,
      { address, userAgent }: { address: string | null; userAgent: string | null },
    ): Promise<SessionRow> {
      const now = clock.now();
      const row: SessionRow = {
        session_id: randomUUID(),
        user_id: userId,
        created_ms: now,
        last_seen_ms: now,
        expires_ms: now + sessionDays() * dayMs,
        ip_address: address,
        user_agent: userAgent?.slice(0, 300) ?? null,
      };
      // Known before it is stored, so that an end of all the user's sessions ends this one too.
      keep(row);
      try {
        await store.saveSessions([row]);
      } catch (error) {
        forget(row);
        throw error;
      }
      noteAddress(row);
      await drop(beyondLimit(userId).filter((it) => it !== row));
      return row;
    },

    /** `ended`: revoked, logged out, or never there; `over`: it has reached its last day. */
    state(sessionId: string, userId: string): 'live' | 'over' | 'ended' {
      const row = live.get(sessionId);
      if (row?.user_id !== userId) return 'ended';
      return clock.now() >= row.expires_ms ? 'over' : 'live';
    },

    get: (sessionId: string): SessionRow | undefined => live.get(sessionId),

    /**
     * Whether a session began from this address in the last 30 days, ended or not, and among the last 1,000 addresses.
     */
    hasBegunFrom: (address: string): boolean =>
      clock.now() - (begunFrom.get(address) ?? -Infinity) < addressDays * dayMs,

    async touch(sessionId: string): Promise<void> {
      const row = live.get(sessionId);
      if (row === undefined) return;
      const touched = { ...row, last_seen_ms: clock.now() };
      live.set(sessionId, touched);
      await store.saveSessions([touched]);
    },

    sessionsOf: (userId: string): Session[] =>
      of(userId)
        .filter((row) => clock.now() < row.expires_ms)
        .map((row) => ({
          session_id: row.session_id,
          user_id: row.user_id,
          created_at: new Date(row.created_ms).toISOString(),
          last_seen_at: new Date(row.last_seen_ms).toISOString(),
          expires_at: new Date(row.expires_ms).toISOString(),
          ip_address: row.ip_address,
          user_agent: row.user_agent,
        })),

    /** Ends all sessions of a user, or the named one. */
    end: (userId: string, sessionId?: string): Promise<void> =>
      drop(of(userId).filter((row) => sessionId === undefined || row.session_id === sessionId)),

    // One that begins meanwhile is no longer valid by the user's `sessions_since`.
    /** Ends all sessions of a user, as part of an act. */
    endAll(userId: string, act: Pick<Act, 'write'>): void {
      const rows = of(userId);
      const ids = rows.map((row) => row.session_id);
      act.write('deleteSessions', ids, () => ended(rows));
    },

    /** Called when sessions end. Returns its undo. */
    onEnd(listener: (ended: SessionEnd[]) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    // A day longer, so that the last JWTs are rejected as expired, not as revoked.
    /** Forgets those that are over; called once a day. */
    prune: (): Promise<void> =>
      drop([...live.values()].filter((row) => clock.now() >= row.expires_ms + dayMs)),
  };
}
