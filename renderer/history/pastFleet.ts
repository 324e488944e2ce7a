import type { PastVehicle } from '../../server/contract/history.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import type { PastState } from './pastTrack.ts';

/** Until its track is here, a vehicle stands where it was when the server was asked. */
export function ofMoment({ status, position }: PastVehicle): PastState | null {
  if (position === null) return null;
  const { lat, lon, speed_kmh, course_deg, time } = position;
  return {
    status,
    lat,
    lon,
    speedKmh: speed_kmh,
    courseDeg: course_deg,
    fixAt: Date.parse(time),
    isHeard: false,
  };
}

const byName = new Intl.Collator('en', { numeric: true });

/** Those of a moment, and those that were added later: they may have positions of the time before. */
export function withLater(then: readonly PastVehicle[], now: Iterable<Vehicle>): readonly PastVehicle[] {
  const known = new Set(then.map((it) => it.vehicle_id));
  const later = [...now].filter((it) => !known.has(it.vehicle_id));
  if (later.length === 0) return then;
  const added = later.map(({ vehicle_id, name, plate, group_ids }): PastVehicle => ({
    vehicle_id,
    name,
    plate,
    group_ids,
    status: 'never',
    driver: null,
    position: null,
  }));
  return [...then, ...added].sort((a, b) => byName.compare(a.name, b.name));
}
