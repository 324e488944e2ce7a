import type { AppContext } from '../appContext/appContext.ts';
import { formatAge } from '../format/age.ts';
import { compassPoint } from '../format/compass.ts';
import { formatSpeed } from '../format/numbers.ts';
import { toMapGeofence } from '../live/mapGeofences.ts';
import { isGroupShown, mapLayersOf, onMapLayers } from '../live/mapLayerChoice.ts';
import type { BlockText } from '../map/callouts/blockOverlay.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { metresPerPixel } from '../map/geodesy.ts';
import type { MapVehicle } from '../map/vehicles/vehicleFeatures.ts';
import { alarmLabels } from '../notifications/alarmLabels.ts';
import { bySeverity } from '../notifications/queueOrder.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import { trackPicture } from './trackPicture.ts';

/** A vehicle is shown with its town round it. */
const TOWN_ZOOM = 13;

/** Brings the fleet of the instant to the map, as differences, outside React. Returns its end. */
export function feedHistoryMap(app: AppContext, map: ConsoleMap): () => void {
  const { history } = app;
  const drawn = new Map<string, MapVehicle>();
  let alarms = new Map<string, Notification>();
  let wasFitted = false;

  const draw = () => {
    const changed: MapVehicle[] = [];
    const shown = new Set<string>();
    const { statusFilter, vehicleId, chosenIds } = history.store.getState();
    for (const vehicle of history.vehiclesShown()) {
      const id = vehicle.vehicle_id;
      const state = history.states.get(id);
      if (state === undefined) continue;
      if (statusFilter !== null && state.status !== statusFilter && !chosenIds.includes(id)) continue;
      shown.add(id);
      const before = drawn.get(id);
      const alarm = alarms.get(id);
      if (
        before?.lat === state.lat &&
        before.lon === state.lon &&
        before.state === state.status &&
        before.course_deg === state.courseDeg &&
        before.speed_kmh === state.speedKmh &&
        before.name === vehicle.name &&
        before.severity === severityOf(alarm)
      )
        continue;
      const severity = severityOf(alarm);
      const next: MapVehicle = {
        id,
        name: vehicle.name,
        lat: state.lat,
        lon: state.lon,
        course_deg: state.courseDeg,
        speed_kmh: state.speedKmh,
        state: state.status,
        severity,
        acknowledged: false,
        label:
          alarm === undefined || severity === null ? null : { severity, at: Date.parse(alarm.last_time) },
        stale: false,
      };
      drawn.set(id, next);
      changed.push(next);
    }
    const removed = [...drawn.keys()].filter((id) => !shown.has(id));
    for (const id of removed) drawn.delete(id);
    if (changed.length + removed.length > 0) map.vehicles.update({ changed, removed });
    if (!wasFitted && drawn.size > 0) {
      wasFitted = true;
      const named = drawn.get(vehicleId ?? '');
      if (named !== undefined) map.camera.flyTo(named, TOWN_ZOOM);
      else if (app.history.firstView() === null) map.camera.fitAll([...drawn.values()]);
    }
  };
  const drawMoment = () => {
    const { moment } = history.store.getState();
    const choice = mapLayersOf(app);
    const geofences = (moment?.geofences ?? []).filter(
      (it) => choice.geofences && isGroupShown(it, choice.hidden_group_ids),
    );
    map.geofences.set(geofences.map(toMapGeofence));
    alarms = openAlarms(moment?.notifications ?? []);
    draw();
  };
  const drawTrack = () => {
    const { chosenIds, day, span, colourBy } = history.store.getState();
    const thresholds = app.settings.getState().numbers;
    const { byId } = app.vehicles.store.getState();
    const pictures = chosenIds.flatMap((id) => {
      const track = history.track(id);
      if (track == null) return [];
      const limitKmh = byId.get(id)?.speed_limit_kmh ?? null;
      return trackPicture(track, span ?? day, { limitKmh, thresholds, colourBy });
    });
    map.track.set(
      pictures.flatMap((it) => it.lines),
      pictures.flatMap((it) => it.stops).map((it) => ({ ...it, label: formatAge(it.to - it.from) })),
    );
  };
  const resolve = () => {
    const { lat, zoom } = map.camera.view();
    history.resolve(metresPerPixel(lat, zoom));
  };

  drawMoment();
  drawTrack();
  resolve();
  map.vehicles.select(history.store.getState().vehicleId);
  const undo = [
    history.onFrame(draw),
    history.store.subscribe((state, before) => {
      if (state.moment !== before.moment) drawMoment();
      if (state.vehicleId !== before.vehicleId) map.vehicles.select(state.vehicleId);
      if (
        state.chosenIds !== before.chosenIds ||
        state.edition !== before.edition ||
        state.day !== before.day ||
        state.span !== before.span ||
        state.colourBy !== before.colourBy
      )
        drawTrack();
      if (state.shownAt !== before.shownAt) map.vehicles.refreshBlocks();
    }),
    map.camera.onView(resolve),
    map.onPick((pick) => {
      if (pick.kind === 'vehicle') history.select(pick.id);
    }),
    onMapLayers(app, (choice) => {
      map.showLayers(choice);
      drawMoment();
    }),
    map.camera.onFollow((followedIds) => app.view.setState({ followedIds })),
  ];
  return () => {
    history.keepView(map.camera.view());
    undo.forEach((run) => run());
  };
}

const severityOf = (alarm: Notification | undefined): 'alarm' | 'warning' | null =>
  alarm === undefined || alarm.severity === 'info' ? null : alarm.severity;

/** The gravest and newest of each vehicle that was open then. */
function openAlarms(notifications: readonly Notification[]): Map<string, Notification> {
  const found = new Map<string, Notification>();
  const sorted = [...notifications].sort(
    (a, b) => bySeverity(b.severity, a.severity) || (a.last_time < b.last_time ? -1 : 1),
  );
  for (const it of sorted) if (it.vehicle_id !== null && it.severity !== 'info') found.set(it.vehicle_id, it);
  return found;
}

/** The words of a data block at the instant: name; speed and course, or how long silent; the alarm. */
export function describePast(app: AppContext, vehicle: MapVehicle): BlockText {
  const { history, t } = app;
  const state = history.states.get(vehicle.id);
  const { at } = history.player.store.getState();
  const alarm = openAlarms(history.store.getState().moment?.notifications ?? []).get(vehicle.id);
  const speed = formatSpeed(vehicle.speed_kmh ?? 0);
  const detail =
    state === undefined
      ? null
      : state.status === 'offline'
        ? t('map.silent', { age: formatAge(at - state.fixAt) })
        : state.status !== 'moving'
          ? t(`status.${state.status}`)
          : state.courseDeg === null
            ? speed
            : `${speed} · ${compassPoint(state.courseDeg)}`;
  return {
    name: vehicle.name,
    detail,
    alarm: alarm === undefined ? null : alarmLabels(alarm, { ...app, asOf: () => at }).short,
  };
}
