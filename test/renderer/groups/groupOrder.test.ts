import { describe, expect, it } from 'vitest';
import type { GroupEntry } from '../../../server/contract/groups.ts';
import { membersByGroup, sortedGroups } from '../../../renderer/groups/groupOrder.ts';
import { sampleVehicle } from '../samples.ts';

const group = (name: string): GroupEntry => ({
  group_id: name,
  name,
  version: 1,
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
});

describe('groups', () => {
  it('groups are listed in the order of their names, Depot 2 before Depot 10', () => {
    const names = sortedGroups(['Depot 10', 'depot 2', 'Airport'].map(group)).map(({ name }) => name);
    expect(names).toEqual(['Airport', 'depot 2', 'Depot 10']);
  });

  it('groups have the vehicles that name them', () => {
    const members = membersByGroup([
      sampleVehicle({ vehicle_id: 'a', group_ids: ['north', 'vans'] }),
      sampleVehicle({ vehicle_id: 'b', group_ids: ['north'] }),
      sampleVehicle({ vehicle_id: 'c' }),
    ]);
    expect(members.get('north')?.map(({ vehicle_id }) => vehicle_id)).toEqual(['a', 'b']);
    expect(members.get('vans')?.map(({ vehicle_id }) => vehicle_id)).toEqual(['a']);
    expect(members.size).toBe(2);
  });
});
