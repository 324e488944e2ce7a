import type { EventKind } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { formatAge } from '../format/age.ts';
import { compassPoint } from '../format/compass.ts';
import { formatSpeed } from '../format/numbers.ts';
import type { BlockText } from '../map/callouts/blockOverlay.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { viewTest } from '../map/geodesy.ts';
import type { MapVehicle } from '../map/vehicles/vehicleFeatures.ts';
import { alarmLabels } from '../notifications/alarmLabels.ts';
import { notificationsOf, openRows } from '../notifications/openRows.ts';
import { bySeverity } from '../notifications/queueOrder.ts';
import type { LivePosition } from '../telemetry/positionStore.ts';
import { toMapGeofence } from './mapGeofences.ts';
import { isGroupShown, mapLayersOf, onMapLayers } from './mapLayerChoice.ts';

/** How often vehicles that drive in and out of the view are counted anew. */
const COUNT_PAUSE_MS = 2_000;

/** Brings the stores to the maps of a screen, as differences, outside React. */
export interface MapFeed {
  /** Brings a map all that is known, and what changes from then on; returns its end. */
  join(map: ConsoleMap, element: HTMLElement): () => void;
}

/**
 * What has changed is worked out once, for however many maps.
 *
 * @param allGeofences whether geofences are shown although the operator has switched them off
 */
export function createMapFeed(app: AppContext, allGeofences: boolean): MapFeed {
  const { vehicles, positions, statuses, attention, geofences, view, connection, clock } = app;
  const { notifications, acks, snoozed } = app;
  const elements = new Map<ConsoleMap, HTMLElement>();
  /** As the maps have them. */
  const drawn = new Map<string, MapVehicle>();
  let tracked = new Set<string>();
  const toAll = (run: (map: ConsoleMap) => void) => {
    for (const map of elements.keys()) run(map);
  };

  const update = (ids: Iterable<string>) => {
    const changed: MapVehicle[] = [];
    const removed: string[] = [];
    for (const id of ids) {
      const vehicle = mapVehicle(app, id);
      if (vehicle !== null) {
        drawn.set(id, vehicle);
        changed.push(vehicle);
      } else if (drawn.delete(id)) removed.push(id);
    }
    if (changed.length + removed.length > 0) toAll((map) => map.vehicles.update({ changed, removed }));
  };
  const updateAll = () => update(new Set([...drawn.keys(), ...vehicles.store.getState().byId.keys()]));

  const trailOf = (id: string) => {
    const limit = limitOf(app, id);
    return app.trails.get(id).map(({ lat, lon, speedKmh }) => ({
      lat,
      lon,
      overLimit: limit !== null && speedKmh !== null && speedKmh > limit,
    }));
  };
  const drawTrail = (id: string) => {
    const trail = trailOf(id);
    toAll((map) => map.vehicles.setTrail(id, trail));
  };
  const renewTrails = () => {
    const needed = new Set<string>();
    const { vehicleId } = view.getState();
    if (vehicleId !== null) needed.add(vehicleId);
    for (const [id, needs] of attention.getState().byVehicle) if (!needs.acknowledged) needed.add(id);
    for (const id of tracked) if (!needed.has(id)) toAll((map) => map.vehicles.setTrail(id, []));
    tracked = needed;
    for (const id of needed) drawTrail(id);
  };

  const shownGeofences = () => {
    const choice = mapLayersOf(app);
    const { geozoneId } = view.getState();
    return [...geofences.store.getState().byId.values()]
      .filter(
        (it) =>
          it.geozone_id === geozoneId ||
          ((allGeofences || choice.geofences) && isGroupShown(it, choice.hidden_group_ids)),
      )
      .map(toMapGeofence);
  };
  const drawGeofences = () => {
    const shown = shownGeofences();
    toAll((map) => map.geofences.set(shown));
  };
  const countInView = () => {
    const windows = [...elements].map(([map, { clientWidth, clientHeight }]) =>
      viewTest(map.camera.view(), { width: clientWidth, height: clientHeight }),
    );
    const isInView = (fix: LivePosition['fix']) => fix !== null && windows.some((isIn) => isIn(fix));
    const { inView } = view.getState();
    if (inView === null || !isExactly(inView, positions.all(), isInView))
      view.setState({ inView: vehiclesWhere(positions.all(), isInView) });
  };
  const noteFollowed = () => {
    const followedIds = app.map.current()?.camera.following();
    if (followedIds !== undefined && followedIds !== view.getState().followedIds)
      view.setState({ followedIds });
  };

  const start = () => {
    let stopCounting: () => void = () => undefined;
    const countAgain = () => {
      countInView();
      stopCounting = clock.after(COUNT_PAUSE_MS, countAgain);
    };
    updateAll();
    renewTrails();
    stopCounting = clock.after(COUNT_PAUSE_MS, countAgain);
    const undo = [
      positions.onFrame((changed) => {
        update(changed);
        for (const id of changed) if (tracked.has(id)) drawTrail(id);
      }),
      statuses.subscribe((state, before) => update(changedKeys(state.byVehicle, before.byVehicle))),
      // An alarm that ends changes the label of its vehicle, and nothing that its attention follows from.
      notifications.store.subscribe((state, before) => {
        if (state.byId !== before.byId)
          update(new Set([...changedRows(state.byId, before.byId)].flatMap((it) => it.vehicle_id ?? [])));
      }),
      acks.store.subscribe((state, before) => update(vehiclesOf(app, state.waiting, before.waiting))),
      snoozed.subscribe((state, before) => update(vehiclesOf(app, state.byId, before.byId))),
      attention.subscribe((state, before) => {
        update(changedKeys(state.byVehicle, before.byVehicle));
        renewTrails();
      }),
      vehicles.store.subscribe((state, before) => {
        if (state.byId !== before.byId) update(changedKeys(state.byId, before.byId));
      }),
      connection.subscribe((state, before) => {
        if ((state.link.phase === 'lost') !== (before.link.phase === 'lost')) updateAll();
      }),
      geofences.store.subscribe((state, before) => {
        if (state.byId !== before.byId) drawGeofences();
      }),
      view.subscribe((state, before) => {
        if (state.vehicleId !== before.vehicleId) {
          toAll((map) => map.vehicles.select(state.vehicleId));
          renewTrails();
        }
        if (state.selectedIds !== before.selectedIds) toAll((map) => map.vehicles.ring(state.selectedIds));
        if (state.geozoneId !== before.geozoneId) {
          toAll((map) => map.geofences.select(state.geozoneId));
          drawGeofences();
        }
        if (state.dots.places !== before.dots.places) toAll((map) => map.dots.set(state.dots.places));
        if (state.dots.marked !== before.dots.marked) toAll((map) => map.dots.mark(state.dots.marked));
      }),
      onMapLayers(app, (choice) => {
        toAll((map) => map.showLayers(choice));
        drawGeofences();
      }),
      app.serverTime.ticks.subscribe(() => toAll((map) => map.vehicles.refreshBlocks())),
      app.map.store.subscribe(noteFollowed),
      () => stopCounting(),
    ];
    return () => undo.forEach((run) => run());
  };
  let stop: (() => void) | null = null;

  return {
    join(map, element) {
      stop ??= start();
      elements.set(map, element);
      const { vehicleId, selectedIds, geozoneId, dots } = view.getState();
      map.vehicles.update({ changed: [...drawn.values()], removed: [] });
      map.geofences.set(shownGeofences());
      for (const id of tracked) map.vehicles.setTrail(id, trailOf(id));
      map.vehicles.select(vehicleId);
      map.vehicles.ring(selectedIds);
      map.geofences.select(geozoneId);
      map.dots.set(dots.places);
      map.dots.mark(dots.marked);
      countInView();
      noteFollowed();
      const undo = [map.camera.onView(countInView), map.camera.onFollow(noteFollowed)];
      return () => {
        undo.forEach((run) => run());
        elements.delete(map);
        if (elements.size > 0) {
          countInView();
          return;
        }
        stop?.();
        stop = null;
        drawn.clear();
        tracked = new Set();
      };
    },
  };
}

function mapVehicle(app: AppContext, id: string): MapVehicle | null {
  const vehicle = app.vehicles.store.getState().byId.get(id);
  const fix = app.positions.get(id)?.fix;
  if (vehicle === undefined || fix === undefined || fix === null) return null;
  const needs = app.attention.getState().byVehicle.get(id);
  return {
    id,
    name: vehicle.name,
    lat: fix.lat,
    lon: fix.lon,
    course_deg: fix.course_deg,
    speed_kmh: fix.speed_kmh,
    state: app.statuses.getState().byVehicle.get(id) ?? 'never',
    severity: needs?.severity ?? null,
    acknowledged: needs?.acknowledged ?? false,
    label: labelOf(labelledAlarm(app, id)),
    stale: app.connection.getState().link.phase === 'lost',
  };
}

/** Of these an event is sent again when they end; until then the notification has no end. */
const EPISODES: ReadonlySet<EventKind> = new Set(['overspeed', 'idling', 'silent_inside']);

/**
 * The alarm that a vehicle is labelled with: the gravest and newest that waits for somebody and whose condition has not
 * ended; null without one. What has no end, as an SOS, is labelled until somebody has it.
 */
export function labelledAlarm(
  app: Pick<AppContext, 'notifications' | 'acks' | 'snoozed' | 'statuses'>,
  vehicleId: string,
): Notification | null {
  const goesOn = ({ event_kind, ongoing_until }: Notification) =>
    EPISODES.has(event_kind)
      ? ongoing_until === null
      : event_kind !== 'offline' || app.statuses.getState().byVehicle.get(vehicleId) === 'offline';
  const waiting = openRows(app, vehicleId);
  // Asked for every vehicle that moves, of which few have any.
  if (waiting.length === 0) return null;
  const [first] = waiting
    .filter(goesOn)
    .sort((a, b) => bySeverity(a.severity, b.severity) || Date.parse(b.last_time) - Date.parse(a.last_time));
  return first ?? null;
}

const labelOf = (alarm: Notification | null): MapVehicle['label'] =>
  alarm === null || alarm.severity === 'info'
    ? null
    : { severity: alarm.severity, at: Date.parse(alarm.last_time) };

/** What a trail is red above: the limit of an open overspeed, else the vehicle's own. */
function limitOf(app: AppContext, id: string): number | null {
  for (const it of notificationsOf(app.notifications.store.getState().byId, id)) {
    if (it.state === 'open' && it.event_kind === 'overspeed') return it.details.threshold;
  }
  return app.vehicles.store.getState().byId.get(id)?.speed_limit_kmh ?? null;
}

const changedRows = (after: ReadonlyMap<string, Notification>, before: ReadonlyMap<string, Notification>) =>
  [...changedKeys(after, before)].flatMap((id) => after.get(id) ?? before.get(id) ?? []);

/** The vehicles of the notifications of which something else is known now. */
function vehiclesOf(
  app: AppContext,
  after: ReadonlyMap<string, unknown>,
  before: ReadonlyMap<string, unknown>,
): Set<string> {
  const { byId } = app.notifications.store.getState();
  return new Set([...changedKeys(after, before)].flatMap((id) => byId.get(id)?.vehicle_id ?? []));
}

function changedKeys<T>(after: ReadonlyMap<string, T>, before: ReadonlyMap<string, T>): Set<string> {
  const changed = new Set<string>();
  after.forEach((value, key) => {
    if (before.get(key) !== value) changed.add(key);
  });
  for (const key of before.keys()) if (!after.has(key)) changed.add(key);
  return changed;
}

/** The words of a data block: name; speed and course, or how long silent; the alarm. */
export function describeVehicle(app: AppContext, vehicle: MapVehicle): BlockText {
  const live = app.positions.get(vehicle.id);
  const open = labelledAlarm(app, vehicle.id);
  return {
    name: vehicle.name,
    detail: detailOf(app, vehicle, live?.contactAt ?? null),
    alarm: open === null ? null : alarmLabels(open, app).short,
  };
}

function detailOf(app: AppContext, vehicle: MapVehicle, contactAt: number | null): string | null {
  const { t } = app;
  if (vehicle.stale || vehicle.state === 'offline') {
    return contactAt === null ? null : t('map.silent', { age: formatAge(app.serverTime.now() - contactAt) });
  }
  if (vehicle.state === 'overdue' && contactAt !== null) {
    const age = formatAge(app.serverTime.now() - contactAt);
    return t('map.last_speed', { speed: formatSpeed(vehicle.speed_kmh ?? 0), age });
  }
  if (vehicle.state !== 'moving') return t(`status.${vehicle.state}`);
  const speed = formatSpeed(vehicle.speed_kmh ?? 0);
  return vehicle.course_deg === null ? speed : `${speed} · ${compassPoint(vehicle.course_deg)}`;
}

/** The vehicles inside the map's window, of so many pixels around its centre. */
export function vehiclesInView(
  positions: ReadonlyMap<string, LivePosition>,
  view: { lat: number; lon: number; zoom: number },
  widthPx: number,
  heightPx: number,
): Set<string> {
  const isInView = viewTest(view, { width: widthPx, height: heightPx });
  return vehiclesWhere(positions, (fix) => fix !== null && isInView(fix));
}

type Positions = ReadonlyMap<string, LivePosition>;

function vehiclesWhere(positions: Positions, isThere: (fix: LivePosition['fix']) => boolean): Set<string> {
  const there = new Set<string>();
  positions.forEach(({ fix }, id) => {
    if (isThere(fix)) there.add(id);
  });
  return there;
}

/** Whether these are the vehicles that `vehiclesWhere` would find; looked at every 2 s, so that nothing is built for it. */
function isExactly(
  ids: ReadonlySet<string>,
  positions: Positions,
  isThere: (fix: LivePosition['fix']) => boolean,
): boolean {
  let found = 0;
  let known = 0;
  positions.forEach(({ fix }, id) => {
    if (!isThere(fix)) return;
    found += 1;
    if (ids.has(id)) known += 1;
  });
  return found === ids.size && known === found;
}
