import { describe, expect, it } from 'vitest';
import { createInsideWatch } from '../../../renderer/geofences/insideWatch.ts';
import { createPositionStore } from '../../../renderer/telemetry/positionStore.ts';
import { createFakeFrames } from '../fakeFrames.ts';
import { samplePosition } from '../samples.ts';
import { sampleGeofence } from './sampleGeofence.ts';

const at = (s: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, s)).toISOString();
const MIDDLE = { lat: 52.52, lon: 13.4 };
/** Inside of the square round the circle, outside of the circle. */
const CORNER = { lat: 52.5233, lon: 13.4055 };

function setUp(holdsFor: (id: string) => boolean = () => true) {
  const frames = createFakeFrames();
  const positions = createPositionStore(frames, frames, () => 3);
  const watch = createInsideWatch(sampleGeofence(), positions, holdsFor);
  const seen: string[][] = [];
  watch.store.subscribe(({ ids }) => seen.push([...ids].sort()));
  return {
    watch,
    seen,
    inside: () => [...watch.store.getState().ids].sort(),
    move: (id: string, place: { lat: number; lon: number }, s: number, valid = true) => {
      positions.take([samplePosition({ vehicle_id: id, ...place, time: at(s), valid })]);
      frames.draw();
    },
    forget: (id: string) => {
      positions.forget(id);
      frames.draw();
    },
  };
}

describe('the list of vehicles inside a geofence now', () => {
  it('the list of vehicles inside a geofence now is complete from the start, and follows vehicles in and out', () => {
    const { watch, move, inside } = setUp();
    move('a', MIDDLE, 1);
    move('b', { lat: 53, lon: 13.4 }, 1);
    const stop = watch.start();
    expect(inside()).toEqual(['a']);
    move('b', MIDDLE, 2);
    expect(inside()).toEqual(['a', 'b']);
    move('a', CORNER, 3);
    expect(inside()).toEqual(['b']);
    stop();
    move('b', CORNER, 4);
    expect(inside()).toEqual(['b']);
  });

  it('the list of vehicles inside a geofence now says nothing while vehicles only move about inside', () => {
    const { watch, move, seen } = setUp();
    move('a', MIDDLE, 1);
    watch.start();
    move('a', { lat: 52.5201, lon: 13.4 }, 2);
    expect(seen).toEqual([['a']]);
  });

  it('the list of vehicles inside a geofence now counts those alone that the geofence holds for', () => {
    const { watch, move, inside } = setUp((id) => id !== 'a');
    move('a', MIDDLE, 1);
    move('b', MIDDLE, 1);
    watch.start();
    expect(inside()).toEqual(['b']);
  });

  it('the list of vehicles inside a geofence now keeps to the last good place, and forgets a vehicle that is gone', () => {
    const { watch, move, inside, forget } = setUp();
    move('a', MIDDLE, 1);
    watch.start();
    move('a', { lat: 0, lon: 0 }, 2, false);
    expect(inside()).toEqual(['a']);
    forget('a');
    expect(inside()).toEqual([]);
  });
});
