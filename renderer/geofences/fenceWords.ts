import type { Geofence } from '../../server/contract/geofences.ts';
import { distanceText, numberText, speedText } from '../format/numbers.ts';
import { spanText } from '../format/span.ts';
import type { Say } from '../i18n/text.ts';
import { toDrawnShape } from '../live/mapGeofences.ts';
import { measure, type Measure } from '../map/drawing/drawnShape.ts';
import { ringAreaM2 } from '../map/geodesy.ts';
import { scheduleText } from '../ui/scheduleWords.ts';

type Shaped = Pick<Geofence, 'shape' | 'geometry' | 'radius_m' | 'width_m'>;

function areaText(areaM2: number): string {
  return areaM2 < 100_000 ? `${numberText(areaM2)} m²` : `${numberText(areaM2 / 1e6, 2)} km²`;
}

/** What can be said of a shape while it is drawn. */
export function measureText(sizes: Measure, say: Say): string {
  const parts: string[] = [];
  if (sizes.areaM2 !== null) parts.push(areaText(sizes.areaM2));
  if (sizes.radiusM !== null) parts.push(say('fence.radius_is', { radius: distanceText(sizes.radiusM) }));
  if (sizes.lengthM !== null) parts.push(distanceText(sizes.lengthM));
  if (sizes.points > 1) parts.push(say('fence.points', { count: sizes.points }));
  return parts.join(' · ');
}

/** The size by which shapes of one kind are compared: radius, area, or length × width. */
export function sizeText(fence: Shaped, say: Say): string {
  const sizes = measureOf(fence);
  if (fence.shape === 'circle') return say('fence.radius_is', { radius: distanceText(fence.radius_m ?? 0) });
  if (fence.shape === 'line')
    return `${distanceText(sizes.lengthM ?? 0)} × ${distanceText(fence.width_m ?? 0)}`;
  return areaText(sizes.areaM2 ?? 0);
}

/** Square metres, so that shapes of all kinds have an order. */
export function areaM2(fence: Shaped): number {
  const sizes = measureOf(fence);
  return sizes.areaM2 ?? (sizes.lengthM ?? 0) * (fence.width_m ?? 0);
}

function measureOf(fence: Shaped): Measure {
  const drawn = toDrawnShape(fence);
  if (drawn !== null) return measure(drawn);
  const parts = fence.geometry.type === 'MultiPolygon' ? fence.geometry.coordinates : [];
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
export interface FenceFact {
  id: 'name' | 'shape' | 'color' | 'limit' | 'groups' | 'schedule' | 'hysteresis' | 'inside' | 'outside';
  label: string;
  text: string;
}

export type FactsOf = Omit<Geofence, 'geozone_id' | 'version' | 'created_at' | 'updated_at'>;

export function fenceFacts(fence: FactsOf, groupName: (groupId: string) => string, say: Say): FenceFact[] {
  const at = (id: FenceFact['id'], text: string): FenceFact => ({ id, label: say(`fence.fact.${id}`), text });
  const sizes = measureOf(fence);
  const points = sizes.points > 1 ? `, ${say('fence.points', { count: sizes.points })}` : '';
  return [
    at('name', fence.name),
    at('shape', `${say(`fence.shape.${fence.shape}`)}, ${sizeText(fence, say)}${points}`),
    at('color', fence.color ?? say('fence.color_none')),
    at('limit', fence.speed_limit_kmh === null ? say('fence.limit_none') : speedText(fence.speed_limit_kmh)),
    at('groups', groupsText(fence.group_ids, groupName, say)),
    at(
      'schedule',
      fence.schedule === null
        ? say('schedule.always')
        : `${scheduleText(fence.schedule)} (${fence.schedule.timezone})`,
    ),
    at('hysteresis', say('fence.hysteresis_is', { distance: distanceText(fence.hysteresis_m) })),
    at('inside', waitText(fence.min_inside_s, say)),
    at('outside', waitText(fence.min_outside_s, say)),
  ];
}

export function groupsText(
  groupIds: readonly string[],
  groupName: (groupId: string) => string,
  say: Say,
): string {
  return groupIds.length === 0 ? say('fence.every_vehicle') : groupIds.map(groupName).join(', ');
}

const waitText = (s: number, say: Say): string => (s === 0 ? say('fence.at_once') : spanText(s * 1_000));

/** The fields in which two states of a geofence differ; `shape` also when its corners alone differ. */
export function differences(
  theirs: FactsOf,
  mine: FactsOf,
  groupName: (groupId: string) => string,
  say: Say,
): { label: string; theirs: string; mine: string }[] {
  const ours = fenceFacts(mine, groupName, say);
  const isMoved = JSON.stringify(theirs.geometry) !== JSON.stringify(mine.geometry);
  return fenceFacts(theirs, groupName, say).flatMap(({ id, label, text }, at) => {
    const other = ours[at]?.text ?? '';
    if (text === other && !(id === 'shape' && isMoved)) return [];
    return [{ label, theirs: text, mine: text === other ? say('fence.other_corners') : other }];
  });
}
