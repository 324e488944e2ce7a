import { z } from 'zod';
import { attributes, stamps } from '../contract/fields.ts';
import { newVehicle, type Vehicle } from '../contract/vehicles.ts';
import type { Measure } from '../http/quotas.ts';
import { jsonText, keptJson, type JsonText } from '../http/serializedJson.ts';

/** A vehicle as the store keeps it; what it does right now stands with the telemetry. */
export const vehicleRecord = z.object({
  ...newVehicle.shape,
  // 0.1.0 took any number of them.
  attributes: attributes.default({}),
  vehicle_id: z.string(),
  /** Set by a deletion: the vehicle is out of all lists and its terminal ID is free, its data is kept for dealers. */
  archived_at: z.string().nullable(),
  /** When it was last put back into service; left out where it never was. */
  restored_at: z.string().optional(),
  /** Since then the vehicle is in these groups; geofences of a group know it no longer. */
  groups_changed_at: z.string(),
  /** The user who added it; null for a dealer's, left out for one of 0.1.0. */
  owner_id: z.string().nullable().optional(),
  ...stamps,
});
export type VehicleRecord = z.infer<typeof vehicleRecord>;

const ownerOf = ({ owner_id = null }: VehicleRecord) => owner_id;
const attributeSizes = new WeakMap<object, number>();

function attributeSize({ attributes }: VehicleRecord): number {
  let size = attributeSizes.get(attributes);
  if (size === undefined) {
    size = JSON.stringify(attributes).length;
    attributeSizes.set(attributes, size);
  }
  return size;
}

export const vehicleMeasures: readonly Measure<VehicleRecord>[] = [
  { quota: 'vehicles', of: () => 1 },
  { quota: 'vehicles_of_user', of: () => 1, ownerOf },
  { quota: 'vehicle_groups', of: ({ group_ids }) => group_ids.length },
  { quota: 'vehicle_attributes', of: attributeSize },
  { quota: 'vehicle_attributes_of_user', of: attributeSize, ownerOf },
];

/** What a vehicle does right now; the telemetry domain knows. */
export type VehicleNow = Pick<Vehicle, 'status' | 'overdue' | 'position' | 'current_driver'>;
export type NowOf = (vehicle: VehicleRecord) => VehicleNow;

export function presentVehicle(record: VehicleRecord, now: VehicleNow): Vehicle {
  return { ...profileOf(record), ...now };
}

function profileOf({
  groups_changed_at: _,
  owner_id: __,
  restored_at: ___,
  ...shown
}: VehicleRecord): Omit<Vehicle, keyof VehicleNow> {
  return shown;
}

const profiles = new WeakMap<VehicleRecord, JsonText>();
const nothing = jsonText('null');

/** The same as JSON. What is set up is written once; what the vehicle does right now, each time. */
export function vehicleJson(
  record: VehicleRecord,
  { status, overdue, position, current_driver }: VehicleNow,
): JsonText {
  let profile = profiles.get(record);
  if (profile === undefined) {
    // Without its closing brace.
    profile = jsonText(JSON.stringify(profileOf(record)).slice(0, -1));
    profiles.set(record, profile);
  }
  const place = position === null ? nothing : keptJson(position);
  const driver = current_driver === null ? nothing : jsonText(JSON.stringify(current_driver));
  const between = `,"status":"${status}","overdue":${overdue},"current_driver":`;
  return {
    text: `${profile.text}${between}${driver.text},"position":${place.text}}`,
    size: profile.size + between.length + driver.size + 12 + place.size + 1,
  };
}
