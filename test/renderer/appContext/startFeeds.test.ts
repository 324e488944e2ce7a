import { describe, expect, it } from 'vitest';
import type { Geofence } from '../../../server/contract/geofences.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { startFeeds } from '../../../renderer/appContext/startFeeds.ts';
import { createResourceStore, olderByVersion } from '../../../renderer/resources/resourceStore.ts';
import { createPositionStore } from '../../../renderer/telemetry/positionStore.ts';
import { createTrails } from '../../../renderer/telemetry/trails.ts';
import { sampleGeofence } from '../geofences/sampleGeofence.ts';
import { createFakeFrames } from '../fakeFrames.ts';
import { samplePosition, sampleVehicle } from '../samples.ts';
import { createFakeStream } from '../stream/fakeStream.ts';

function setUp() {
  const frames = createFakeFrames();
  const { stream, send } = createFakeStream();
  const vehicles = createResourceStore<Vehicle>({ idOf: (it) => it.vehicle_id, isOlder: olderByVersion });
  const geofences = createResourceStore<Geofence>({ idOf: (it) => it.geozone_id, isOlder: olderByVersion });
  const positions = createPositionStore(frames, () => 3);
  const rest = {
    put: () => undefined,
    receive: () => undefined,
    remove: () => undefined,
    hide: () => undefined,
  };
  const app = {
    ...{ stream, vehicles, geofences, positions, trails: createTrails() },
    ...{ snoozes: rest, unknownTerminals: rest },
  } as unknown as AppContext;
  startFeeds(app, { reviewSome: () => undefined } as unknown as Parameters<typeof startFeeds>[1], frames);
  stream.start();
  return {
    send,
    stream,
    frames,
    vehicles: vehicles.store,
    geofences: geofences.store,
    positions,
    visible: () => [...vehicles.store.getState().byId.keys(), ...geofences.store.getState().byId.keys()],
  };
}

describe('the feeds of the stream', () => {
  it('show a geofence again that left the sight of the user and came back', () => {
    const { send, frames, visible } = setUp();
    const yard = sampleGeofence();
    const steps: Parameters<typeof send>[0]['data'][] = [
      yard,
      { geozone_id: yard.geozone_id, deleted: true },
      yard,
    ];
    const seen = steps.map((data) => {
      send({ topic: 'geofence', data } as Parameters<typeof send>[0]);
      frames.draw();
      return visible().length;
    });
    expect(seen).toEqual([1, 0, 1]);
  });

  it('apply what waits for the next frame before a reset has the lists read again', () => {
    const { send, visible, stream, geofences } = setUp();
    const yard = sampleGeofence();
    send({ topic: 'geofence', data: yard });
    let seen = -1;
    stream.on('reset', () => {
      seen = geofences.getState().byId.size;
    });
    send({ topic: 'reset', data: { reason: 'restarted' } });
    expect([seen, visible()]).toEqual([1, [yard.geozone_id]]);
  });

  it('show a vehicle again that left the sight of the user and came back, with its position', () => {
    const { send, frames, visible, positions } = setUp();
    const van = sampleVehicle({ position: samplePosition() });
    const steps: Parameters<typeof send>[0]['data'][] = [van, { vehicle_id: 'v1', deleted: true }, van];
    const seen = steps.map((data) => {
      send({ topic: 'vehicle', data } as Parameters<typeof send>[0]);
      frames.draw();
      return [visible().length, positions.all().size];
    });
    expect(seen).toEqual([
      [1, 1],
      [0, 0],
      [1, 1],
    ]);
  });

  it('show a vehicle again that was archived and restored', () => {
    const { send, frames, visible } = setUp();
    const archived = sampleVehicle({ archived_at: '2026-11-21T12:00:00.000Z', version: 2 });
    const seen = [sampleVehicle(), archived, sampleVehicle({ version: 3 })].map((data) => {
      send({ topic: 'vehicle', data });
      frames.draw();
      return visible().length;
    });
    expect(seen).toEqual([1, 0, 1]);
  });

  it('change the store of geofences once a frame, however many an import brings', () => {
    const { send, frames, geofences } = setUp();
    let changes = 0;
    geofences.subscribe(() => (changes += 1));
    for (let index = 0; index < 5_000; index++) {
      send({ topic: 'geofence', data: sampleGeofence({ geozone_id: `g${index}` }) });
    }
    frames.draw();
    expect(geofences.getState().byId.size).toBe(5_000);
    expect(changes).toBe(1);
  });
});
