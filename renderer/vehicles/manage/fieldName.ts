import type { TextKey } from '../../i18n/text.ts';
import type { VehicleForm } from './vehicleForm.ts';

/** What each field of a vehicle is called. */
export const fieldName: Record<keyof VehicleForm, TextKey> = {
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
};
