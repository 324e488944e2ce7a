import type { Desk } from '../desk/desk.ts';
import { ageText } from '../format/age.ts';
import { compassPoint } from '../format/compass.ts';
import { speedText } from '../format/numbers.ts';
import type { BlockText } from '../map/blocks/blockOverlay.ts';
import type { MapVehicle } from '../map/vehicles/mapVehicle.ts';
import { alarmWords } from '../notifications/alarmWords.ts';
import { openRows } from '../notifications/openRows.ts';

/** The words of a data block: name; speed and course, or how long silent; the alarm. */
export function describeVehicle(desk: Desk, vehicle: MapVehicle): BlockText {
  const live = desk.positions.get(vehicle.id);
  const open = openRows(desk, vehicle.id).find((it) => it.severity !== 'info');
  return {
    name: vehicle.name,
    detail: detailOf(desk, vehicle, live?.contactAt ?? null),
    alarm: open === undefined ? null : alarmWords(open, desk).short,
  };
}

function detailOf(desk: Desk, vehicle: MapVehicle, contactAt: number | null): string | null {
  const { say } = desk;
  if (vehicle.stale || vehicle.state === 'offline') {
    return contactAt === null ? null : say('map.silent', { age: ageText(desk.serverTime.now() - contactAt) });
  }
  if (vehicle.state !== 'moving') return say(`status.${vehicle.state}`);
  const speed = speedText(vehicle.speed_kmh ?? 0);
  return vehicle.course_deg === null ? speed : `${speed} · ${compassPoint(vehicle.course_deg)}`;
}
