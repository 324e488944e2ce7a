import { terminalKey } from '../../server/contract/sameKeys.ts';
import { randomUUID } from 'node:crypto';
import { pino, type Logger } from 'pino';
import type { Clock } from '../../server/clock.ts';
import type { Geofence } from '../../server/contract/geofences.ts';
import { newRule, type NewRule, type Rule } from '../../server/contract/rules.ts';
import { settingsFields } from '../../server/contract/settings.ts';
import { newVehicle } from '../../server/contract/vehicles.ts';
import { createGeofenceIndex } from '../../server/geofences/geofenceIndex.ts';
import { createRecentNotifications } from '../../server/notifications/recentNotifications.ts';
import { createPipeline, type Committed, type Pipeline, type PipelineDeps } from '../../server/pipeline.ts';
import type { Store } from '../../server/store/operations.ts';
import type { VehicleStateRow } from '../../server/store/telemetry/rows.ts';
import { loadLiveFleet } from '../../server/telemetry/liveFleet.ts';
import type { VehicleRecord } from '../../server/vehicles/vehicleRecord.ts';

const longAgo = '2000-01-01T00:00:00.000Z';
const stamps = { version: 1, created_at: longAgo, updated_at: longAgo };

export function vehicleNamed(terminal_id: string, more: Partial<VehicleRecord> = {}): VehicleRecord {
  return {
    ...newVehicle.parse({ terminal_id, name: terminal_id }),
    vehicle_id: randomUUID(),
    archived_at: null,
    groups_changed_at: longAgo,
    ...stamps,
    ...more,
  };
}

export function ruleFor(event_kind: NewRule['event_kind'], more: Partial<NewRule> = {}): Rule {
  return {
    ...newRule.parse({ name: event_kind, event_kind, scope: { all: true }, ...more }),
    video: more.video ?? null,
    rule_id: randomUUID(),
    disabled_reason: null,
    owner_id: null,
    ...stamps,
  };
}

/** The pipeline over a store of one's own, with vehicles, fences and rules that do not change. */
export function createPipelineFixture(deps: {
  store: PipelineDeps['store'] & Pick<Store, 'vehicleStates' | 'recentNotifications'>;
  vehicles: readonly VehicleRecord[];
  geofences: readonly Geofence[];
  rules: readonly Rule[];
  /** What an earlier run has left of the vehicles. */
  states?: readonly VehicleStateRow[];
  vehicleById?: PipelineDeps['vehicleById'];
  listeningSince?: PipelineDeps['listeningSince'];
  clock: Clock;
  onCommitted?: (committed: Committed) => void;
  log?: Logger;
}): Pipeline {
  const { store, clock } = deps;
  const byTerminal = new Map(deps.vehicles.map((it) => [terminalKey(it.terminal_id), it]));
  const byId = new Map(deps.vehicles.map((it) => [it.vehicle_id, it]));
  const index = createGeofenceIndex(deps.geofences.map((geofence) => ({ geofence, known_from_ms: 0 })));
  const settings = settingsFields.parse({});
  const started_ms = clock.now();
  const fleet = loadLiveFleet(deps.states ?? []);
  const recent = createRecentNotifications([], clock);
  return createPipeline({
    store,
    fleet,
    recent,
    reloadState: async () => {
      fleet.reload(await store.vehicleStates());
      recent.reload(await store.recentNotifications(0));
    },
    vehicleOf: (terminalId) => byTerminal.get(terminalKey(terminalId)),
    vehicleById: deps.vehicleById ?? ((id) => byId.get(id)),
    vehicles: () => deps.vehicles,
    snoozedUntil: () => null,
    geofences: () => index,
    rules: () => deps.rules,
    inScope: () => true,
    settings: () => settings,
    planVideo: () => [],
    planEscalations: () => [],
    listeningSince: deps.listeningSince ?? (() => started_ms),
    clock,
    log: deps.log ?? pino({ level: 'silent' }),
    onUnknown: () => undefined,
    onCommitted: (committed) => deps.onCommitted?.(committed),
  });
}
