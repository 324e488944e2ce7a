import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Rule, VideoWindow } from './contract/rules.ts';
import type { SettingsFields } from './contract/settings.ts';
import type { FenceIndex } from './geofences/fenceIndex.ts';
import type { RecentNotifications } from './notifications/recentNotifications.ts';
import { applyRules, isOwnMeasure, type EventNews, type ShelvedUntil } from './notifications/ruleEngine.ts';
import { aheadOf, emptyDraft, extendDraft, isEmpty, type Ahead, type Draft } from './pipeline/draft.ts';
import { createPassingTime } from './pipeline/passingTime.ts';
import { timeOrderedId } from './pipeline/timeOrderedId.ts';
import { createTurns } from './pipeline/turns.ts';
import type { EventRow, NotificationRow, PositionRow, TaskRow } from './store/telemetry/rows.ts';
import { DiskFull } from './store/storeErrors.ts';
import { emptyBatch } from './store/telemetry/emptyBatch.ts';
import type { Batch, TelemetryStore, Written } from './store/telemetry/telemetryStore.ts';
import { admit, type Admitted, type Arrival } from './telemetry/admission.ts';
import { elapse, nextMoment } from './telemetry/elapse.ts';
import { evaluate, type Surroundings } from './telemetry/evaluate.ts';
import type { Accept, Outcome } from './telemetry/gateway/accept.ts';
import { createLineLimit } from './telemetry/gateway/lineLimit.ts';
import { stateRows, type LiveFleet } from './telemetry/liveFleet.ts';
import { withContact, writeState, type VehicleState } from './telemetry/vehicleState.ts';
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
 * The road of a position: engines over what came in, on top of what is being stored; rules, one transaction, then the
 * acknowledgements, then the stream. The passing of time goes the same road.
 */
export function createPipeline(parts: PipelineParts): Pipeline {
  const started_ms = parts.clock.now();
  const newId = () => timeOrderedId(parts.clock.now());
  /** Whether the store may hold more than what is remembered here. */
  let isDoubtful = false;
  const turns = createTurns<Arrival, Outcome, Draft>({
    begin: () => emptyDraft(parts.rules()),
    evaluate: takeIn,
    store,
    fail,
  });
  // Terminals send again at once what was not stored: one that fails would fill the disk with its log.
  const batchLines = createLineLimit(parts.clock);
  const timeLines = createLineLimit(parts.clock);
  const time = createPassingTime(parts.clock, (due) => void turns.between(() => passTime(due)));

  async function takeIn(
    arrivals: readonly Arrival[],
    draft: Draft,
    stored: Draft | null,
  ): Promise<Outcome[]> {
    await beCertain();
    const ahead = aheadOf(stored === null ? [draft] : [draft, stored], parts);
    const admission = await admit(arrivals, { ...parts, ...ahead, settings: parts.settings() });
    if (admission.unknown.length > 0) parts.onUnknown(admission.unknown);
    const moved = await runEngines(admission.admitted, ahead.fleet, draft.rules);
    for (const [vehicleId, contact] of admission.contacts) {
      const before = moved.states.get(vehicleId) ?? ahead.fleet.state(vehicleId);
      const heard = withContact(before, contact);
      if (heard !== before) moved.states.set(vehicleId, heard);
    }
    // The store is busy with those before: when it has time again it is not to wait for this.
    if (stored !== null) for (const state of moved.states.values()) draft.texts.set(state, writeState(state));
    extendDraft(draft, { ...moved, admitted: admission.admitted, refused: admission.refused });
    return admission.outcomes;
  }

  async function store(draft: Draft): Promise<void> {
    if (!isEmpty(draft)) await settle({ ...draft, positions: draft.rows.byVehicle().flat() });
  }

  /** Rules over the news, one commit, and only then is it remembered and told. */
  async function settle(happened: {
    states: ReadonlyMap<string, VehicleState>;
    news: readonly EventNews[];
    /** By which it was evaluated. */
    rules: readonly Rule[];
    positions?: PositionRow[];
    texts?: ReadonlyMap<VehicleState, string>;
    refused?: Batch['refused'];
  }): Promise<void> {
    const { states, news } = happened;
    const told = applyRules({
      news,
      rules: stillInForce(happened.rules),
      inScope: parts.inScope,
      shelvedUntil: parts.shelvedUntil,
      recent: parts.recent,
      newId,
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
      states: stateRows(states, happened.texts),
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

  async function runEngines(admitted: readonly Admitted[], fleet: Ahead['fleet'], rules: readonly Rule[]) {
    const states = new Map<string, VehicleState>();
    const news: EventNews[] = [];
    const surroundingsOf = lookAround(rules);
    let count = 0;
    /** Of the vehicle that the last one was of: they come by vehicle. */
    let last = null as { vehicle_id: string; state: VehicleState; around: Surroundings } | null;
    for (const one of admitted) {
      count += 1;
      if (count % evaluatedPerTurn === 0) await nextTurn();
      const { vehicle_id } = one.vehicle;
      const { state: before, around } =
        last?.vehicle_id === vehicle_id
          ? last
          : { state: fleet.state(vehicle_id), around: surroundingsOf(vehicle_id) };
      const { state, news: more } = evaluate(before, one, around);
      states.set(vehicle_id, state);
      last = { vehicle_id, state, around };
      for (const it of more) news.push(it);
    }
    return { states, news };
  }

  function newlyNewest(states: ReadonlyMap<string, VehicleState>): PositionRow[] {
    return [...states].flatMap(([vehicleId, { newest }]) =>
      newest === null || newest === parts.fleet.state(vehicleId).newest ? [] : [newest],
    );
  }

  /**
   * What was evaluated by a rule is told by the rule as it was then, though it has changed since: a notification names
   * the version that measured its event. What nobody wants any more is not told.
   */
  function stillInForce(rules: readonly Rule[]): readonly Rule[] {
    const enabled = new Set(parts.rules().flatMap((it) => (it.enabled ? it.rule_id : [])));
    return rules.filter((it) => enabled.has(it.rule_id));
  }

  /** What the engines know beside a vehicle, as it is now; the same for all positions of a batch. */
  function lookAround(rules: readonly Rule[]): (vehicleId: string) => Surroundings {
    const shared = { fences: parts.fences(), settings: parts.settings(), newId, started_ms };
    const measured = rules.filter((rule) => rule.enabled && isOwnMeasure(rule));
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
    const surroundingsOf = lookAround(parts.rules());
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
      const rules = parts.rules();
      const surroundingsOf = lookAround(rules);
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
      if (states.size > 0 || news.length > 0) await settle({ states, news, rules });
      // Some moments turn out to be early.
      lookAhead(due);
    } catch (error) {
      const line = timeLines();
      if (line !== null)
        parts.log.error(
          { err: error, vehicles: due.length, ...line },
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

  function fail(error: unknown, reports: number): Outcome {
    const line = batchLines();
    if (line !== null)
      parts.log.error(
        { err: error, reports, ...line },
        'a batch of positions was not stored; its terminals will send it again',
      );
    return error instanceof DiskFull
      ? { status: 'failed', code: 'disk_full', detail: 'The disk is full; nothing was stored.' }
      : { status: 'failed', code: 'unavailable', detail: 'The store failed; nothing was stored.' };
  }

  const pipeline: Pipeline = {
    // Not async: one that waits for the store would keep the reports.
    accept(reports, origin) {
      const received_ms = parts.clock.now();
      return (
        turns.add(reports.map((report) => ({ report, origin, received_ms }))) ??
        Promise.resolve(
          reports.map(() => ({ status: 'failed', code: 'unavailable', detail: 'The host is closing.' })),
        )
      );
    },
    raise: (events) =>
      turns.between(async () => {
        await beCertain();
        const news = events.map((event) => ({ event, isNew: true }));
        await settle({ states: new Map(), news, rules: parts.rules() });
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
