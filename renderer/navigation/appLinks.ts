import type { AppContext } from '../appContext/appContext.ts';
import type { AppLink } from '../platform/platform.ts';
import type { Location, ScreenName } from './navigation.ts';

/** The words of an address that a link of each kind stands for; `id` and `at` are put in their places. */
const KINDS: Readonly<
  Record<string, { place: ScreenName; id: string; at?: string; fixed?: Record<string, string> }>
> = {
  vehicle: { place: 'live', id: 'vehicle' },
  alarm: { place: 'live', id: 'notification' },
  event: { place: 'events', id: 'row', fixed: { view: 'events' } },
  incident: { place: 'incidents', id: 'id' },
  geofence: { place: 'geofences', id: 'id' },
  task: { place: 'video', id: 'task' },
  point: { place: 'live', id: 'point' },
  history: { place: 'history', id: 'vehicle', at: 'at' },
};

/** Where a link leads in the console; null for one of no kind that it knows. */
export function locationOf({ kind, id, at }: AppLink): Location | null {
  const it = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (it === undefined) return null;
  return {
    place: it.place,
    query: { ...it.fixed, [it.id]: id, ...(it.at !== undefined && at !== null ? { [it.at]: at } : {}) },
  };
}

/**
 * What a colleague is sent. From the program a link that opens in theirs: the address of its page is of this computer
 * alone. What has no such link is copied by its address at the host.
 */
export function shareLink(
  { platform, navigation }: Pick<AppContext, 'platform' | 'navigation'>,
  place: ScreenName,
  query: Readonly<Record<string, string>>,
): string {
  const link = platform.openings === null ? null : appLinkOf({ place, query });
  const address = navigation.linkTo(place, query);
  const host = platform.connection()?.url;
  return link ?? (host === undefined ? address : address.replace(/^https?:[/][/][^/]+/, host));
}

/** A UUID, or the place of a point. */
const LINKED_ID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|-?[\d.]+,-?[\d.]+)$/;

function appLinkOf({ place, query }: Location): string | null {
  // A vehicle's profile and its place on the map are one thing to whoever opens it.
  if (place === 'vehicles') return appLinkOf({ place: 'live', query: { vehicle: query['id'] ?? '' } });
  for (const [kind, it] of Object.entries(KINDS)) {
    const id = query[it.id] ?? '';
    const at = it.at === undefined ? null : (query[it.at] ?? '');
    if (it.place !== place || !LINKED_ID.test(id) || at === '') continue;
    return `fleetdeck://${kind}/${id}${at === null ? '' : `?at=${at}`}`;
  }
  return null;
}
