import type { Attributes } from '../../../server/contract/fields.ts';
import { keptFromForm, shownInForm } from '../../format/units.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import type { TextKey, Translate } from '../../i18n/text.ts';
import type { Difference } from '../../resources/ConflictNotice.tsx';
import { createDrafts, type Drafts } from '../../resources/useResourceForm.ts';
import { changesOf, isSame } from '../../resources/rebaseForm.ts';
import {
  vehicleType,
  type NewVehicle,
  type Vehicle,
  type VehiclePatch,
} from '../../../server/contract/vehicles.ts';

export const NO_TYPE = 'none';
export const formTypes = [NO_TYPE, ...vehicleType.options] as const;
export type FormType = (typeof formTypes)[number];

/** A vehicle as it is typed; empty texts are what nobody said. */
export interface VehicleForm {
  terminal_id: string;
  name: string;
  plate: string;
  type: FormType;
  color: string;
  driver: string;
  phone: string;
  vin: string;
  speed_limit_kmh: string;
  clock_offset_s: string;
  group_ids: readonly string[];
  attributes: readonly AttributeLine[];
}

export interface AttributeLine {
  name: string;
  value: string;
}

/** What can be wrong with a form before the server sees it, by field. */
export type FormFault = 'not_a_number' | 'name_twice' | 'name_missing';
export type FormFaults = Partial<Record<keyof VehicleForm, FormFault>>;

export const emptyForm: VehicleForm = {
  terminal_id: '',
  name: '',
  plate: '',
  type: NO_TYPE,
  color: '',
  driver: '',
  phone: '',
  vin: '',
  speed_limit_kmh: '',
  clock_offset_s: '0',
  group_ids: [],
  attributes: [],
};

export function formOf(vehicle: Vehicle | null): VehicleForm {
  if (vehicle === null) return emptyForm;
  return {
    terminal_id: vehicle.terminal_id,
    name: vehicle.name,
    plate: vehicle.plate ?? '',
    type: vehicle.type ?? NO_TYPE,
    color: vehicle.color ?? '',
    driver: vehicle.driver ?? '',
    phone: vehicle.phone ?? '',
    vin: vehicle.vin ?? '',
    speed_limit_kmh:
      vehicle.speed_limit_kmh === null ? '' : shownInForm('speed_limit_kmh', vehicle.speed_limit_kmh),
    clock_offset_s: vehicle.clock_offset_s.toString(),
    group_ids: vehicle.group_ids,
    attributes: Object.entries(vehicle.attributes).map(([name, value]) => ({ name, value: textOf(value) })),
  };
}

const textOf = (value: Attributes[string]): string => (value === null ? '' : String(value));

/** What a new vehicle is made of, or what is wrong with the form. */
export function newVehicleOf(form: VehicleForm): { vehicle: NewVehicle } | { faults: FormFaults } {
  const { fields, faults } = fieldsOf(form, {});
  return Object.keys(faults).length > 0 ? { faults } : { vehicle: fields };
}

/** What the form changes of the vehicle that it began from, as a merge patch; empty when nothing. */
export function patchOf(form: VehicleForm, base: Vehicle): { patch: VehiclePatch } | { faults: FormFaults } {
  const { fields, faults } = fieldsOf(form, base.attributes, base.speed_limit_kmh);
  if (Object.keys(faults).length > 0) return { faults };
  const { attributes, ...plain } = fields;
  const patch: VehiclePatch = changesOf(plain, base);
  const changed = attributePatch(attributes, base.attributes);
  if (changed !== null) patch.attributes = changed;
  return { patch };
}

/** Whether saving the form would change anything, or it cannot be saved as it is. */
export function isChanged(form: VehicleForm, base: Vehicle): boolean {
  const read = patchOf(form, base);
  return 'faults' in read || Object.keys(read.patch).length > 0;
}

function fieldsOf(
  form: VehicleForm,
  before: Attributes,
  limitBefore: number | null = null,
): { fields: NewVehicle; faults: FormFaults } {
  const faults: FormFaults = {};
  const typed = numberOf(form.speed_limit_kmh);
  const limit = typed === null ? null : keptFromForm('speed_limit_kmh', typed, limitBefore);
  if (Number.isNaN(limit)) faults.speed_limit_kmh = 'not_a_number';
  const offset = numberOf(form.clock_offset_s);
  if (Number.isNaN(offset)) faults.clock_offset_s = 'not_a_number';
  const lines = form.attributes.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '');
  const names = lines.map(({ name }) => name.trim());
  if (names.includes('')) faults.attributes = 'name_missing';
  else if (new Set(names).size < names.length) faults.attributes = 'name_twice';
  return {
    faults,
    fields: {
      terminal_id: form.terminal_id.trim(),
      name: form.name.trim(),
      plate: emptyAsNull(form.plate),
      type: form.type === NO_TYPE ? null : form.type,
      color: emptyAsNull(form.color),
      driver: emptyAsNull(form.driver),
      phone: emptyAsNull(form.phone),
      vin: emptyAsNull(form.vin),
      speed_limit_kmh: limit,
      clock_offset_s: offset ?? 0,
      group_ids: [...form.group_ids],
      attributes: Object.fromEntries(
        lines.map(({ name, value }) => {
          const key = name.trim();
          return [key, attributeOf(value, Object.hasOwn(before, key) ? before[key] : undefined)];
        }),
      ),
    },
  };
}

/** A value keeps the kind that it had, as far as the text allows; what is new is text, so that 0042 stays 0042. */
function attributeOf(text: string, before: Attributes[string] | undefined): Attributes[string] {
  if (before !== undefined && textOf(before) === text) return before;
  const number = numberOf(text);
  if (typeof before === 'number' && number !== null && !Number.isNaN(number)) return number;
  if (typeof before === 'boolean' && /^(true|false)$/.test(text.trim())) return text.trim() === 'true';
  return text.trim();
}

/** Merge patches go key by key; null takes a key out. Null when nothing is changed. */
function attributePatch(now: Attributes, before: Attributes): Attributes | null {
  const patch: Attributes = {};
  for (const [key, value] of Object.entries(now)) {
    if (!Object.hasOwn(before, key) || before[key] !== value) patch[key] = value;
  }
  for (const key of Object.keys(before)) if (!Object.hasOwn(now, key)) patch[key] = null;
  return Object.keys(patch).length === 0 ? null : patch;
}

/** Null for an empty text, NaN for one that is no number. A decimal comma is as good as a point. */
function numberOf(text: string): number | null {
  const trimmed = text.trim().replace(',', '.').replace('−', '-');
  return trimmed === '' ? null : Number(trimmed);
}

const emptyAsNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** What each field of a vehicle is called, in the form's order. */
export const FIELD_NAMES = {
  terminal_id: 'vehicle.terminal_id',
  name: 'vehicle.name',
  plate: 'vehicle.plate',
  type: 'vehicle.type',
  color: 'vehicles.color',
  driver: 'vehicle.driver',
  phone: 'vehicle.phone',
  vin: 'vehicles.vin',
  speed_limit_kmh: 'vehicle.speed_limit',
  clock_offset_s: 'vehicles.clock_offset',
  group_ids: 'vehicles.groups',
  attributes: 'vehicles.attributes',
} as const satisfies Record<keyof VehicleForm, TextKey>;
export const VEHICLE_FIELDS = Object.keys(FIELD_NAMES) as (keyof VehicleForm)[];

/** The fields that somebody else changed since the form was opened, or the form changes, and that now differ. */
export function differences(yours: VehicleForm, base: Vehicle, now: Vehicle) {
  const before = formOf(base);
  const theirs = formOf(now);
  return VEHICLE_FIELDS.filter(
    (field) =>
      (!isSame(theirs[field], before[field]) || !isSame(yours[field], before[field])) &&
      !isSame(theirs[field], yours[field]),
  ).map((field) => ({ field, theirs, yours }));
}

/** The same in words. */
export function formatDifferences(
  found: ReturnType<typeof differences>,
  groupName: (id: string) => string,
  t: Translate,
): Difference[] {
  const text = (form: VehicleForm, field: keyof VehicleForm): string => {
    switch (field) {
      case 'group_ids':
        return form.group_ids.map(groupName).join(', ') || '–';
      case 'attributes':
        return form.attributes.map(({ name, value }) => `${name}: ${value}`).join(', ') || '–';
      case 'type':
        return form.type === NO_TYPE ? '–' : t(`vehicle.type.${form.type}`);
      default:
        return form[field] || '–';
    }
  };
  return found.map(({ field, theirs, yours }) => ({
    label: t(FIELD_NAMES[field]),
    theirs: text(theirs, field),
    yours: text(yours, field),
  }));
}

const drafts = new WeakMap<AppContext, Drafts<Vehicle, VehicleForm>>();

/** What was typed and not saved stays for the session: another vehicle can be looked at meanwhile. */
export function vehicleDrafts(app: AppContext): Drafts<Vehicle, VehicleForm> {
  const known = drafts.get(app) ?? createDrafts<Vehicle, VehicleForm>();
  drafts.set(app, known);
  return known;
}
