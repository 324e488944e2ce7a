import type { Database } from './database.ts';

/** The small number by which positions name this vehicle; null when it has none yet. */
export function knownVehicle(db: Database, vehicle_id: string): number | null {
  const row = db.get<{ vehicle_key: number }>('SELECT vehicle_key FROM vehicle_ids WHERE vehicle_id = ?', [
    vehicle_id,
  ]);
  return row?.vehicle_key ?? null;
}

/** Gives the small number of a vehicle. */
export type VehicleKeys = (vehicle_id: string) => number;

/** Gives a number to a vehicle that has none. What it has found it remembers: not for longer than one transaction. */
export function vehicleNumbers(db: Database): VehicleKeys {
  const found = new Map<string, number>();
  return (vehicle_id) => {
    let vehicle = found.get(vehicle_id) ?? knownVehicle(db, vehicle_id);
    if (vehicle === null) {
      db.run('INSERT INTO vehicle_ids (vehicle_id) VALUES (?)', [vehicle_id]);
      vehicle = knownVehicle(db, vehicle_id);
    }
    if (vehicle === null) throw new Error('a vehicle was given no number');
    found.set(vehicle_id, vehicle);
    return vehicle;
  };
}
