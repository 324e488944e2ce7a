import { fromMercator, metresPerPixel, toMercator, viewTest, worldWidthPx } from '../geodesy.ts';
import { drawRing } from '../glyphs/clusterRing.ts';
import { addGlyphAtlas } from '../glyphs/glyphAtlas.ts';
import { createFeatureSet } from '../featureSet.ts';
import { type MapStage, createRepaintHold, geoJsonSource } from '../mapStage.ts';
import { type Cluster, type ClusterPoint, clusterVehicles } from './clusterVehicles.ts';
import {
  type MapVehicle,
  type TrailPoint,
  type VehicleDiff,
  clusterFeature,
  featureId,
  vectorFeature,
  vehicleFeature,
} from './vehicleFeatures.ts';
import { TRAIL_SOURCE, VEHICLE_SOURCE } from './vehicleLayers.ts';

/** Vehicles nearer than this to one that stands are gathered in its ring, whose own radius is 22 px at the most. */
const CLUSTER_RADIUS_PX = 30;
/** From here on parked vehicles stand apart: 30 px are 16 m at 50 degrees. */
const NO_CLUSTERS_ZOOM = 17;
/** Positions are drawn every frame, clusters are looked at anew once a second at most; sooner for new vehicles. */
const CLUSTER_PAUSE_MS = 1_000;
const NEW_VEHICLE_PAUSE_MS = 100;
/** With more than so many, new positions wait for the clusters: each change redraws all tiles that it touches. */
const MANY_VEHICLES = 1_000;
/** They wait for as long as a vehicle at this speed takes to move so far: at less, the picture hardly changes. */
const QUICK_M_PER_S = 28;
const NOTICED_PX = 3;
/** Where the map takes long to draw them, without a graphics card, as much time is left for all else. */
const LONGEST_PAUSE_MS = 3_000;
/** So that ten thousand vehicles that change at once (server lost) are no long task. */
const VEHICLES_PER_FRAME = 1_500;

// How far the drawings reach from their centres: arrowhead, largest ring, dot.
const GLYPH_REACH_PX = 9;
const RING_REACH_PX = 22;
const DOT_REACH_PX = 3;
/** And so far their names. */
const NAME_REACH_PX = 150;

interface Entry extends ClusterPoint {
  vehicle: MapVehicle;
  /** In a cluster, standing alone, or not looked at yet. */
  place: 'clustered' | 'single' | 'new';
}

export function createVehicleLayer(stage: MapStage, onFault: (error: Error) => void) {
  const { map } = stage;
  // Every tile carries a copy of the rings in it: twice the pixels are four times the bytes.
  const ringPixelRatio = window.devicePixelRatio > 1 ? 2 : 1;
  const entries = new Map<string, Entry>();
  const trails = new Map<string, readonly TrailPoint[]>();
  const dirty = new Set<string>();
  /** Vehicles with an alarm, and the selected one: never clustered. */
  const apart = new Set<string>();
  const listeners = new Set<() => void>();
  const drawn = createFeatureSet();
  const pictures = createRepaintHold(map, VEHICLE_SOURCE);
  let clusters = new Map<string, Cluster>();
  let selectedId: string | null = null;
  let ringed: ReadonlySet<string> = new Set();
  let ready = false;
  let stopped = false;
  let frame: number | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let clusteredAt = -Infinity;
  let clusteredStep = NaN;
  let regroup = true;
  let trailsChanged = false;
  let hasNew = false;
  /** When the map was given what it has not drawn yet, and how long it took to draw what it was given before. */
  let givenAt: number | null = null;
  let drawingMs = 0;

  const zoomStep = (): number => Math.floor(map.getZoom() * 2) / 2;

  const schedule = (): void => {
    if (ready && !stopped) frame ??= requestAnimationFrame(drawFrame);
  };
  const isRinged = ({ members }: Cluster): boolean => ringed.size > 0 && members.some((id) => ringed.has(id));
  const group = (): void => {
    clusteredAt = performance.now();
    clusteredStep = zoomStep();
    regroup = false;
    hasNew = false;
    const quiet: Entry[] = [];
    for (const entry of entries.values()) if (!apart.has(entry.id)) quiet.push(entry);
    const isOpen = map.getZoom() >= NO_CLUSTERS_ZOOM;
    const radius = CLUSTER_RADIUS_PX / worldWidthPx(clusteredStep);
    const { clusters: found, gathered } = clusterVehicles(isOpen ? [] : quiet, radius);
    const next = new Map(found.map((cluster) => [cluster.id, cluster]));
    quiet.forEach((entry, index) => {
      const place = gathered[index] === 1 ? 'clustered' : 'single';
      if (entry.place !== place) dirty.add(entry.id);
      entry.place = place;
    });
    for (const id of clusters.keys()) if (!next.has(id)) drawn.remove(featureId('cluster', id));
    for (const cluster of next.values()) {
      const feature = clusterFeature(cluster, isRinged(cluster));
      addRing(String(feature.properties?.['image']));
      drawn.put(feature);
    }
    clusters = next;
  };
  const rings = new Set<string>();
  const addRing = (name: string): void => {
    if (rings.has(name)) return;
    rings.add(name);
    map.addImage(name, drawRing(name, stage.palette(), ringPixelRatio), { pixelRatio: ringPixelRatio });
  };

  const drawVehicle = (id: string): void => {
    const entry = entries.get(id);
    if (!entry || entry.place === 'clustered') {
      drawn.remove(featureId('vehicle', id));
      drawn.remove(featureId('vector', id));
      return;
    }
    drawn.put(vehicleFeature(entry.vehicle, id === selectedId, ringed.has(id)));
    const vector = vectorFeature(entry.vehicle);
    if (vector) drawn.put(vector);
    else drawn.remove(featureId('vector', id));
  };

  const drawFrame = (): void => {
    frame = null;
    if (zoomStep() !== clusteredStep || (regroup && dueIn() <= 0)) group();
    if (trailsChanged) drawTrails();
    let left = VEHICLES_PER_FRAME;
    for (const id of dirty) {
      // A vehicle that has just appeared waits for its place; drawn alone it would flash before it joins a cluster.
      if (entries.get(id)?.place === 'new') continue;
      if (left-- === 0) break;
      dirty.delete(id);
      drawVehicle(id);
    }
    const diff = drawn.takeDiff();
    if (diff !== null) {
      if (!map.isMoving()) givenAt ??= performance.now();
      geoJsonSource(map, VEHICLE_SOURCE).updateData(diff).catch(onFault);
      pictures.hold();
      for (const run of listeners) run();
    }
    if (left < 0) schedule();
    if (regroup) lookAgain();
  };
  const pauseMs = (): number => {
    if (hasNew) return NEW_VEHICLE_PAUSE_MS;
    if (entries.size <= MANY_VEHICLES) return CLUSTER_PAUSE_MS;
    const noticedMs =
      (NOTICED_PX * metresPerPixel(map.getCenter().lat, map.getZoom()) * 1_000) / QUICK_M_PER_S;
    return Math.min(LONGEST_PAUSE_MS, Math.max(CLUSTER_PAUSE_MS, noticedMs, 2 * drawingMs));
  };
  const dueIn = (): number => clusteredAt + pauseMs() - performance.now();
  /** Draws when clusters are to be looked at again. */
  const lookAgain = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(
      () => {
        timer = null;
        schedule();
      },
      Math.max(0, dueIn()),
    );
  };

  /** @param waits it may be drawn with the next look at the clusters */
  const touch = (id: string, waits = false): void => {
    const entry = entries.get(id);
    if (entry && (entry.vehicle.severity !== null || id === selectedId)) {
      apart.add(id);
      entry.place = 'single';
    } else apart.delete(id);
    // In a cluster nothing is seen of it.
    if (entry?.place !== 'clustered') dirty.add(id);
    regroup = true;
    if (!waits || apart.has(id) || entries.size <= MANY_VEHICLES) schedule();
    else if (timer === null) lookAgain();
  };
  const drawTrails = (): void => {
    trailsChanged = false;
    const features = [...trails.values()].flat().map(({ lat, lon, overLimit }): GeoJSON.Feature => ({
      type: 'Feature',
      properties: { over: overLimit },
      geometry: { type: 'Point', coordinates: [lon, lat] },
    }));
    geoJsonSource(map, TRAIL_SOURCE).setData({ type: 'FeatureCollection', features }).catch(onFault);
  };
  /** All that was given is on the screen. */
  const onIdle = (): void => {
    if (givenAt !== null) drawingMs = performance.now() - givenAt;
    givenAt = null;
  };
  /** The map draws anew for as long as it moves. */
  const onMove = (): void => {
    givenAt = null;
  };
  const onZoom = (): void => {
    if (zoomStep() !== clusteredStep) schedule();
  };

  stage.whenReady(() => {
    addGlyphAtlas(map);
    map.on('zoom', onZoom);
    map.on('movestart', onMove);
    map.on('idle', onIdle);
    ready = true;
    schedule();
  });
  const offPalette = stage.onPalette((palette) => {
    for (const name of rings) map.updateImage(name, drawRing(name, palette, ringPixelRatio));
  });

  return {
    /** Takes what changed; drawn with everything else of this frame, once. */
    update({ changed, removed }: VehicleDiff) {
      for (const vehicle of changed) {
        // Never heard: nowhere on the map.
        if (vehicle.state === 'never') {
          if (entries.delete(vehicle.id)) touch(vehicle.id);
          continue;
        }
        const { id, state } = vehicle;
        const before = entries.get(id);
        if (before) Object.assign(before, toMercator(vehicle), { state, vehicle });
        else {
          hasNew = true;
          entries.set(id, { id, ...toMercator(vehicle), state, vehicle, place: 'new' });
        }
        touch(id, before !== undefined);
      }
      for (const id of removed) if (entries.delete(id)) touch(id);
    },
    select(id: string | null) {
      if (id === selectedId) return;
      const before = selectedId;
      selectedId = id;
      if (before !== null) touch(before);
      if (id !== null) touch(id);
    },
    /** Rings these vehicles, and clusters that hold some of them; what is ringed already costs nothing. */
    ring(ids: ReadonlySet<string>) {
      const before = ringed;
      ringed = ids;
      for (const id of before) if (!ids.has(id)) dirty.add(id);
      for (const id of ids) if (!before.has(id)) dirty.add(id);
      for (const cluster of clusters.values()) drawn.put(clusterFeature(cluster, isRinged(cluster)));
      schedule();
    },
    /** The dots behind a vehicle, one per 15 s; none takes them away. */
    setTrail(id: string, points: readonly TrailPoint[]) {
      if (points.length === 0 && !trails.has(id)) return;
      if (points.length === 0) trails.delete(id);
      else trails.set(id, points);
      trailsChanged = true;
      schedule();
    },
    get: (id: string) => entries.get(id)?.vehicle,
    *all() {
      for (const entry of entries.values()) yield entry.vehicle;
    },
    /** The vehicles that carry a data block: the selected one first, then alarms, the gravest and newest first. */
    withBlock() {
      const rank = (vehicle: MapVehicle): number =>
        vehicle.id === selectedId ? 0 : vehicle.label?.severity === 'alarm' ? 1 : 2;
      const at = ({ label }: MapVehicle): number => label?.at ?? 0;
      return [...apart]
        .flatMap((id) => entries.get(id)?.vehicle ?? [])
        .filter((vehicle) => vehicle.id === selectedId || vehicle.label !== null)
        .sort((a, b) => rank(a) - rank(b) || at(b) - at(a) || (a.id < b.id ? -1 : 1));
    },
    /** What is drawn, in Web Mercator: single vehicles, clusters, the dots of trails. */
    *drawn() {
      for (const entry of entries.values())
        if (entry.place === 'single')
          yield { x: entry.x, y: entry.y, reachPx: GLYPH_REACH_PX, isVehicle: true };
      for (const { x, y } of clusters.values()) yield { x, y, reachPx: RING_REACH_PX, isVehicle: true };
      for (const points of trails.values())
        for (const point of points) yield { ...toMercator(point), reachPx: DOT_REACH_PX, isVehicle: false };
    },
    /** The vehicles that can be distinguished in this view: those of clusters cannot. */
    seenIn(...view: [Parameters<typeof viewTest>[0], { width: number; height: number }]): string[] {
      const isSeen = viewTest(...view, NAME_REACH_PX);
      const seen = new Set<string>();
      for (const { id, place, vehicle } of entries.values())
        if (place !== 'clustered' && isSeen(vehicle)) seen.add(id);
      for (const [id, points] of trails) if (points.some(isSeen)) seen.add(id);
      return [...seen];
    },
    /** Where the vehicles of a drawn cluster are. */
    members(clusterId: string) {
      return (clusters.get(clusterId)?.members ?? []).flatMap((id) => {
        const entry = entries.get(id);
        return entry ? [fromMercator(entry.x, entry.y)] : [];
      });
    },
    /** Calls back after each frame that changed something. */
    onDrawn(run: () => void) {
      listeners.add(run);
      return () => listeners.delete(run);
    },
    stop() {
      stopped = true;
      if (frame !== null) cancelAnimationFrame(frame);
      if (timer !== null) clearTimeout(timer);
      pictures.stop();
      map.off('zoom', onZoom);
      map.off('movestart', onMove);
      map.off('idle', onIdle);
      offPalette();
      listeners.clear();
    },
  };
}

export type VehicleLayer = ReturnType<typeof createVehicleLayer>;
