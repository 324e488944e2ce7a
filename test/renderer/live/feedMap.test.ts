import { describe, expect, it } from 'vitest';
import { createMapFeed } from '../../../renderer/live/feedMap.ts';
import type { ConsoleMap } from '../../../renderer/map/consoleMap.ts';
import type { VehicleDiff } from '../../../renderer/map/vehicles/vehicleFeatures.ts';
import { openSession } from '../commands/openSession.ts';
import { sampleGeofence } from '../geofences/sampleGeofence.ts';
import { samplePosition, sampleVehicle } from '../samples.ts';

const ELEMENT = { clientWidth: 800, clientHeight: 600 } as HTMLElement;

/** A map that keeps what it was given last, by the names of the calls. */
function createMap(lon = 13.4) {
  const given: Record<string, unknown> = {};
  const diffs: VehicleDiff[] = [];
  const onFollow = new Set<(ids: readonly string[]) => void>();
  let followed: readonly string[] = [];
  const keep = (name: string) => (value: unknown) => void (given[name] = value);
  const map = {
    vehicles: {
      update: (diff: VehicleDiff) => void diffs.push(diff),
      setTrail: () => undefined,
      ring: keep('ringed'),
      select: keep('vehicle'),
      refreshBlocks: () => undefined,
    },
    geofences: { set: keep('geofences'), select: keep('geofence') },
    dots: { set: keep('dots'), mark: keep('marked') },
    drawing: { isActive: () => false },
    showLayers: keep('layers'),
    camera: {
      view: () => ({ lat: 52.5, lon, zoom: 12 }),
      onView: () => () => undefined,
      following: () => followed,
      follow(ids: readonly string[]) {
        followed = ids;
        for (const run of onFollow) run(ids);
      },
      onFollow(run: (ids: readonly string[]) => void) {
        onFollow.add(run);
        return () => onFollow.delete(run);
      },
    },
  };
  return { map: map as unknown as ConsoleMap, given, diffs };
}

function openTwoMaps() {
  const { app } = openSession();
  app.vehicles.put([sampleVehicle(), sampleVehicle({ vehicle_id: 'v2', name: 'V 2' })]);
  app.geofences.put([sampleGeofence()]);
  app.positions.take([samplePosition({ lat: 52.5, lon: 13.4 })]);
  app.map.store.setState({ maps: [] });
  const feed = createMapFeed(app, false);
  const [first, second] = [createMap(), createMap(2.3)];
  const open = ({ map }: typeof first) => {
    const undo = [app.map.attach(map), feed.join(map, ELEMENT)];
    return () => undo.forEach((run) => run());
  };
  return { app, first, second, open };
}

describe('the data of the maps', () => {
  it('a map that opens beside another is brought what that one has', () => {
    const { app, first, second, open } = openTwoMaps();
    open(first);
    app.view.setState({ vehicleId: 'v1', dots: { places: [{ lat: 52, lon: 13 }], marked: null } });
    open(second);
    expect(second.given).toEqual({ ...first.given });
    expect(second.given).toMatchObject({ vehicle: 'v1', dots: [{ lat: 52, lon: 13 }] });
    expect(second.diffs.flatMap(({ changed }) => changed.map(({ id }) => id))).toEqual(['v1']);
  });

  it('two maps are brought the same difference, which is worked out once', () => {
    const { app, first, second, open } = openTwoMaps();
    open(first);
    open(second);
    app.vehicles.put([sampleVehicle({ name: 'Renamed' })]);
    expect(first.diffs.at(-1)?.changed[0]).toMatchObject({ id: 'v1', name: 'Renamed' });
    expect(second.diffs.at(-1)?.changed).toBe(first.diffs.at(-1)?.changed);
  });

  it('a map that is closed is brought nothing more, and the other goes on', () => {
    const { app, first, second, open } = openTwoMaps();
    open(first);
    const close = open(second);
    close();
    const before = second.diffs.length;
    app.vehicles.put([sampleVehicle({ name: 'Renamed' })]);
    expect(second.diffs).toHaveLength(before);
    expect(first.diffs.at(-1)?.changed[0]).toMatchObject({ name: 'Renamed' });
  });

  it('a vehicle is in view when one of the maps shows it', () => {
    const { app, first, second, open } = openTwoMaps();
    open(second);
    expect(app.view.getState().inView).toEqual(new Set());
    open(first);
    expect(app.view.getState().inView).toEqual(new Set(['v1']));
  });

  it('the console knows what the current one of two maps follows', () => {
    const { app, first, second, open } = openTwoMaps();
    open(first);
    open(second);
    second.map.camera.follow(['v1']);
    expect(app.view.getState().followedIds).toEqual([]);
    app.map.touch(second.map);
    expect(app.view.getState().followedIds).toEqual(['v1']);
    app.map.touch(first.map);
    expect(app.view.getState().followedIds).toEqual([]);
  });
});
