import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { keptPerUser } from '../contract/quotas.ts';
import type { Session } from '../contract/users.ts';
import type { Act } from '../store/acts.ts';
import type { SessionRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import { DiskFull } from '../store/storeErrors.ts';

export type SessionEnd = { user_id: string; session_id: string };

const dayMs = 86_400_000;
/** Of so many addresses the last login is remembered, for so long; after a restart by the sessions that are stored. */
const maxAddresses = 1_000;
const addressDays = 30;

/** How often it is tried to store what a full disk did not take. */
const storeAgainMs = 5_000;

export type Sessions = Awaited<ReturnType<typeof loadSessions>>;

export async function loadSessions(
  store: Pick<Store, 'sessions' | 'endedSessions' | 'saveSessions' | 'deleteSessions'>,
  clock: Clock,
  sessionDays: () => number,
) {
  const live = new Map<string, SessionRow>();
  const idsOf = new Map<string, Set<string>>();
  const listeners = new Set<(ended: SessionEnd[]) => void>();
  /** When the last session of each address began; the longest ago stands first. */
  const begunFrom = new Map<string, number>();
  /** What the disk had no space for: sessions as they are now, null where one has ended. */
  const unsaved = new Map<string, SessionRow | null>();
  let stopTimer: (() => void) | null = null;
  let isClosed = false;
  /** Of each user the last sign of life of sessions that have ended. */
  const lastSeen = new Map((await store.endedSessions()).map((row) => [row.user_id, row.last_seen_ms]));
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

  function seenBefore(userId: string): number | null {
    const seen = [...of(userId).map((row) => row.last_seen_ms), lastSeen.get(userId) ?? -Infinity];
    const last_ms = Math.max(...seen);
    return last_ms === -Infinity ? null : last_ms;
  }

  function forget({ session_id, user_id }: SessionRow): void {
    live.delete(session_id);
    unsaved.delete(session_id);
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
    for (const row of rows) {
      lastSeen.set(row.user_id, Math.max(row.last_seen_ms, lastSeen.get(row.user_id) ?? 0));
      forget(row);
    }
    for (const listener of listeners)
      listener(rows.map(({ user_id, session_id }) => ({ user_id, session_id })));
  }

  async function drop(rows: readonly SessionRow[]): Promise<void> {
    if (rows.length === 0) return;
    ended(rows);
    const ids = rows.map((row) => row.session_id);
    await orInMemory(new Map(ids.map((id) => [id, null])), () => store.deleteSessions(ids));
  }

  const save = (row: SessionRow) =>
    orInMemory(new Map([[row.session_id, row]]), () => store.saveSessions([row]));

  /** A full disk keeps nobody from logging in or out: what it cannot take is stored when it has space again. */
  async function orInMemory(
    changes: ReadonlyMap<string, SessionRow | null>,
    write: () => Promise<void>,
  ): Promise<void> {
    try {
      await write();
      for (const id of changes.keys()) unsaved.delete(id);
    } catch (error) {
      if (!(error instanceof DiskFull)) throw error;
      for (const [id, row] of changes) unsaved.set(id, row);
      tryLater();
    }
  }

  function tryLater(): void {
    if (!isClosed) stopTimer ??= clock.after(storeAgainMs, () => void storeAgain());
  }

  async function storeAgain(): Promise<void> {
    stopTimer = null;
    const changes = new Map(unsaved);
    const present = [...changes.values()].filter((row) => row !== null);
    const gone = [...changes].flatMap(([id, row]) => (row === null ? [id] : []));
    try {
      if (present.length > 0) await store.saveSessions(present);
      if (gone.length > 0) await store.deleteSessions(gone);
      for (const [id, change] of changes) if (unsaved.get(id) === change) unsaved.delete(id);
    } catch {
      tryLater();
    }
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
        earlier_seen_ms: seenBefore(userId),
      };
      // Known before it is stored, so that an end of all the user's sessions ends this one too.
      keep(row);
      try {
        await save(row);
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

    /** @param prolongs counts its days from now again */
    async touch(sessionId: string, prolongs: boolean): Promise<void> {
      const row = live.get(sessionId);
      if (row === undefined) return;
      const now = clock.now();
      const expires_ms = prolongs ? Math.max(row.expires_ms, now + sessionDays() * dayMs) : row.expires_ms;
      const touched = { ...row, last_seen_ms: now, expires_ms };
      live.set(sessionId, touched);
      await save(touched);
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

    /** Tries no more to store what a full disk did not take. */
    close(): void {
      isClosed = true;
      stopTimer?.();
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
