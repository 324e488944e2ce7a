import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Rule, VideoWindow } from './contract/rules.ts';
import type { SettingsFields } from './contract/settings.ts';
import type { GeofenceIndex } from './geofences/geofenceIndex.ts';
import { incidentOpenings } from './incidents/incidentOpenings.ts';
import type { RecentNotifications } from './notifications/recentNotifications.ts';
import {
  applyRules,
  isOwnMeasure,
  type Fired,
  type RuleEvent,
  type SnoozedUntil,
} from './notifications/ruleEngine.ts';
import {
  uncommittedView,
  emptyPendingBatch,
  extendPendingBatch,
  isEmpty,
  type UncommittedView,
  type PendingBatch,
  timeOrderedId,
} from './pipeline/pendingBatch.ts';
import { createDeadlineTimers } from './deadlineTimers.ts';
import { createGroupCommitQueue } from './pipeline/groupCommitQueue.ts';
import {
  type Batch,
  type EscalationRow,
  type EventRow,
  type NotificationRow,
  type PositionRow,
  type TaskRow,
  type Written,
  emptyBatch,
} from './store/telemetry/rows.ts';
import { DiskFull } from './store/storeErrors.ts';
import type { Store } from './store/operations.ts';
import { admit, type Admitted, type IncomingReport } from './telemetry/admission.ts';
import { runVehicleTimers, nextDeadline } from './telemetry/vehicleTimers.ts';
import { evaluate, type Surroundings } from './telemetry/evaluate.ts';
import type { Accept, Outcome } from './telemetry/terminalReport.ts';
import { withoutStored } from './telemetry/trackImport/trackImport.ts';
import { createLogRateLimit } from './telemetry/intake/logRateLimit.ts';
import { stateRows, type LiveFleet } from './telemetry/liveFleet.ts';
import { withContact, writeState, type VehicleState } from './telemetry/vehicleState.ts';
import type { VehicleRecord } from './vehicles/vehicleRecord.ts';

/** What a commit has made true; for all that looks on. */
export interface Committed {
  /** The newest positions of the vehicles that moved. */
  positions: PositionRow[];
  batch: Batch;
  /** The video tasks of the batch that rules ordered. */
  ordered: TaskRow[];
  written: Written;
}

export interface PipelineDeps {
  store: Pick<Store, 'commit' | 'positionsAt'>;
  fleet: LiveFleet;
  recent: RecentNotifications;
  vehicleOf: (terminalId: string) => VehicleRecord | undefined;
  /** Of those that are not archived. */
  vehicleById: (vehicleId: string) => VehicleRecord | undefined;
  vehicles: () => readonly VehicleRecord[];
  geofences: () => GeofenceIndex;
  rules: () => readonly Rule[];
  /** Whether a rule holds for a vehicle and, where an event has one, for its geofence. */
  inScope: (rule: Rule, vehicleId: string | null, geozoneId: string | null) => boolean;
  snoozedUntil: SnoozedUntil;
  /** Of notifications that are being opened, those that escalate. */
  planEscalations: (fired: readonly Fired[]) => EscalationRow[];
  settings: () => SettingsFields;
  /** The video tasks that a rule orders around a moment. */
  planVideo: (notification: NotificationRow, rule: Rule, video: VideoWindow, eventId: string) => TaskRow[];
  /** Since when the host has heard its terminals without a gap, Unix ms. */
  listeningSince: () => number;
  clock: Clock;
  log: Logger;
  /** Reads what the engines remember from the store again. */
  reloadState: () => Promise<void>;
  onUnknown: (arrivals: IncomingReport[]) => void;
  onCommitted: (committed: Committed) => void;
}

export interface Pipeline {
  accept: Accept;
  /**
   * Takes in what happened elsewhere than on the road: events that rules are to hear of, and the video tasks whose end
   * they report, in one commit. `onStored` is called before anything of it is published.
   * @throws {DiskFull}, {StoreFailed}
   */
  raise(events: EventRow[], tasks: TaskRow[], onStored: () => void): Promise<void>;
  /** Takes in what happened to the host itself, and what has ended or gone on since. @throws as `raise` */
  raiseOfHost(updates: readonly RuleEvent[]): Promise<void>;
  /**
   * Stores positions of the past that no engine and no rule is to see, but for those at whose time their vehicle has one.
   * Returns how many. @throws as `raise`
   */
  storePast(positions: readonly PositionRow[]): Promise<number>;
  /** Runs a change of what the engines remember between two batches, never during one. */
  runExclusive<T>(change: () => Promise<T>): Promise<T>;
  /** Rules, geofences or settings have changed, or these vehicles: the timers are scheduled again. */
  rescheduleTimers(vehicleIds?: readonly string[]): void;
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
export function createPipeline(deps: PipelineDeps): Pipeline {
  const newId = () => timeOrderedId(deps.clock.now());
  /** Whether the store may hold more than what is remembered here. */
  let isDoubtful = false;
  const groupCommit = createGroupCommitQueue<IncomingReport, Outcome, PendingBatch>({
    begin: () => emptyPendingBatch(deps.rules()),
    evaluate: ingest,
    store,
    fail,
  });
  // Terminals send again at once what was not stored: one that fails would fill the disk with its log.
  const batchLines = createLogRateLimit(deps.clock);
  const timeLines = createLogRateLimit(deps.clock);
  const time = createDeadlineTimers(deps.clock, (due) => void groupCommit.runExclusive(() => runTimers(due)));

  async function ingest(
    arrivals: readonly IncomingReport[],
    draft: PendingBatch,
    stored: PendingBatch | null,
  ): Promise<Outcome[]> {
    await reloadIfUncertain();
    const ahead = uncommittedView(stored === null ? [draft] : [draft, stored], deps);
    const admission = await admit(arrivals, { ...deps, ...ahead, settings: deps.settings() });
    if (admission.unknown.length > 0) deps.onUnknown(admission.unknown);
    const moved = await runEngines(admission.admitted, ahead.fleet, draft.rules);
    const started_ms = deps.listeningSince();
    for (const [vehicleId, contact] of admission.contacts) {
      const before = moved.states.get(vehicleId) ?? ahead.fleet.state(vehicleId);
      const heard = withContact(before, contact, started_ms);
      if (heard !== before) moved.states.set(vehicleId, heard);
    }
    // The store is busy with those before: when it has time again it is not to wait for this.
    if (stored !== null) for (const state of moved.states.values()) draft.texts.set(state, writeState(state));
    extendPendingBatch(draft, { ...moved, admitted: admission.admitted, rejected: admission.rejected });
    return admission.outcomes;
  }

  async function store(draft: PendingBatch): Promise<void> {
    if (!isEmpty(draft)) await commitEvaluated({ ...draft, positions: draft.rows.byVehicle().flat() });
  }

  /** Applies the rules, commits once, and only then keeps the state and publishes. */
  async function commitEvaluated(happened: {
    states: ReadonlyMap<string, VehicleState>;
    updates: readonly RuleEvent[];
    /** By which it was evaluated. */
    rules: readonly Rule[];
    positions?: PositionRow[];
    texts?: ReadonlyMap<VehicleState, string>;
    rejected?: Batch['rejected'];
    tasks?: TaskRow[];
    onStored?: () => void;
  }): Promise<void> {
    const { states, updates } = happened;
    const outcome = applyRules({
      updates,
      rules: activeRules(happened.rules),
      inScope: deps.inScope,
      snoozedUntil: deps.snoozedUntil,
      recent: deps.recent,
      newId,
      now_ms: deps.clock.now(),
    });
    const ordered = outcome.fired.flatMap(({ row, rule, event }) =>
      rule.video === null ? [] : deps.planVideo(row, rule, rule.video, event.event_id),
    );
    const batch: Batch = {
      ...emptyBatch(),
      positions: happened.positions ?? [],
      events: lastForms(updates),
      notifications: outcome.rows,
      rules: outcome.versions,
      deliveries: outcome.deliveries,
      escalations: deps.planEscalations(outcome.fired),
      tasks: [...(happened.tasks ?? []), ...ordered],
      openings: incidentOpenings({
        ...{ updates, outcome, ordered, newId },
        settings: deps.settings(),
        snoozedUntil: deps.snoozedUntil,
      }).filter(
        // What a video reports may be of a vehicle that was archived: nobody but dealers would see the incident.
        ({ vehicle_id }) => vehicle_id === null || deps.vehicleById(vehicle_id) !== undefined,
      ),
      states: stateRows(states, happened.texts),
      rejected: happened.rejected ?? [],
    };
    const written = await commit(batch);

    happened.onStored?.();
    const positions = newlyNewest(states);
    deps.fleet.apply(states);
    deps.recent.apply(outcome.rows);
    scheduleTimers(states.keys());
    publish({ positions, batch, ordered, written });
  }

  async function commit(batch: Batch): Promise<Written> {
    try {
      return await deps.store.commit(batch);
    } catch (error) {
      // A full disk is known to have stored nothing; a store that died may have stored all before it could say so.
      isDoubtful = !(error instanceof DiskFull);
      throw error;
    }
  }

  /** What is stored is stored, whatever those who look on make of it. */
  function publish(committed: Committed): void {
    try {
      deps.onCommitted(committed);
    } catch (error) {
      deps.log.error({ err: error }, 'batch was stored but not published');
    }
  }

  async function runEngines(
    admitted: readonly Admitted[],
    fleet: UncommittedView['fleet'],
    rules: readonly Rule[],
  ) {
    const states = new Map<string, VehicleState>();
    const updates: RuleEvent[] = [];
    const contextOf = createEngineContext(rules);
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
          : { state: fleet.state(vehicle_id), around: contextOf(vehicle_id) };
      const { state, updates: more } = evaluate(before, one, around);
      states.set(vehicle_id, state);
      last = { vehicle_id, state, around };
      for (const it of more) updates.push(it);
    }
    return { states, updates };
  }

  function newlyNewest(states: ReadonlyMap<string, VehicleState>): PositionRow[] {
    return [...states].flatMap(([vehicleId, { newest }]) =>
      newest === null || newest === deps.fleet.state(vehicleId).newest ? [] : [newest],
    );
  }

  /**
   * The outcome of a rule is published with the version that evaluated it, even if the rule has changed since: a
   * notification names the version that measured its event. The outcome of a rule that was deleted or disabled since is
   * not published.
   */
  function activeRules(rules: readonly Rule[]): readonly Rule[] {
    const enabled = new Set(deps.rules().flatMap((it) => (it.enabled ? it.rule_id : [])));
    return rules.filter((it) => enabled.has(it.rule_id));
  }

  /** What the engines know beside a vehicle, as it is now; the same for all positions of a batch. */
  function createEngineContext(rules: readonly Rule[]): (vehicleId: string) => Surroundings {
    const started_ms = deps.listeningSince();
    const shared = { geofences: deps.geofences(), settings: deps.settings(), newId, started_ms };
    const measured = rules.filter((rule) => rule.enabled && isOwnMeasure(rule));
    const byVehicle = new Map<string, Surroundings>();
    return (vehicleId) => {
      const known = byVehicle.get(vehicleId);
      if (known !== undefined) return known;
      const measuredRules = measured.filter((rule) => deps.inScope(rule, vehicleId, null));
      const found = { ...shared, measuredRules };
      byVehicle.set(vehicleId, found);
      return found;
    };
  }

  /** Notes when time alone will next change something for these vehicles. */
  function scheduleTimers(vehicleIds: Iterable<string>): void {
    const contextOf = createEngineContext(deps.rules());
    for (const vehicleId of vehicleIds) {
      const vehicle = deps.vehicleById(vehicleId);
      time.set(
        vehicleId,
        vehicle === undefined
          ? null
          : nextDeadline(deps.fleet.state(vehicleId), vehicle, contextOf(vehicleId)),
      );
    }
  }

  async function runTimers(due: readonly string[]): Promise<void> {
    const now_ms = deps.clock.now();
    try {
      await reloadIfUncertain();
      const rules = deps.rules();
      const contextOf = createEngineContext(rules);
      const states = new Map<string, VehicleState>();
      const updates: RuleEvent[] = [];
      for (const [at, vehicleId] of due.entries()) {
        if (at % evaluatedPerTurn === evaluatedPerTurn - 1) await nextTurn();
        const vehicle = deps.vehicleById(vehicleId);
        if (vehicle === undefined) continue;
        const before = deps.fleet.state(vehicleId);
        const elapsed = runVehicleTimers(before, vehicle, now_ms, contextOf(vehicleId));
        if (elapsed.state !== before) states.set(vehicleId, elapsed.state);
        updates.push(...elapsed.updates);
      }
      if (states.size > 0 || updates.length > 0) await commitEvaluated({ states, updates, rules });
      // Some moments turn out to be early.
      scheduleTimers(due);
    } catch (error) {
      const line = timeLines();
      if (line !== null)
        deps.log.error(
          { err: error, vehicles: due.length, ...line },
          'timer evaluation was not stored; retrying',
        );
      for (const vehicleId of due) time.set(vehicleId, now_ms + tryAgainMs);
    }
  }

  /** After a commit of which nobody knows what became of it, only the store knows. */
  async function reloadIfUncertain(): Promise<void> {
    if (isDoubtful) await deps.reloadState();
    isDoubtful = false;
  }

  function fail(error: unknown, reports: number): Outcome {
    const line = batchLines();
    if (line !== null)
      deps.log.error(
        { err: error, reports, ...line },
        'batch of positions was not stored; terminals will resend it',
      );
    return error instanceof DiskFull
      ? { status: 'failed', code: 'disk_full', detail: 'The disk is full; nothing was stored.' }
      : { status: 'failed', code: 'unavailable', detail: 'The store failed; nothing was stored.' };
  }

  const pipeline: Pipeline = {
    // Not async: one that waits for the store would keep the reports.
    accept(reports, origin) {
      const received_ms = deps.clock.now();
      return (
        groupCommit.add(reports.map((report) => ({ report, origin, received_ms }))) ??
        Promise.resolve(
          reports.map(() => ({ status: 'failed', code: 'unavailable', detail: 'The host is closing.' })),
        )
      );
    },
    raise: (events, tasks, onStored) =>
      groupCommit.runExclusive(async () => {
        await reloadIfUncertain();
        // A commit that failed for its caller may have stored it.
        const isNew = ({ event_id }: EventRow) => deps.recent.withEvent(event_id).length === 0;
        const updates = events.map((event) => ({ event, isNew: isNew(event) }));
        await commitEvaluated({ states: new Map(), updates, rules: deps.rules(), tasks, onStored });
      }),
    raiseOfHost: (updates) =>
      groupCommit.runExclusive(async () => {
        await reloadIfUncertain();
        await commitEvaluated({ states: new Map(), updates, rules: deps.rules() });
      }),
    storePast: (positions) =>
      groupCommit.runExclusive(async () => {
        const missing = await withoutStored(positions, deps.store);
        if (missing.length === 0) return 0;
        const batch = { ...emptyBatch(), positions: missing };
        publish({ positions: [], batch, ordered: [], written: await commit(batch) });
        return missing.length;
      }),
    runExclusive: (change) => groupCommit.runExclusive(change),
    rescheduleTimers: (vehicleIds = deps.vehicles().map((it) => it.vehicle_id)) => scheduleTimers(vehicleIds),
    async close() {
      time.close();
      await groupCommit.close();
    },
  };
  pipeline.rescheduleTimers();
  return pipeline;
}

/** An episode that began and grew in one batch is stored in its last form. */
function lastForms(updates: readonly RuleEvent[]) {
  return [...new Map(updates.map(({ event }) => [event.event_id, event])).values()];
}
