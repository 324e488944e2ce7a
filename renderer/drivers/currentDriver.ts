import type { Vehicle } from '../../server/contract/vehicles.ts';

/** Who is named as the driver of a vehicle. */
export interface NamedDriver {
  /** Null: a card that no driver has. */
  name: string | null;
  phone: string | null;
  /** That the terminal read; null: assigned, or the text of the vehicle. */
  card: string | null;
  /** Null: there is no record of the driver. */
  driverId: string | null;
}

/** Who drives by card or assignment, else who stands in the vehicle's own fields; null: nobody is named. */
export function driverOf(vehicle: Pick<Vehicle, 'current_driver' | 'driver' | 'phone'>): NamedDriver | null {
  const { current_driver: current, driver, phone } = vehicle;
  if (current !== null) {
    const { name, card, driver_id: driverId } = current;
    return { name, phone: current.phone, card, driverId };
  }
  return driver === null && phone === null ? null : { name: driver, phone, card: null, driverId: null };
}
