import { describe, expect, it } from 'vitest';
import type { Geofence } from '../../../server/contract/geofences.ts';
import type { GroupEntry } from '../../../server/contract/groups.ts';
import { settings as settingsOf, settingsFields } from '../../../server/contract/settings.ts';
import type { StreamMessage, StreamTopic } from '../../../server/contract/stream.ts';
import type { User } from '../../../server/contract/users.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { startFeeds } from '../../../renderer/appContext/startFeeds.ts';
import { createResourceStore, olderByVersion } from '../../../renderer/resources/resourceStore.ts';
import { createSettingsStore, takeSettings } from '../../../renderer/settings/settingsStore.ts';
import { createPositionStore } from '../../../renderer/telemetry/positionStore.ts';
import { createTrails } from '../../../renderer/telemetry/trails.ts';
import { sampleGeofence } from '../geofences/sampleGeofence.ts';
import { createFakeFrames } from '../fakeFrames.ts';
import { samplePosition, sampleVehicle } from '../samples.ts';
import { createFakeStream } from '../stream/fakeStream.ts';

const noon = '2026-11-21T12:00:00.000Z';
type Sent<T extends StreamTopic> = Extract<StreamMessage, { topic: T }>['data'];

function setUp() {
  const frames = createFakeFrames();
  const { stream, send } = createFakeStream();
  const vehicles = createResourceStore<Vehicle>({ idOf: (it) => it.vehicle_id, isOlder: olderByVersion });
  const geofences = createResourceStore<Geofence>({ idOf: (it) => it.geozone_id, isOlder: olderByVersion });
  const groups = createResourceStore<GroupEntry>({ idOf: (it) => it.group_id, isOlder: olderByVersion });
  const users = createResourceStore<User>({ idOf: (it) => it.user_id, isOlder: olderByVersion });
  const settings = createSettingsStore();
  const positions = createPositionStore(frames, frames, () => 3);
  const rest = {
    put: () => undefined,
    receive: () => undefined,
    remove: () => undefined,
    hide: () => undefined,
  };
  const app = {
    ...{ stream, vehicles, geofences, positions, trails: createTrails() },
    ...{ groups, users, settings, drivers: rest, snoozes: rest, unknownTerminals: rest },
  } as unknown as AppContext;
  startFeeds(app, { reviewSome: () => undefined } as unknown as Parameters<typeof startFeeds>[1], frames);
  stream.start();
  return {
    send,
    stream,
    frames,
    vehicles: vehicles.store,
    geofences: geofences.store,
    ...{ groups, users, settings },
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

  it('keep groups and users: one that leaves the sight of the user is hidden, and shown again when it comes back', () => {
    const { send, frames, groups, users } = setUp();
    const stamps = { version: 1, created_at: noon, updated_at: noon };
    const north = { group_id: 'north', name: 'North', ...stamps };
    const anna: User = {
      ...{ user_id: 'anna', login: 'anna', name: null, email: null, role: 'user', blocked: false },
      rights: { vehicles: 'read', geofences: 'read', notifications: 'read', reports: 'read', video: 'read' },
      group_ids: ['north'],
      ...stamps,
    };
    const shown = () => [groups, users].map(({ store }) => [...store.getState().byId.values()]);
    const sendBoth = (group: Sent<'group'>, user: Sent<'user'>) => {
      send({ topic: 'group', data: group });
      send({ topic: 'user', data: user });
      frames.draw();
      return shown();
    };
    expect(sendBoth(north, anna)).toEqual([[north], [anna]]);
    expect(sendBoth({ group_id: 'north', deleted: true }, { user_id: 'anna', deleted: true })).toEqual([
      [],
      [],
    ]);
    // What was asked for before must not bring it back; what the stream sends does.
    groups.put([north]);
    users.put([anna]);
    expect(shown()).toEqual([[], []]);
    expect(sendBoth(north, anna)).toEqual([[north], [anna]]);
  });

  it('keep the settings, of which an older state that was read meanwhile changes nothing', () => {
    const { send, settings } = setUp();
    const state = (version: number, timezone: string) =>
      settingsOf.parse({
        ...{ ...settingsFields.parse({}), timezone, instance_id: 'depot', version },
        ...{ updated_at: noon, maps_version: 1, overridden: [] },
      });
    send({ topic: 'settings', data: state(2, 'Europe/Riga') });
    takeSettings(settings, state(1, 'UTC'));
    const { numbers, time } = settings.getState();
    expect([numbers.timezone, time.timeZone]).toEqual(['Europe/Riga', 'Europe/Riga']);
  });
});
