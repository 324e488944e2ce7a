import { describe, expect, it } from 'vitest';
import { listLines, sortedByName, statusCounts } from '../../../renderer/vehicles/listOrder.ts';
import { sampleVehicle } from '../samples.ts';

describe('the vehicle list', () => {
  const vehicles = sortedByName([
    sampleVehicle({ vehicle_id: 'a', name: 'V 17' }),
    sampleVehicle({ vehicle_id: 'b', name: 'V 2', group_ids: ['north'] }),
    sampleVehicle({ vehicle_id: 'c', name: 'V 5' }),
    sampleVehicle({ vehicle_id: 'd', name: 'V 9' }),
  ]);
  const statuses = new Map([
    ['a', 'moving'],
    ['b', 'idle'],
    ['c', 'never'],
    ['d', 'offline'],
  ] as const);
  const all = { status: null, groupId: null };

  it('the vehicle list orders names as people count', () => {
    expect(vehicles.map((it) => it.name)).toEqual(['V 2', 'V 5', 'V 9', 'V 17']);
  });

  it('the vehicle list puts alarms before warnings, then what is in view, then the rest', () => {
    const attention = new Map([
      ['b', { severity: 'warning', acknowledged: false }],
      ['d', { severity: 'alarm', acknowledged: false }],
    ] as const);
    expect(listLines(vehicles, all, statuses, attention, new Set(['a']))).toEqual([
      { kind: 'heading', group: 'attention', count: 2 },
      { kind: 'vehicle', vehicleId: 'd' },
      { kind: 'vehicle', vehicleId: 'b' },
      { kind: 'heading', group: 'in_view', count: 1 },
      { kind: 'vehicle', vehicleId: 'a' },
      { kind: 'heading', group: 'elsewhere', count: 1 },
      { kind: 'vehicle', vehicleId: 'c' },
    ]);
  });

  it('the vehicle list shows one status or one group alone, and counts the never heard as offline', () => {
    const ids = (filter: Parameters<typeof listLines>[1]) =>
      listLines(vehicles, filter, statuses, new Map(), null).flatMap((it) =>
        it.kind === 'vehicle' ? [it.vehicleId] : [],
      );
    expect(ids({ status: 'offline', groupId: null })).toEqual(['c', 'd']);
    expect(ids({ status: null, groupId: 'north' })).toEqual(['b']);
    expect(statusCounts(vehicles, null, statuses)).toEqual({
      moving: 1,
      idle: 1,
      stopped: 0,
      overdue: 0,
      offline: 2,
    });
  });
});
