import { describe, expect, it } from 'vitest';
import type { Driver } from '../../../server/contract/drivers.ts';
import { driverOf } from '../../../renderer/drivers/currentDriver.ts';
import {
  driverDifferences,
  driverOfForm,
  emptyDriver,
  formOfDriver,
  momentField,
  readMoment,
} from '../../../renderer/drivers/driverForm.ts';
import { sampleVehicle } from '../samples.ts';

const timeZone = 'Europe/Riga';
const time = '2026-11-24T04:00:00.000Z';
const driver: Driver = {
  driver_id: 'd',
  name: 'Zoë Ünal',
  phone: '+44 20 7946 0104',
  licence_number: null,
  licence_expires: '2029-06-30',
  external_id: null,
  note: null,
  cards: [{ number: '01-AF', from: null, to: time }],
  group_ids: ['g'],
  archived_at: null,
  version: 1,
  created_at: time,
  updated_at: time,
};

describe('the form of a driver', () => {
  it('the form of a driver gives back what it was made of, in the depot’s time zone', () => {
    const form = formOfDriver(driver, timeZone);
    expect(form.cards).toEqual([{ number: '01-AF', from: '', to: '2026-11-24 06:00' }]);
    const { driver_id: _, archived_at: __, version, created_at, updated_at, ...fields } = driver;
    expect([version, created_at, updated_at]).toEqual([1, time, time]);
    expect(driverOfForm(form, timeZone)).toEqual(fields);
  });

  it('blank lines of cards are left out, and a card with no moment cannot be sent', () => {
    const blank = { number: ' ', from: '', to: '' };
    expect(driverOfForm({ ...emptyDriver, name: 'A', cards: [blank] }, timeZone)?.cards).toEqual([]);
    const wrong = { number: '7', from: 'noon', to: '' };
    expect(driverOfForm({ ...emptyDriver, name: 'A', cards: [wrong] }, timeZone)).toBeNull();
  });

  it('a moment is typed as a day, or a day and a time', () => {
    expect(readMoment(momentField(time, timeZone), timeZone)).toBe(time);
    expect(readMoment('2026-11-24', timeZone)).toBe('2026-11-23T22:00:00.000Z');
    expect(readMoment(' ', timeZone)).toBeNull();
    expect(readMoment('2026-11-24 25:00', timeZone)).toBeUndefined();
    expect(readMoment('2026-11-24 06:00 UTC', timeZone)).toBeUndefined();
  });

  it('fields that somebody else changed otherwise are the differences', () => {
    const base = formOfDriver(driver, timeZone);
    const yours = { ...base, phone: '1' };
    expect(driverDifferences(yours, base, { ...base, phone: '2', note: 'x' })).toEqual(['phone', 'note']);
  });
});

it('the driver of a vehicle is who drives it now, else who stands in its own fields', () => {
  const current = { driver_id: 'd', name: 'Zoë', phone: null, card: 'AF', since: time };
  const vehicle = sampleVehicle({ driver: 'M. Okafor', phone: '555' });
  expect(driverOf(vehicle)).toEqual({ name: 'M. Okafor', phone: '555', card: null, driverId: null });
  expect(driverOf({ ...vehicle, current_driver: current })).toMatchObject({ name: 'Zoë', phone: null });
  expect(driverOf(sampleVehicle({ driver: null, phone: null }))).toBeNull();
});
