import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VehicleTimeMap } from '../../../server/telemetry/vehicleTimeMap.ts';
import { keyOf } from './positions.ts';

const moment = fc.record({
  vehicle_id: fc.constantFrom('van', 'car', ''),
  time_ms: fc.constantFrom(0, 1, 2 ** 41, -1),
});

test('a vehicle–time map holds one thing for each vehicle and time, the last that was set, as a map by both would', () => {
  fc.assert(
    fc.property(fc.array(moment), (moments) => {
      const held = new VehicleTimeMap<number>();
      const naive = new Map<string, number>();
      for (const [at, it] of moments.entries()) {
        held.set(it.vehicle_id, it.time_ms, at);
        naive.set(keyOf(it), at);
      }
      expect(held.size).toBe(naive.size);
      for (const it of moments) expect(held.get(it.vehicle_id, it.time_ms)).toBe(naive.get(keyOf(it)));
      const all = held.byVehicle();
      expect(all.flat().toSorted()).toEqual([...naive.values()].toSorted());
      expect(all).toHaveLength(new Set(moments.map((it) => it.vehicle_id)).size);
    }),
  );
  expect(new VehicleTimeMap().get('van', 0)).toBeUndefined();
});
