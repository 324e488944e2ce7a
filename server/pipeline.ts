import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Rule, VideoWindow } from './contract/rules.ts';
import type { SettingsFields } from './contract/settings.ts';
import type { FenceIndex } from './geofences/fenceIndex.ts';
import type { RecentNotifications } from './notifications/recentNotifications.ts';
import { applyRules, isOwnMeasure, type EventNews, type ShelvedUntil } from './notifications/ruleEngine.ts';
import { createPassingTime } from './pipeline/passingTime.ts';
import { createTurns } from './pipeline/turns.ts';
import type { EventRow, NotificationRow, PositionRow, TaskRow } from './store/telemetry/rows.ts';
import { DiskFull } from './store/storeErrors.ts';
import { emptyBatch } from './store/telemetry/emptyBatch.ts';
import type { Batch, TelemetryStore, Written } from './store/telemetry/telemetryStore.ts';
import { admit, type Admitted, type Arrival } from './telemetry/admission.ts';
import { elapse, nextMoment } from './telemetry/elapse.ts';
import { evaluate, type Surroundings } from './telemetry/evaluate.ts';
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
  /** Of those that are not archived. */
  vehicleById: (vehicleId: string) => VehicleRecord | undefined;
  vehicles: () => readonly VehicleRecord[];
  fences: () => FenceIndex;
  rules: () => readonly Rule[];
  /** Whether a rule holds for a vehicle and, where an event has one, for its geofence. */
  inScope: (rule: Rule, vehicleId: string, geozoneId: string | null) => boolean;
  shelvedUntil: ShelvedUntil;
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
  /** Takes in what happened elsewhere than on the road: events that rules are to hear of. */
  raise(events: EventRow[]): Promise<void>;
  /** Runs a change of what the engines remember between two batches, never during one. */
  between<T>(change: () => Promise<T>): Promise<T>;
  /** Rules, geofences, vehicles or settings have changed: what time alone will bring is worked out anew. */
  reconsider(): void;
  /** Takes no more and waits until all that was taken is stored. */
  close(): Promise<void>;
}

/** So many positions hold up everything else for some milliseconds. */
const evaluatedPerTurn = 500;
/** After a store that failed, what is due waits for this long. */
const tryAgainMs = 10_000;

/**
 * The road of a position: engines and rules over the batch, one transaction, then the acknowledgements, then the
 * stream. What comes in while a batch is being stored makes up the next one. The passing of time goes the same road.
 */
export function createPipeline(parts: PipelineParts): Pipeline {
  const started_ms = parts.clock.now();
  /** Whether the store may hold more than what is remembered here. */
  let isDoubtful = false;
  const turns = createTurns<Arrival, Outcome>(takeInOrFail);
  const time = createPassingTime(parts.clock, (due) => void turns.between(() => passTime(due)));

  async function takeIn(arrivals: readonly Arrival[]): Promise<Outcome[]> {
    await beCertain();
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
    const positions = admission.admitted.map((it) => it.row);
    await settle({ ...moved, positions, refused: admission.refused });
    return admission.outcomes;
  }

  /** Rules over the news, one commit, and only then is it remembered and told. */
  async function settle(happened: {
    states: ReadonlyMap<string, VehicleState>;
    news: readonly EventNews[];
    positions?: PositionRow[];
    refused?: Batch['refused'];
  }): Promise<void> {
    const { states, news } = happened;
    const told = applyRules({
      news,
      rules: parts.rules(),
      inScope: parts.inScope,
      shelvedUntil: parts.shelvedUntil,
      recent: parts.recent,
      newId: randomUUID,
      now_ms: parts.clock.now(),
    });
    const batch: Batch = {
      ...emptyBatch(),
      positions: happened.positions ?? [],
      events: lastForms(news),
      notifications: told.rows,
      rules: told.versions,
      deliveries: told.deliveries,
      tasks: told.fired.flatMap(({ row, rule, event }) =>
        rule.video === null ? [] : parts.planVideo(row, rule, rule.video, event.event_id),
      ),
      states: stateRows(states),
      refused: happened.refused ?? [],
    };
    const written = await commit(batch);

    const positions = newlyNewest(states);
    parts.fleet.apply(states);
    parts.recent.apply(told.rows);
    lookAhead(states.keys());
    tell({ positions, batch, written });
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
    const surroundingsOf = lookAround();
    for (const [at, one] of admitted.entries()) {
      if (at % evaluatedPerTurn === evaluatedPerTurn - 1) await nextTurn();
      const { vehicle_id } = one.vehicle;
      const before = states.get(vehicle_id) ?? parts.fleet.state(vehicle_id);
      const evaluated = evaluate(before, one, surroundingsOf(vehicle_id));
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

  /** What the engines know beside a vehicle, as it is now; the same for all positions of a batch. */
  function lookAround(): (vehicleId: string) => Surroundings {
    const shared = { fences: parts.fences(), settings: parts.settings(), newId: randomUUID, started_ms };
    const measured = parts.rules().filter((rule) => rule.enabled && isOwnMeasure(rule));
    const byVehicle = new Map<string, Surroundings>();
    return (vehicleId) => {
      const known = byVehicle.get(vehicleId);
      if (known !== undefined) return known;
      const measuredRules = measured.filter((rule) => parts.inScope(rule, vehicleId, null));
      const found = { ...shared, measuredRules };
      byVehicle.set(vehicleId, found);
      return found;
    };
  }

  /** Notes when time alone will next change something for these vehicles. */
  function lookAhead(vehicleIds: Iterable<string>): void {
    const surroundingsOf = lookAround();
    for (const vehicleId of vehicleIds) {
      const vehicle = parts.vehicleById(vehicleId);
      time.set(
        vehicleId,
        vehicle === undefined
          ? null
          : nextMoment(parts.fleet.state(vehicleId), vehicle, surroundingsOf(vehicleId)),
      );
    }
  }

  async function passTime(due: readonly string[]): Promise<void> {
    const now_ms = parts.clock.now();
    try {
      await beCertain();
      const surroundingsOf = lookAround();
      const states = new Map<string, VehicleState>();
      const news: EventNews[] = [];
      for (const [at, vehicleId] of due.entries()) {
        if (at % evaluatedPerTurn === evaluatedPerTurn - 1) await nextTurn();
        const vehicle = parts.vehicleById(vehicleId);
        if (vehicle === undefined) continue;
        const before = parts.fleet.state(vehicleId);
        const elapsed = elapse(before, vehicle, now_ms, surroundingsOf(vehicleId));
        if (elapsed.state !== before) states.set(vehicleId, elapsed.state);
        news.push(...elapsed.news);
      }
      if (states.size > 0 || news.length > 0) await settle({ states, news });
      // Some moments turn out to be early.
      lookAhead(due);
    } catch (error) {
      parts.log.error(
        { err: error, vehicles: due.length },
        'what time has brought was not stored; tried again',
      );
      for (const vehicleId of due) time.set(vehicleId, now_ms + tryAgainMs);
    }
  }

  /** After a commit of which nobody knows what became of it, only the store knows. */
  async function beCertain(): Promise<void> {
    if (isDoubtful) await parts.recall();
    isDoubtful = false;
  }

  async function takeInOrFail(arrivals: readonly Arrival[]): Promise<Outcome[]> {
    try {
      return await takeIn(arrivals);
    } catch (error) {
      parts.log.error(
        { err: error, reports: arrivals.length },
        'a batch of positions was not stored; its terminals will send it again',
      );
      return arrivals.map(() =>
        error instanceof DiskFull
          ? { status: 'failed', code: 'disk_full', detail: 'The disk is full; nothing was stored.' }
          : { status: 'failed', code: 'unavailable', detail: 'The store failed; nothing was stored.' },
      );
    }
  }

  const pipeline: Pipeline = {
    async accept(reports, origin) {
      const received_ms = parts.clock.now();
      const taken = turns.add(reports.map((report) => ({ report, origin, received_ms })));
      return (
        (await taken) ??
        reports.map(() => ({ status: 'failed', code: 'unavailable', detail: 'The host is closing.' }))
      );
    },
    raise: (events) =>
      turns.between(async () => {
        await beCertain();
        await settle({ states: new Map(), news: events.map((event) => ({ event, isNew: true })) });
      }),
    between: (change) => turns.between(change),
    reconsider: () => lookAhead(parts.vehicles().map((it) => it.vehicle_id)),
    async close() {
      time.close();
      await turns.close();
    },
  };
  pipeline.reconsider();
  return pipeline;
}

/** An episode that began and grew in one batch is stored in its last form. */
function lastForms(news: readonly EventNews[]) {
  return [...new Map(news.map(({ event }) => [event.event_id, event])).values()];
}
