import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { attributes } from '../../../server/contract/fields.ts';
import { newRule } from '../../../server/contract/rules.ts';
import { newUser } from '../../../server/contract/users.ts';
import { newVehicle } from '../../../server/contract/vehicles.ts';
import { applyMergePatch } from '../../../server/http/mergePatch.ts';

const vehicle = newVehicle.parse({
  terminal_id: 'A1',
  name: 'van',
  plate: 'AB 1',
  attributes: { axles: 2, crane: true },
});
const patched = (patch: object) => applyMergePatch(newVehicle, vehicle, patch);

describe('a merge patch', () => {
  it('a merge patch leaves what it does not name', () => {
    expect(patched({ name: 'lorry' })).toEqual({ ...vehicle, name: 'lorry' });
    expect(patched({})).toEqual(vehicle);
  });

  it('a merge patch puts back to its default what it sets to null', () => {
    expect(patched({ plate: null, attributes: null })).toMatchObject({ plate: null, attributes: {} });
  });

  it('a merge patch cannot take away what a resource must have', () => {
    expect(() => patched({ name: null })).toThrow(/name/);
  });

  it('a merge patch replaces lists whole', () => {
    const id = '00000000-0000-4000-8000-000000000000';
    expect(applyMergePatch(newVehicle, { ...vehicle, group_ids: [id] }, { group_ids: [] }).group_ids).toEqual(
      [],
    );
  });

  it('a merge patch merges rights field by field, and gives a right its default back by null', () => {
    const user = {
      ...newUser.parse({ login: 'anna', password: '0123456789' }),
      rights: { vehicles: 'write', video: 'read' },
    };
    const { rights } = applyMergePatch(newUser, user, { rights: { vehicles: null, reports: 'none' } });
    expect(rights).toEqual({
      vehicles: 'read',
      geofences: 'read',
      notifications: 'read',
      reports: 'none',
      video: 'read',
    });
  });

  it('a merge patch puts in whole what takes one of several forms', () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const rule = newRule.parse({ name: 'sos', event_kind: 'sos', scope: { vehicle_ids: [id] } });
    expect(applyMergePatch(newRule, rule, { scope: { all: true } }).scope).toEqual({ all: true });
    expect(applyMergePatch(newRule, rule, { scope: { group_ids: [id] } }).scope).toEqual({
      vehicle_ids: [],
      group_ids: [id],
    });
  });

  it('a merge patch leaves out what the resource has and the schema does not know', () => {
    expect(applyMergePatch(newVehicle, { ...vehicle, version: 3, vehicle_id: 'x' }, {})).toEqual(vehicle);
  });

  it('a merge patch adds, changes and takes away attributes by their names, also by names that every object inherits', () => {
    const start = { ...vehicle, attributes: { axles: 2, constructor: 'Liebherr', toString: 'x' } };
    const { attributes: merged } = applyMergePatch(newVehicle, start, {
      attributes: { axles: null, valueOf: 1 },
    });
    expect(Object.entries(merged)).toEqual([
      ['constructor', 'Liebherr'],
      ['toString', 'x'],
      ['valueOf', 1],
    ]);
  });

  it('a merge patch of a flat map is what RFC 7396 says, for all maps', () => {
    const schema = z.strictObject({ attributes });
    const key = fc.oneof(
      fc.constantFrom('a', 'b', 'c', 'constructor', 'toString'),
      fc.string({ minLength: 1, maxLength: 8 }),
    );
    const map = fc.dictionary(
      key.filter((it) => it !== '__proto__'),
      fc.option(fc.oneof(fc.string(), fc.integer(), fc.boolean())),
    );
    fc.assert(
      fc.property(map, map, (before, patch) => {
        const wanted = new Map(Object.entries(before).filter(([, value]) => value !== null));
        for (const [name, value] of Object.entries(patch)) {
          wanted.delete(name);
          if (value !== null) wanted.set(name, value);
        }
        const start = Object.fromEntries(Object.entries(before).filter(([, value]) => value !== null));
        const { attributes: merged } = applyMergePatch(schema, { attributes: start }, { attributes: patch });
        expect(new Map(Object.entries(merged))).toEqual(wanted);
      }),
    );
  });
});
