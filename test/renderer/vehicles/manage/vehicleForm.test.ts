import { describe, expect, it } from 'vitest';
import { vehiclePatch } from '../../../../server/contract/vehicles.ts';
import { rebaseForm } from '../../../../renderer/resources/rebaseForm.ts';
import {
  differences,
  emptyForm,
  formOf,
  isChanged,
  newVehicleOf,
  patchOf,
} from '../../../../renderer/vehicles/manage/vehicleForm.ts';
import { sampleVehicle } from '../../samples.ts';

const vehicle = sampleVehicle({
  name: 'V 17',
  plate: 'AB 1234',
  speed_limit_kmh: 90,
  clock_offset_s: -30,
  group_ids: ['north', 'vans'],
  attributes: { axles: 3, 'cost centre': '0042', cooled: true, note: null },
});

describe('a vehicle’s form', () => {
  it('a vehicle’s form changes nothing as long as nothing is typed', () => {
    expect(patchOf(formOf(vehicle), vehicle)).toEqual({ patch: {} });
    expect(isChanged(formOf(vehicle), vehicle)).toBe(false);
  });

  it('a vehicle’s form saves what was changed and nothing else, in the words of the contract', () => {
    const read = patchOf(
      { ...formOf(vehicle), plate: ' ', driver: ' M. Okafor ', type: 'truck', speed_limit_kmh: '72,5' },
      vehicle,
    );
    expect(read).toEqual({
      patch: { plate: null, driver: 'M. Okafor', type: 'truck', speed_limit_kmh: 72.5 },
    });
    expect('patch' in read && vehiclePatch.safeParse(read.patch).success).toBe(true);
  });

  it('a vehicle’s form does not take another order of groups for a change', () => {
    expect(patchOf({ ...formOf(vehicle), group_ids: ['vans', 'north'] }, vehicle)).toEqual({ patch: {} });
    expect(patchOf({ ...formOf(vehicle), group_ids: ['vans'] }, vehicle)).toEqual({
      patch: { group_ids: ['vans'] },
    });
  });

  it('a vehicle’s form keeps the kind of a further field, takes new ones as text, and names those that go', () => {
    const attributes = [
      { name: 'axles', value: '4' },
      { name: 'cost centre', value: '0042' },
      { name: 'cooled', value: 'false' },
      { name: 'note', value: '' },
      { name: 'locker', value: '0099' },
    ];
    expect(patchOf({ ...formOf(vehicle), attributes }, vehicle)).toEqual({
      patch: { attributes: { axles: 4, cooled: false, locker: '0099' } },
    });
    expect(patchOf({ ...formOf(vehicle), attributes: attributes.slice(1, 4) }, vehicle)).toEqual({
      patch: { attributes: { axles: null, cooled: false } },
    });
  });

  it('a vehicle’s form says which field cannot be read', () => {
    const form = {
      ...formOf(vehicle),
      speed_limit_kmh: 'fast',
      attributes: [
        { name: 'axles', value: '3' },
        { name: 'axles ', value: '4' },
      ],
    };
    expect(patchOf(form, vehicle)).toEqual({
      faults: { speed_limit_kmh: 'not_a_number', attributes: 'name_twice' },
    });
    expect(patchOf({ ...formOf(vehicle), attributes: [{ name: '', value: 'x' }] }, vehicle)).toEqual({
      faults: { attributes: 'name_missing' },
    });
  });

  it('a vehicle’s form makes a new vehicle of what was typed', () => {
    expect(newVehicleOf({ ...emptyForm, terminal_id: ' 123 ', name: ' V 1 ' })).toMatchObject({
      vehicle: { terminal_id: '123', name: 'V 1', plate: null, clock_offset_s: 0, group_ids: [] },
    });
  });
});

describe('two people at one vehicle', () => {
  const theirs = { ...vehicle, driver: 'J. Lind', plate: 'CD 5678', version: 2 };
  const yours = { ...formOf(vehicle), plate: 'EF 9999', phone: '555' };

  it('two people at one vehicle are shown what each of them wrote', () => {
    const rows = differences(yours, vehicle, theirs);
    expect(rows.map(({ field }) => field)).toEqual(['plate', 'driver', 'phone']);
    expect(rows[0]?.theirs.plate).toBe('CD 5678');
    expect(rows[0]?.yours.plate).toBe('EF 9999');
  });

  it('two users who edit one vehicle lose only the fields both of them changed, to the last save', () => {
    const merged = rebaseForm(yours, formOf(vehicle), formOf(theirs));
    expect(patchOf(merged, theirs)).toEqual({ patch: { plate: 'EF 9999', phone: '555' } });
  });

  it('two people at one vehicle agree when they wrote the same', () => {
    expect(differences({ ...formOf(vehicle), driver: 'J. Lind', plate: 'CD 5678' }, vehicle, theirs)).toEqual(
      [],
    );
  });
});
