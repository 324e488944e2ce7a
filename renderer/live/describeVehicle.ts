import type { AppContext } from '../appContext/appContext.ts';
import { formatAge } from '../format/age.ts';
import { compassPoint } from '../format/compass.ts';
import { formatSpeed } from '../format/numbers.ts';
import type { BlockText } from '../map/callouts/blockOverlay.ts';
import type { MapVehicle } from '../map/vehicles/mapVehicle.ts';
import { alarmLabels } from '../notifications/alarmLabels.ts';
import { openRows } from '../notifications/openRows.ts';

/** The words of a data block: name; speed and course, or how long silent; the alarm. */
export function describeVehicle(app: AppContext, vehicle: MapVehicle): BlockText {
  const live = app.positions.get(vehicle.id);
  const open = openRows(app, vehicle.id).find((it) => it.severity !== 'info');
  return {
    name: vehicle.name,
    detail: detailOf(app, vehicle, live?.contactAt ?? null),
    alarm: open === undefined ? null : alarmLabels(open, app).short,
  };
}

function detailOf(app: AppContext, vehicle: MapVehicle, contactAt: number | null): string | null {
  const { t } = app;
  if (vehicle.stale || vehicle.state === 'offline') {
    return contactAt === null ? null : t('map.silent', { age: formatAge(app.serverTime.now() - contactAt) });
  }
  if (vehicle.state !== 'moving') return t(`status.${vehicle.state}`);
  const speed = formatSpeed(vehicle.speed_kmh ?? 0);
  return vehicle.course_deg === null ? speed : `${speed} · ${compassPoint(vehicle.course_deg)}`;
}
