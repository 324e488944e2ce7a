import { newGeofence, type Geofence, type NewGeofence } from '../../../server/contract/geofences.ts';
import { keptFromForm } from '../../format/units.ts';
import { drawnFields, toDrawnShape } from '../../live/mapGeofences.ts';
import { emptyForm, formOf, type GeofenceEdit, type GeofenceForm } from './geofenceEdit.ts';

/** The fields of a geofence but for its shape. */
export type GeofenceFields = Omit<NewGeofence, 'shape' | 'geometry' | 'radius_m' | 'width_m'>;

/** A number as a hand types it, with a comma or a point; NaN for what is none. */
export function numberOf(typed: string): number {
  const text = typed.trim().replace(',', '.').replace('−', '-');
  return text === '' ? Number.NaN : Number(text);
}

function fieldsOf(form: GeofenceForm, base: Geofence | null): GeofenceFields {
  return {
    name: form.name.trim(),
    color: form.color,
    speed_limit_kmh:
      form.speedLimit.trim() === ''
        ? null
        : keptFromForm('speed_limit_kmh', numberOf(form.speedLimit), base?.speed_limit_kmh),
    hysteresis_m: keptFromForm('hysteresis_m', numberOf(form.hysteresis), base?.hysteresis_m),
    min_inside_s: numberOf(form.minInside),
    min_outside_s: numberOf(form.minOutside),
    schedule: form.schedule,
    group_ids: [...form.groupIds],
  };
}

/** The geofence as it would be made; its shape is the drawn one, else the one that it has. Null without a shape. */
export function draftOf(edit: GeofenceEdit): NewGeofence | null {
  const fields = fieldsOf(edit.form, edit.kind === 'change' ? edit.base : null);
  if (edit.drawn !== null) return { ...fields, ...drawnFields(edit.drawn) };
  if (edit.kind === 'new') return null;
  const { shape, geometry, radius_m, width_m } = edit.base;
  return { ...fields, shape, geometry, radius_m, width_m };
}

/** Whether anything of it would be lost without saving. */
export function isTouched(edit: GeofenceEdit): boolean {
  const before: GeofenceEdit =
    edit.kind === 'new'
      ? { ...edit, drawn: null, form: emptyForm }
      : { ...edit, drawn: toDrawnShape(edit.base), form: formOf(edit.base) };
  return JSON.stringify([edit.drawn, edit.form]) !== JSON.stringify([before.drawn, before.form]);
}

/**
 * What visits follow from: name, colour and speed limit make none. Null for a draft that the contract would not take.
 */
export function visitsAskedBy(draft: NewGeofence): Omit<NewGeofence, 'name'> | null {
  const parsed = newGeofence.omit({ name: true }).safeParse({ ...without(draft), color: null });
  return parsed.success ? { ...parsed.data, speed_limit_kmh: null } : null;
}

function without({ name: _, ...rest }: NewGeofence): Omit<NewGeofence, 'name'> {
  return rest;
}
