import type { Database } from './database.ts';

/** The small number by which positions name this vehicle; null when it has none yet. */
export function knownVehicle(db: Database, vehicle_id: string): number | null {
  const row = db.get<{ vehicle: number }>('SELECT vehicle FROM vehicle_ids WHERE vehicle_id = ?', [
    vehicle_id,
  ]);
  return row?.vehicle ?? null;
}

/** As `knownVehicle`; gives it one when it has none. */
export function vehicleNumber(db: Database, vehicle_id: string): number {
  const known = knownVehicle(db, vehicle_id);
  if (known !== null) return known;
  db.run('INSERT INTO vehicle_ids (vehicle_id) VALUES (?)', [vehicle_id]);
  return vehicleNumber(db, vehicle_id);
}
