import { detailText } from '../ui/formFaults.ts';
import type { Geofence } from '../../server/contract/geofences.ts';
import { formatArea, formatDistance, formatSpeed } from '../format/numbers.ts';
import { formatDuration } from '../format/span.ts';
import type { Translate } from '../i18n/text.ts';
import { toDrawnShape } from '../live/mapGeofences.ts';
import { measure, type Measure } from '../map/drawing/drawnShape.ts';
import { ringAreaM2 } from '../map/geodesy.ts';
import type { Difference } from '../resources/ConflictNotice.tsx';
import { formatSchedule } from '../ui/scheduleLabels.ts';

type Shaped = Pick<Geofence, 'shape' | 'geometry' | 'radius_m' | 'width_m'>;

/** What can be said of a shape while it is drawn. */
export function formatMeasure(sizes: Measure, t: Translate): string {
  const parts: string[] = [];
  if (sizes.areaM2 !== null) parts.push(formatArea(sizes.areaM2));
  if (sizes.radiusM !== null) parts.push(t('geofence.radius_is', { radius: formatDistance(sizes.radiusM) }));
  if (sizes.lengthM !== null) parts.push(formatDistance(sizes.lengthM));
  if (sizes.points > 1) parts.push(t('geofence.points', { count: sizes.points }));
  return parts.join(' · ');
}

/** The size by which shapes of one kind are compared: radius, area, or length × width. */
export function formatSize(geofence: Shaped, t: Translate): string {
  const sizes = measureOf(geofence);
  if (geofence.shape === 'circle')
    return t('geofence.radius_is', { radius: formatDistance(geofence.radius_m ?? 0) });
  if (geofence.shape === 'line')
    return `${formatDistance(sizes.lengthM ?? 0)} × ${formatDistance(geofence.width_m ?? 0)}`;
  return formatArea(sizes.areaM2 ?? 0);
}

/** Square metres, so that shapes of all kinds have an order. */
export function areaM2(geofence: Shaped): number {
  const sizes = measureOf(geofence);
  return sizes.areaM2 ?? (sizes.lengthM ?? 0) * (geofence.width_m ?? 0);
}

/** By object: the store has another one for each version. */
const measured = new WeakMap<Shaped, Measure>();

function measureOf(geofence: Shaped): Measure {
  const known = measured.get(geofence);
  if (known !== undefined) return known;
  const sizes = measureShape(geofence);
  measured.set(geofence, sizes);
  return sizes;
}

function measureShape(geofence: Shaped): Measure {
  const drawn = toDrawnShape(geofence);
  if (drawn !== null) return measure(drawn);
  const parts = geofence.geometry.type === 'MultiPolygon' ? geofence.geometry.coordinates : [];
  const area = ([outer = [], ...holes]: GeoJSON.Position[][]) =>
    ringAreaM2(outer) - holes.reduce((sum, hole) => sum + ringAreaM2(hole), 0);
  return {
    areaM2: parts.reduce((sum, rings) => sum + area(rings), 0),
    radiusM: null,
    lengthM: null,
    points: parts.flat().reduce((sum, ring) => sum + Math.max(0, ring.length - 1), 0),
  };
}

/** The fields of a geofence in words, in the order of its form. */
export interface GeofenceFact {
  id: 'name' | 'shape' | 'color' | 'limit' | 'groups' | 'schedule' | 'hysteresis' | 'inside' | 'outside';
  label: string;
  text: string;
}

export type FactsOf = Omit<Geofence, 'geozone_id' | 'version' | 'created_at' | 'updated_at'>;

export function geofenceFacts(
  geofence: FactsOf,
  groupName: (groupId: string) => string,
  t: Translate,
): GeofenceFact[] {
  const at = (id: GeofenceFact['id'], text: string): GeofenceFact => ({
    id,
    label: t(`geofence.fact.${id}`),
    text,
  });
  const sizes = measureOf(geofence);
  const points = sizes.points > 1 ? `, ${t('geofence.points', { count: sizes.points })}` : '';
  return [
    at('name', geofence.name),
    at('shape', `${t(`geofence.shape.${geofence.shape}`)}, ${formatSize(geofence, t)}${points}`),
    at('color', geofence.color ?? t('geofence.color_none')),
    at(
      'limit',
      geofence.speed_limit_kmh === null ? t('geofence.limit_none') : formatSpeed(geofence.speed_limit_kmh),
    ),
    at('groups', formatGroups(geofence.group_ids, groupName, t)),
    at(
      'schedule',
      geofence.schedule === null
        ? t('schedule.always')
        : `${formatSchedule(geofence.schedule)} (${geofence.schedule.timezone})`,
    ),
    at('hysteresis', t('geofence.hysteresis_is', { distance: formatDistance(geofence.hysteresis_m) })),
    at('inside', formatWait(geofence.min_inside_s, t)),
    at('outside', formatWait(geofence.min_outside_s, t)),
  ];
}

export function formatGroups(
  groupIds: readonly string[],
  groupName: (groupId: string) => string,
  t: Translate,
): string {
  return groupIds.length === 0 ? t('geofence.every_vehicle') : groupIds.map(groupName).join(', ');
}

const formatWait = (s: number, t: Translate): string =>
  s === 0 ? t('geofence.at_once') : formatDuration(s * 1_000);

/** The fields in which two states of a geofence differ; `shape` also when its corners alone differ. */
export function differences(
  theirs: FactsOf,
  own: FactsOf,
  groupName: (groupId: string) => string,
  t: Translate,
): Difference[] {
  const ours = geofenceFacts(own, groupName, t);
  const isMoved = JSON.stringify(theirs.geometry) !== JSON.stringify(own.geometry);
  return geofenceFacts(theirs, groupName, t).flatMap(({ id, label, text }, at) => {
    const other = ours[at]?.text ?? '';
    if (text === other && !(id === 'shape' && isMoved)) return [];
    return [{ label, theirs: text, yours: text === other ? t('geofence.other_corners') : other }];
  });
}

/** Why a geofence is not monitored. */
export const whyNotMonitored = (
  { reason: detail, causes }: NonNullable<Geofence['not_monitored']>,
  t: Translate,
): string => detailText({ detail, causes }, t);
