import { describe, expect, it } from 'vitest';
import { createPositionStore } from '../../../renderer/telemetry/positionStore.ts';
import { createFakeFrames } from '../fakeFrames.ts';
import { samplePosition } from '../samples.ts';

const at = (s: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, s)).toISOString();

describe('the store of positions', () => {
  it('the store of positions publishes all moves once a frame, and each vehicle to its subscribers', () => {
    const frames = createFakeFrames();
    const store = createPositionStore(frames, frames, () => 3);
    const published: string[][] = [];
    let first = 0;
    store.onFrame((changed) => published.push([...changed]));
    store.onVehicle('a', () => (first += 1));
    store.take([
      samplePosition({ vehicle_id: 'a', time: at(1) }),
      samplePosition({ vehicle_id: 'b', time: at(1) }),
    ]);
    store.take([samplePosition({ vehicle_id: 'a', time: at(2), lat: 7 })]);
    expect(published).toEqual([]);
    frames.draw();
    expect(published).toEqual([['a', 'b']]);
    expect(first).toBe(1);
    expect(store.get('a')?.fix?.lat).toBe(7);
    store.take([samplePosition({ vehicle_id: 'b', time: at(3) })]);
    frames.draw();
    expect(published.at(-1)).toEqual(['b']);
    expect(first).toBe(1);
  });

  it('the store of positions publishes what more than 1,000 vehicles change with the frames for what is heavy', () => {
    const frames = createFakeFrames();
    const heavy = createFakeFrames();
    const store = createPositionStore(frames, heavy, () => 3);
    const published: number[] = [];
    store.onFrame((changed) => published.push(changed.size));
    const fleet = (size: number) =>
      Array.from({ length: size }, (_, at) => samplePosition({ vehicle_id: `v${at}` }));
    store.take(fleet(1_000));
    frames.draw();
    store.take(fleet(1_001));
    frames.draw();
    expect(published).toEqual([1_000]);
    heavy.draw();
    expect(published).toEqual([1_000, 1_001]);
  });

  it('the store of positions forgets a vehicle that was deleted, and says so', () => {
    const frames = createFakeFrames();
    const store = createPositionStore(frames, frames, () => 3);
    const published: string[][] = [];
    store.take([samplePosition({ vehicle_id: 'a' })]);
    frames.draw();
    store.onFrame((changed) => published.push([...changed]));
    store.forget('a');
    frames.draw();
    expect(published).toEqual([['a']]);
    expect(store.get('a')).toBeUndefined();
  });
});
