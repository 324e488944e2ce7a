import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { MapListState } from '../../../renderer/mapFiles/mapList.ts';
import { createAddresses } from '../../../renderer/telemetry/addresses.ts';
import type { Map as MapFile } from '../../../server/contract/maps.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const area = { west: 1, south: 42, east: 2, north: 43 };

function open() {
  const clock = createFakeClock();
  const store = createStore<MapListState>(() => ({
    maps: [{ kind: 'streets', shown: true, area } as MapFile],
    version: 1,
    load: { phase: 'ready' },
  }));
  const asked: { lat: number; lon: number }[][] = [];
  let isLost = false;
  let isHanging = false;
  const api = {
    request: (_route: unknown, { body }: { body: { points: { lat: number; lon: number }[] } }) => {
      asked.push(body.points);
      if (isHanging) return new Promise(() => undefined);
      if (isLost) return Promise.reject(new Error('the network is gone'));
      return Promise.resolve({
        places: body.points.map(({ lat }) => (lat > 42.9 ? null : { text: `Street ${lat}` })),
      });
    },
  };
  const addresses = createAddresses({ api: api as never, clock, mapList: { store } });
  let changes = 0;
  addresses.onChange(() => changes++);
  const stop = addresses.start();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    addresses,
    clock,
    asked,
    store,
    settle,
    stop,
    changes: () => changes,
    lose: (lost: boolean) => (isLost = lost),
    hang: () => (isHanging = true),
  };
}

describe('addresses of points', () => {
  it('points that are shown together are asked for by one call, and have their address then', async () => {
    const { addresses, clock, asked, settle, changes } = open();
    expect([
      addresses.addressOf(42.5, 1.5),
      addresses.addressOf(42.6, 1.5),
      addresses.addressOf(42.500_01, 1.5),
    ]).toEqual([null, null, null]);
    clock.advance(50);
    await settle();
    expect(asked).toEqual([[{ lat: 42.5, lon: 1.5 }, { lat: 42.6, lon: 1.5 }]]); // prettier-ignore
    expect([addresses.addressOf(42.5, 1.5), changes()]).toEqual(['Street 42.5', 1]);
  });

  it('a vehicle that drives on keeps the address that it had until the next one has come', async () => {
    const { addresses, clock, settle } = open();
    addresses.addressOf(42.5, 1.5);
    clock.advance(50);
    await settle();
    expect(addresses.addressOf(42.5007, 1.5007)).toBe('Street 42.5');
    expect(addresses.addressOf(42.51, 1.5)).toBeNull();
    clock.advance(3_000);
    await settle();
    expect(addresses.addressOf(42.5007, 1.5007)).toBe('Street 42.5007');
  });

  it('calls rest three seconds between them', async () => {
    const { addresses, clock, asked, settle } = open();
    addresses.addressOf(42.5, 1.5);
    clock.advance(50);
    await settle();
    addresses.addressOf(42.6, 1.5);
    clock.advance(2_900);
    await settle();
    expect(asked).toHaveLength(1);
    clock.advance(200);
    await settle();
    expect(asked).toHaveLength(2);
  });

  it('outside of the maps nothing is asked for, and what has no address is asked for once', async () => {
    const { addresses, clock, asked, settle } = open();
    addresses.addressOf(50, 1.5);
    addresses.addressOf(42.95, 1.5);
    clock.advance(50);
    await settle();
    expect(addresses.addressOf(42.95, 1.5)).toBeNull();
    clock.advance(10_000);
    await settle();
    expect(asked).toEqual([[{ lat: 42.95, lon: 1.5 }]]);
  });

  it('after another set of maps all addresses are asked for again', async () => {
    const { addresses, clock, settle, store, changes } = open();
    addresses.addressOf(42.5, 1.5);
    clock.advance(50);
    await settle();
    store.setState({ maps: [], version: 2 });
    expect([addresses.addressOf(42.5, 1.5), changes()]).toEqual([null, 2]);
  });

  it('what is written to a file has its addresses loaded at once, a thousand by a call', async () => {
    const { addresses, asked } = open();
    const points = Array.from({ length: 1_500 }, (_, i) => ({ lat: 42 + i / 2_000, lon: 1.5 }));
    await addresses.load([...points, ...points, { lat: 50, lon: 1 }]);
    expect(asked.map((it) => it.length)).toEqual([1_000, 500]);
    await addresses.load(points);
    expect(asked).toHaveLength(2);
    expect(addresses.addressOf(42.5, 1.5)).toBe('Street 42.5');
  });

  it('what is written to a file waits ten seconds for its addresses, and not for a call that fails', async () => {
    const { addresses, clock, lose, hang } = open();
    lose(true);
    await addresses.load([{ lat: 42.5, lon: 1.5 }]);
    hang();
    const loading = addresses.load([{ lat: 42.5, lon: 1.5 }]);
    clock.advance(10_000);
    await loading;
    expect(addresses.addressOf(42.5, 1.5)).toBeNull();
  });

  it('a call that fails is made again when the point is shown again', async () => {
    const { addresses, clock, settle, asked, lose } = open();
    lose(true);
    addresses.addressOf(42.5, 1.5);
    clock.advance(50);
    await settle();
    lose(false);
    addresses.addressOf(42.5, 1.5);
    clock.advance(3_000);
    await settle();
    expect([asked.length, addresses.addressOf(42.5, 1.5)]).toEqual([2, 'Street 42.5']);
  });
});
