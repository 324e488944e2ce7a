import { describe, expect, it } from 'vitest';
import { passageOf, isOf, type Visit } from '../../../renderer/geofences/preview/geofencePreview.ts';
import { readLiveAddress } from '../../../renderer/live/liveActions.ts';
import {
  closePoint,
  maySeePassages,
  momentOf,
  nearestVehicles,
  showPassages,
  showPoint,
  startMeasuring,
} from '../../../renderer/points/mapPoint.ts';
import type { LatLon } from '../../../server/contract/coordinates.ts';
import { COMMANDS } from '../../../renderer/commands/commands.ts';
import { openSession } from '../commands/openSession.ts';
import { sampleNotification, sampleVehicle } from '../samples.ts';

const near = (place: LatLon, fixes: Record<string, LatLon | null>, count = 5) =>
  nearestVehicles(place, Object.keys(fixes), (id) => fixes[id] ?? null, count);

describe('the vehicles nearest to a point', () => {
  it('vehicles come in order of their distance, each with its direction', () => {
    const found = near(
      { lat: 50, lon: 10 },
      {
        south: { lat: 49.9, lon: 10 },
        east: { lat: 50, lon: 10.1 },
        north: { lat: 50.2, lon: 10 },
        west: { lat: 50, lon: 9.7 },
      },
    );
    expect(
      found.map(({ vehicleId, distanceM, bearingDeg }) => [
        vehicleId,
        Math.round(distanceM / 100) / 10,
        Math.abs(Math.round(bearingDeg)),
      ]),
    ).toEqual([
      ['east', 7.1, 90],
      ['south', 11.1, 180],
      ['west', 21.4, 90],
      ['north', 22.2, 0],
    ]);
    expect(found[2]?.bearingDeg).toBeLessThan(0);
  });

  it('a vehicle beyond the antimeridian is as near as it is', () => {
    const [first, second] = near(
      { lat: 0, lon: 179.99 },
      { beyond: { lat: 0, lon: -179.99 }, onThisSide: { lat: 0, lon: 179.9 } },
    );
    expect([first?.vehicleId, second?.vehicleId]).toEqual(['beyond', 'onThisSide']);
    expect(first?.distanceM).toBeCloseTo(2_224, -1);
    expect(first?.bearingDeg).toBeCloseTo(90);
  });

  it('vehicles without a fix are left out, and so is what is farther than the last that is asked for', () => {
    const fixes: Record<string, LatLon | null> = { never: null };
    for (let at = 1; at <= 100; at++) fixes[`v${at}`] = { lat: at / 10, lon: 0 };
    expect(near({ lat: 0, lon: 0 }, fixes, 3).map(({ vehicleId }) => vehicleId)).toEqual(['v1', 'v2', 'v3']);
    expect(near({ lat: 0, lon: 0 }, { never: null })).toEqual([]);
  });
});

describe('a point on the map', () => {
  const point = { lat: 42.508331, lon: 1.526952, name: 'Avinguda Meritxell' };
  const query = { point: '42.50833,1.52695' };

  it('the address of the console names the point in place of the vehicle, until it is closed', () => {
    const { app } = openSession();
    app.navigation.go('live', { vehicle: 'v1' });
    showPoint(app, point);
    expect(app.navigation.store.getState().query).toEqual(query);
    closePoint(app);
    expect(app.navigation.store.getState().query).toEqual({});
  });

  it('a link opens the point, and keeps the name of the one that is open already', () => {
    const { app, state } = openSession();
    const stop = readLiveAddress(app);
    app.navigation.go('live', query);
    expect(app.view.getState().point).toEqual({ lat: 42.50833, lon: 1.52695, name: null });
    expect(state()).toContain('camera.flyTo');
    showPoint(app, point);
    app.navigation.go('live', { ...query, again: '1' });
    expect(app.view.getState().point).toEqual(point);
    app.navigation.go('live');
    expect(app.view.getState().point).toBeNull();
    app.navigation.go('live', { point: 'nowhere' });
    expect(app.view.getState().point).toBeNull();
    stop();
  });

  it('a link to an alarm means its vehicle, not those that were selected before', () => {
    const { app } = openSession();
    const stop = readLiveAddress(app);
    app.navigation.go('live', { vehicle: 'v1' });
    app.view.setState({ selectedIds: new Set(['v1', 'v2']) });
    app.navigation.go('vehicles');
    app.navigation.go('live');
    expect([...app.view.getState().selectedIds]).toEqual(['v1', 'v2']);
    app.navigation.go('live', { vehicle: 'v3', notification: 'n3' });
    expect(app.view.getState()).toMatchObject({ vehicleId: 'v3', selectedIds: new Set() });
    stop();
  });

  it('Ctrl C copies a link to the point', () => {
    const { app, state } = openSession();
    app.navigation.go('live');
    const copy = COMMANDS.find(({ shortcut }) => shortcut === 'Ctrl+C');
    expect(copy?.when(app)).toBe(false);
    showPoint(app, point);
    expect(copy?.when(app)).toBe(true);
    copy?.run(app, '');
    expect(state()).toContain('platform.copyText');
  });

  it('a measurement that is begun anew takes the place of the one before', () => {
    const { app } = openSession();
    app.navigation.go('live');
    showPoint(app, point);
    startMeasuring(app, 'line');
    startMeasuring(app, 'polygon');
    expect(app.view.getState()).toMatchObject({ point: null, measuring: { shape: 'polygon', sizes: null } });
    COMMANDS.find(({ shortcut }) => shortcut === 'Escape')?.run(app, '');
    expect(app.view.getState().measuring).toBeNull();
  });
});

describe('the vehicles that passed a point', () => {
  it('from an alarm, the point of the alarm is opened with half an hour before and after it', () => {
    const { app } = openSession();
    const alarm = sampleNotification({ lat: 52.5, lon: 13.4, last_time: '2026-11-21T12:00:00.000Z' });
    const moment = momentOf(alarm);
    if (moment === null) throw new Error('the alarm has a place');
    app.navigation.go('events');
    showPassages(app, moment);
    expect(app.navigation.store.getState()).toEqual({ place: 'live', query: { point: '52.50000,13.40000' } });
    expect(app.view.getState().point?.period).toEqual({
      from: Date.parse('2026-11-21T11:30:00.000Z'),
      to: Date.parse('2026-11-21T12:30:00.000Z'),
    });
    expect(momentOf({ ...alarm, lat: null })).toBeNull();
  });

  it('a user without the right to geofences is offered no search', () => {
    const rights = { vehicles: 'read', geofences: 'none' } as never;
    expect(maySeePassages(openSession({ role: 'user', rights }).app)).toBe(false);
    expect(maySeePassages(openSession({ role: 'user' }).app)).toBe(true);
  });

  const visit = {
    vehicle_id: 'v1',
    enter_time: '2026-11-21T12:00:00.000Z',
    exit_time: '2026-11-21T12:00:20.000Z',
    duration_s: 20,
  } as Visit;

  it('a vehicle passes half-way through the circle, and one that stays there when it arrives', () => {
    expect(passageOf(visit)).toEqual({ vehicle_id: 'v1', at: '2026-11-21T12:00:10.000Z' });
    const stay = { ...visit, exit_time: '2026-11-21T14:00:00.000Z', duration_s: 7_200 };
    expect(passageOf(stay).at).toBe(visit.enter_time);
  });

  it('a video is of the passage when it is of its vehicle and its span holds the moment', () => {
    const passage = passageOf(visit);
    const task = { vehicle_id: 'v1', from: '2026-11-21T12:00:00.000Z', to: '2026-11-21T12:00:30.000Z' };
    expect(isOf(task, passage)).toBe(true);
    expect(isOf({ ...task, vehicle_id: 'v2' }, passage)).toBe(false);
    expect(isOf({ ...task, to: '2026-11-21T12:00:05.000Z' }, passage)).toBe(false);
  });

  it('V orders the video of the passage that is chosen, on Live and among the geofences', () => {
    for (const place of ['live', 'geofences'] as const) {
      const { app, state } = openSession();
      app.vehicles.put([sampleVehicle()]);
      app.navigation.go(place);
      const video = COMMANDS.find(({ id }) => id === 'video');
      expect(video?.when(app)).toBe(false);
      app.view.setState({ passage: passageOf(visit) });
      expect(video?.when(app)).toBe(true);
      video?.run(app, '');
      expect(state()).toContain('video.orderVideo');
    }
  });
});
