import { describe, expect, it } from 'vitest';
import type { VehicleStatus } from '../../../../server/contract/vehicles.ts';
import { countsOf, wanted, type TableFilter } from '../../../../renderer/vehicles/manage/vehicleTable.ts';
import { nextFreeName } from '../../../../renderer/vehicles/manage/unknownTerminals.tsx';
import { sampleVehicle } from '../../samples.ts';

const fleet = [
  sampleVehicle({
    vehicle_id: 'a',
    name: 'V 1',
    plate: 'AB 1234',
    driver: 'M. Okafor',
    group_ids: ['north'],
  }),
  sampleVehicle({ vehicle_id: 'b', name: 'V 2', terminal_id: '866192037641180', group_ids: ['north'] }),
  sampleVehicle({ vehicle_id: 'c', name: 'Van 21', driver: 'J. Lind', phone: '555' }),
];
const statuses = new Map<string, VehicleStatus>([
  ['a', 'moving'],
  ['b', 'idle'],
]);
const found = (filter: Partial<TableFilter>) =>
  wanted(fleet, { text: '', status: null, groupId: null, ...filter }, statuses).map((it) => it.vehicle_id);

describe('the search in the table of vehicles', () => {
  it('the search in the table of vehicles looks into name, plate, terminal ID, driver and phone, for any part and in any case', () => {
    expect(found({ text: '21' })).toEqual(['c']);
    expect(found({ text: 'ab 12' })).toEqual(['a']);
    expect(found({ text: '641180' })).toEqual(['b']);
    expect(found({ text: 'LIND' })).toEqual(['c']);
    expect(found({ text: '555' })).toEqual(['c']);
    expect(found({ text: '556' })).toEqual([]);
  });

  it('the search in the table of vehicles wants every word, wherever each one stands', () => {
    expect(found({ text: 'okafor 1234' })).toEqual(['a']);
    expect(found({ text: 'okafor 641' })).toEqual([]);
  });

  it('the search in the table of vehicles takes a status and a group besides, and finds vehicles that never reported', () => {
    expect(found({ groupId: 'north' })).toEqual(['a', 'b']);
    expect(found({ groupId: 'north', status: 'idle' })).toEqual(['b']);
    expect(found({ status: 'never' })).toEqual(['c']);
    expect(countsOf(fleet, statuses)).toEqual({
      moving: 1,
      idle: 1,
      stopped: 0,
      overdue: 0,
      offline: 0,
      never: 1,
    });
  });
});

describe('the proposed name of a vehicle for an unknown terminal', () => {
  it('the proposed name of a vehicle for an unknown terminal is the next free number', () => {
    const nameOf = (number: number) => `V ${number}`;
    expect(nextFreeName([], nameOf)).toBe('V 1');
    expect(nextFreeName(['V 1', 'Bus'], nameOf)).toBe('V 3');
    expect(nextFreeName(['v 3', 'V 4'], nameOf)).toBe('V 5');
  });
});
