import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Rule, VideoWindow } from './contract/rules.ts';
import type { SettingsFields } from './contract/settings.ts';
import type { FenceIndex } from './geofences/fenceIndex.ts';
import type { RecentNotifications } from './notifications/recentNotifications.ts';
import { applyRules, isOwnMeasure, type EventNews } from './notifications/ruleEngine.ts';
import type { NotificationRow, PositionRow, TaskRow } from './store/telemetry/rows.ts';
import { DiskFull } from './store/storeErrors.ts';
import type { Batch, TelemetryStore, Written } from './store/telemetry/telemetryStore.ts';
import { admit, type Admitted, type Arrival } from './telemetry/admission.ts';
import { evaluate } from './telemetry/evaluate.ts';
import type { Accept, Outcome } from './telemetry/gateway/accept.ts';
import { stateRows, type LiveFleet } from './telemetry/liveFleet.ts';
import { withContact, type VehicleState } from './telemetry/vehicleState.ts';
import type { VehicleRecord } from './vehicles/vehicleRecord.ts';

/** What a commit has made true; for all that looks on. */
export interface Committed {
  /** The newest positions of the vehicles that moved. */
  positions: PositionRow[];
  batch: Batch;
  written: Written;
}

export interface PipelineParts {
  store: Pick<TelemetryStore, 'commit' | 'positionsAt'>;
  fleet: LiveFleet;
  recent: RecentNotifications;
  vehicleOf: (terminalId: string) => VehicleRecord | undefined;
  fences: () => FenceIndex;
  rules: () => readonly Rule[];
  /** Whether a rule holds for a vehicle and, where an event has one, for its geofence. */
  inScope: (rule: Rule, vehicleId: string, geozoneId: string | null) => boolean;
  settings: () => SettingsFields;
  /** The video tasks that a rule orders around a moment. */
  planVideo: (notification: NotificationRow, rule: Rule, video: VideoWindow, eventId: string) => TaskRow[];
  clock: Clock;
  log: Logger;
  /** Reads what the engines remember from the store again. */
  recall: () => Promise<void>;
  onUnknown: (arrivals: Arrival[]) => void;
  onCommitted: (committed: Committed) => void;
}

export interface Pipeline {
  accept: Accept;
  /** Runs a change of what the engines remember between two batches, never during one. */
  between<T>(change: () => Promise<T>): Promise<T>;
  /** Takes no more and waits until all that was taken is stored. */
  close(): Promise<void>;
}

interface Waiting {
  arrivals: Arrival[];
  answer: (outcomes: Outcome[]) => void;
}

const largestBatch = 5_000;
/** So many positions hold up everything else for some milliseconds. */
const evaluatedPerTurn = 500;

/**
 * The road of a position: engines and rules over the batch, one transaction, then the acknowledgements, then the
 * stream. What comes in while a batch is being stored makes up the next one.
 */
export function createPipeline(parts: PipelineParts): Pipeline {
  const waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  const changes: (() => Promise<void>)[] = [];
  let closed = false;
  /** Whether the store may hold more than what is remembered here. */
  let isDoubtful = false;

  async function takeIn(arrivals: Arrival[]): Promise<Outcome[]> {
    const admission = await admit(arrivals, {
      ...parts,
      positionsAt: (keys) => parts.store.positionsAt(keys),
      settings: parts.settings(),
    });
    if (admission.unknown.length > 0) parts.onUnknown(admission.unknown);
    const moved = await runEngines(admission.admitted);
    for (const [vehicleId, received_ms] of admission.contacts) {
      const before = moved.states.get(vehicleId) ?? parts.fleet.state(vehicleId);
      const heard = withContact(before, received_ms);
      if (heard !== before) moved.states.set(vehicleId, heard);
    }
    if (moved.states.size === 0 && admission.refused.length === 0) return admission.outcomes;
    const told = applyRules({
      news: moved.news,
      rules: parts.rules(),
      inScope: parts.inScope,
      recent: parts.recent,
      newId: randomUUID,
      now_ms: parts.clock.now(),
    });
    const batch: Batch = {
      positions: admission.admitted.map((it) => it.row),
      events: lastForms(moved.news),
      notifications: told.rows,
      tasks: told.fired.flatMap(({ row, rule, event }) =>
        rule.video === null ? [] : parts.planVideo(row, rule, rule.video, event.event_id),
      ),
      states: stateRows(moved.states),
      refused: admission.refused,
    };
    const written = await commit(batch);

    const positions = newlyNewest(moved.states);
    parts.fleet.apply(moved.states);
    parts.recent.apply(told.rows);
    tell({ positions, batch, written });
    return admission.outcomes;
  }

  async function commit(batch: Batch): Promise<Written> {
    try {
      return await parts.store.commit(batch);
    } catch (error) {
      // A full disk is known to have stored nothing; a store that died may have stored all before it could say so.
      isDoubtful = !(error instanceof DiskFull);
      throw error;
    }
  }

  /** What is stored is stored, whatever those who look on make of it. */
  function tell(committed: Committed): void {
    try {
      parts.onCommitted(committed);
    } catch (error) {
      parts.log.error({ err: error }, 'a batch was stored but not told');
    }
  }

  async function runEngines(admitted: readonly Admitted[]) {
    const states = new Map<string, VehicleState>();
    const news: EventNews[] = [];
    const settings = parts.settings();
    const fences = parts.fences();
    const speedRules = parts.rules().filter((rule) => rule.enabled && isOwnMeasure(rule));
    for (const [at, one] of admitted.entries()) {
      if (at % evaluatedPerTurn === evaluatedPerTurn - 1) await nextTurn();
      const { vehicle_id } = one.vehicle;
      const before = states.get(vehicle_id) ?? parts.fleet.state(vehicle_id);
      const evaluated = evaluate(before, one, {
        fences,
        settings,
        newId: randomUUID,
        speedRules: speedRules.filter((rule) => parts.inScope(rule, vehicle_id, null)),
      });
      states.set(vehicle_id, evaluated.state);
      news.push(...evaluated.news);
    }
    return { states, news };
  }

  function newlyNewest(states: ReadonlyMap<string, VehicleState>): PositionRow[] {
    return [...states].flatMap(([vehicleId, { newest }]) =>
      newest === null || newest === parts.fleet.state(vehicleId).newest ? [] : [newest],
    );
  }

  /** Batches and changes in turns, so that neither keeps the other waiting for long. */
  async function run(): Promise<void> {
    while (waiting.length > 0 || changes.length > 0) {
      await changes.shift()?.();
      if (waiting.length > 0) await store(takeBatch());
    }
    running = null;
  }

  function takeBatch(): Waiting[] {
    const taken: Waiting[] = [];
    let size = 0;
    do {
      const next = waiting.shift();
      if (next === undefined) break;
      taken.push(next);
      size += next.arrivals.length;
    } while (size < largestBatch);
    return taken;
  }

  async function store(taken: readonly Waiting[]): Promise<void> {
    const arrivals = taken.flatMap((it) => it.arrivals);
    let outcomes: Outcome[];
    try {
      if (isDoubtful) await parts.recall();
      isDoubtful = false;
      outcomes = await takeIn(arrivals);
    } catch (error) {
      parts.log.error(
        { err: error, reports: arrivals.length },
        'a batch of positions was not stored; its terminals will send it again',
      );
      outcomes = arrivals.map(() =>
        error instanceof DiskFull
          ? { status: 'failed', code: 'disk_full', detail: 'The disk is full; nothing was stored.' }
          : { status: 'failed', code: 'unavailable', detail: 'The store failed; nothing was stored.' },
      );
    }
    let at = 0;
    for (const { arrivals: mine, answer } of taken) {
      answer(outcomes.slice(at, at + mine.length));
      at += mine.length;
    }
  }

  return {
    accept(reports, origin) {
      const received_ms = parts.clock.now();
      if (closed)
        return Promise.resolve(
          reports.map(() => ({ status: 'failed', code: 'unavailable', detail: 'The host is closing.' })),
        );
      return new Promise((answer) => {
        waiting.push({ arrivals: reports.map((report) => ({ report, origin, received_ms })), answer });
        running ??= run();
      });
    },

    between(change) {
      return new Promise((resolve, reject) => {
        changes.push(() => change().then(resolve, reject));
        running ??= run();
      });
    },

    async close() {
      closed = true;
      while (running !== null) await running;
    },
  };
}

/** An episode that began and grew in one batch is stored in its last form. */
function lastForms(news: readonly EventNews[]) {
  return [...new Map(news.map(({ event }) => [event.event_id, event])).values()];
}
