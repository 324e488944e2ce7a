import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { TroubleCode } from '../contract/health.ts';
import type { RuleEvent } from '../notifications/ruleEngine.ts';
import { timeOrderedId } from '../pipeline/pendingBatch.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Health } from '../settings/health.ts';
import type { Store } from '../store/operations.ts';
import type { EventRow } from '../store/telemetry/rows.ts';
import { eventRow } from '../telemetry/eventRows.ts';
import { isoTime } from '../telemetry/presentPosition.ts';

/** What is over sooner is shown, and is no event. */
const LASTING_MS = 10_000;
/** A trouble that comes again so soon is the same event, which goes on. */
const SAME_WITHIN_MS = 300_000;
/** A full disk takes no events either: they are stored when it has space again. */
const AGAIN_MS = 10_000;
/** More than there are kinds of trouble. */
const READ_BACK = 100;

export interface HostEventsDeps {
  health: Pick<Health, 'troubles'>;
  store: Pick<Store, 'events'>;
  raise: Pipeline['raiseOfHost'];
  clock: Clock;
  log: Logger;
}

/**
 * Makes `host_trouble` events of the troubles of the host that last, one for each cause from its beginning to its end.
 * What an earlier run left open goes on if its cause does, else it ends with the start. Returns the undo.
 */
export async function recordTroubles(deps: HostEventsDeps): Promise<() => void> {
  const { health, clock, log } = deps;
  const last = new Map<TroubleCode, EventRow>();
  /** The last form of each event that is not stored yet; whether it was ever stored. */
  const unsaved = new Map<string, RuleEvent>();
  let stopTimer = (): void => undefined;
  let isSaving = false;
  let isStopped = false;

  const rows = await deps.store.events({ limit: READ_BACK, kinds: ['host_trouble'] });
  for (const row of rows.reverse()) if (row.details.cause !== undefined) last.set(row.details.cause, row);

  function change(event: EventRow, isNew: boolean): void {
    if (event.details.cause !== undefined) last.set(event.details.cause, event);
    unsaved.set(event.event_id, { event, isNew: unsaved.get(event.event_id)?.isNew ?? isNew });
  }

  function look(): void {
    const now_ms = clock.now();
    const present = health.troubles();
    for (const { code, since_ms } of present) if (now_ms - since_ms >= LASTING_MS) begin(code, since_ms);
    const codes = new Set(present.map(({ code }) => code));
    for (const [code, event] of last) {
      if (!codes.has(code) && event.details.ended_at === null) end(event, now_ms);
    }
    void save();
    stopTimer();
    if (!isStopped) stopTimer = clock.after(AGAIN_MS, look);
  }

  function begin(cause: TroubleCode, since_ms: number): void {
    const before = last.get(cause);
    const ended_at = before?.details.ended_at ?? null;
    if (before !== undefined) {
      if (ended_at === null) return;
      if (since_ms - Date.parse(ended_at) < SAME_WITHIN_MS) {
        change({ ...before, details: { ...before.details, ended_at: null, duration_s: null } }, false);
        return;
      }
    }
    change(
      eventRow({
        event_id: timeOrderedId(clock.now()),
        kind: 'host_trouble',
        vehicle_id: null,
        time_ms: since_ms,
        received_ms: clock.now(),
        details: { cause },
      }),
      true,
    );
  }

  function end(event: EventRow, now_ms: number): void {
    const duration_s = Math.max(0, Math.round((now_ms - event.time_ms) / 1_000));
    change({ ...event, details: { ...event.details, ended_at: isoTime(now_ms), duration_s } }, false);
  }

  async function save(): Promise<void> {
    if (isSaving || unsaved.size === 0) return;
    isSaving = true;
    const updates = [...unsaved];
    try {
      await deps.raise(updates.map(([, update]) => update));
      for (const [id, update] of updates) {
        const now = unsaved.get(id);
        if (now === update) unsaved.delete(id);
        else if (now !== undefined) unsaved.set(id, { ...now, isNew: false });
      }
    } catch (error) {
      log.warn({ err: error }, 'troubles of the host could not be stored; retrying');
    } finally {
      isSaving = false;
    }
  }

  // What was found at the start has its time too: troubles of the start itself are known by then.
  stopTimer = clock.after(LASTING_MS, look);
  return () => {
    isStopped = true;
    stopTimer();
  };
}
