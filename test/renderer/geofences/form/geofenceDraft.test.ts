import { describe, expect, it } from 'vitest';
import {
  draftOf,
  isTouched,
  numberOf,
  visitsAskedBy,
} from '../../../../renderer/geofences/form/geofenceDraft.ts';
import { emptyForm, formOf, type GeofenceEdit } from '../../../../renderer/geofences/form/geofenceEdit.ts';
import { startHistory } from '../../../../renderer/geofences/form/shapeHistory.ts';
import { toDrawnShape } from '../../../../renderer/live/mapGeofences.ts';
import { sampleGeofence } from '../sampleGeofence.ts';

const geofence = sampleGeofence({
  speed_limit_kmh: 30,
  color: '#3d8bd9',
  min_inside_s: 60,
  schedule: { timezone: 'Europe/Berlin', ranges: [{ days: [1, 2], from: '08:00', to: '17:00' }] },
});
const edit: GeofenceEdit = {
  kind: 'change',
  geozoneId: geofence.geozone_id,
  base: geofence,
  drawn: toDrawnShape(geofence),
  sizes: null,
  history: startHistory(null),
  form: formOf(geofence),
};

describe('the geofence editor', () => {
  it('the geofence editor has no changes until something is changed', () => {
    const { geozone_id: _, version: __, created_at: ___, updated_at: ____, ...fields } = geofence;
    expect(draftOf(edit)).toEqual(fields);
    expect(isTouched(edit)).toBe(false);
    expect(isTouched({ ...edit, form: { ...edit.form, name: 'Yard 2' } })).toBe(true);
    expect(isTouched({ ...edit, drawn: toDrawnShape(sampleGeofence({ radius_m: 401 })) })).toBe(true);
  });

  it('the geofence editor keeps a shape of several parts, which cannot be drawn', () => {
    const ring: [number, number][] = [
      [13, 52],
      [14, 52],
      [14, 53],
      [13, 52],
    ];
    const geometry = { type: 'MultiPolygon' as const, coordinates: [[ring]] };
    const parts = sampleGeofence({ shape: 'polygon', geometry, radius_m: null });
    expect(draftOf({ ...edit, base: parts, drawn: null })).toMatchObject({ shape: 'polygon', geometry });
  });

  it('the geofence editor has no shape while a new geofence has none', () => {
    const begun: GeofenceEdit = {
      kind: 'new',
      shape: 'circle',
      drawn: null,
      sizes: null,
      history: startHistory(null),
      form: emptyForm,
    };
    expect(draftOf(begun)).toBeNull();
    expect(isTouched(begun)).toBe(false);
    expect(isTouched({ ...begun, form: { ...emptyForm, name: 'Y' } })).toBe(true);
  });

  it('the geofence editor takes numbers with a comma or a point, and nothing for no speed limit', () => {
    expect(numberOf(' 12,5 ')).toBe(12.5);
    expect(numberOf('twelve')).toBeNaN();
    expect(numberOf('')).toBeNaN();
    expect(draftOf({ ...edit, form: { ...edit.form, speedLimit: ' ' } })?.speed_limit_kmh).toBeNull();
  });
});

describe('a trial of the shape', () => {
  const asked = (form: Partial<typeof edit.form>) => {
    const draft = draftOf({ ...edit, form: { ...edit.form, ...form } });
    return draft === null ? null : visitsAskedBy(draft);
  };

  it('a trial of the shape stays the same under another name, colour and speed limit', () => {
    expect(asked({ name: 'Other', color: null, speedLimit: '50' })).toEqual(asked({}));
    expect(asked({ name: '' })).toEqual(asked({}));
  });

  it('a trial of the shape is repeated with other waits, hours and groups', () => {
    expect(asked({ minInside: '0' })).not.toEqual(asked({}));
    expect(asked({ schedule: null })).not.toEqual(asked({}));
    expect(asked({ groupIds: ['0e0f6f3c-1c52-4d3f-8c49-9d0a0d3f0a3b'] })).not.toEqual(asked({}));
  });

  it('a trial of the shape is not made while a number is missing', () => {
    expect(asked({ hysteresis: 'x' })).toBeNull();
    expect(
      asked({ schedule: { timezone: 'UTC', ranges: [{ days: [], from: '08:00', to: '17' }] } }),
    ).toBeNull();
  });
});
