import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import type { ApiClient } from '../../support/caller.ts';
import { always, type Call, type OperationAttack } from '../attack.ts';
import { acrossTheSea, comb, feature, holed, maxCorners, spiral, zigzag } from '../shapes.ts';
import { lastDays } from './accounts.ts';

const polygon = (coordinates: unknown, name = 'Fence') => ({
  name,
  shape: 'polygon',
  geometry: { type: 'Polygon', coordinates },
});
/** Made when it is first asked for: the largest take most of a second. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
const create = (variant: string | undefined, does: string, rings: () => unknown): OperationAttack => ({
  operation: 'createGeofence',
  ...(variant === undefined ? {} : { variant }),
  does,
  connections: 4,
  calls: () => {
    const call = once(() => ({ body: JSON.stringify(polygon(rings())) }));
    return () => call();
  },
});
const imported = (variant: string, does: string, call: () => Call): OperationAttack => ({
  operation: 'importGeofences',
  variant,
  does,
  connections: 4,
  calls: () => {
    const one = once(() => ({ ...call(), query: { dry_run: '1' } }));
    return () => one();
  },
});
const collection = (features: readonly unknown[]): Call => ({
  body: JSON.stringify({ type: 'FeatureCollection', features }),
});
const kml = (text: string): Call => ({
  body: text,
  headers: { 'Content-Type': 'application/vnd.google-earth.kml+xml' },
});

/** Geofences of the attacker's own groups: it may change and delete them. */
async function addOwn(attacker: ApiClient, count: number): Promise<string[]> {
  const { group_ids } = await attacker.ask(userRoutes.me);
  const features = Array.from({ length: count }, (_, at) => ({
    ...{ type: 'Feature', properties: { name: `Own ${at}` } },
    geometry: { type: 'Point', coordinates: [13 + (at % 20) / 20, 52 + at / 1_000] },
  }));
  const { results } = await attacker.ask(geofenceRoutes.import, {
    body: { type: 'FeatureCollection', features },
    query: { radius_m: 300, group_ids },
  });
  return results.flatMap((it) => it.geozone_id ?? []);
}

export const geofenceAttacks: readonly OperationAttack[] = [
  {
    operation: 'listGeofences',
    does: 'a page of 1,000',
    calls: always({ query: { limit: 1_000 } }),
  },
  {
    operation: 'listGeofences',
    variant: 'search',
    does: 'searched for what none is called',
    calls: always({ query: { limit: 1_000, q: 'Y'.repeat(100) } }),
  },
  create(undefined, 'zigzag of 19,993 corners', () => [zigzag(maxCorners)]),
  create('turned', 'zigzag of 19,993 corners, from west to east', () => [zigzag(maxCorners, true)]),
  create('comb', 'comb of 19,993 corners', () => [comb(maxCorners)]),
  create('spiral', 'two arms of 60 windings', () => [spiral(maxCorners)]),
  create('holes', 'a square with 990 holes', () => holed(990)),
  {
    operation: 'createGeofence',
    variant: 'schedule',
    does: '50 ranges of opening hours and 1,000 groups, a circle of 1,000 km',
    calls: ({ depot }) => {
      const ranges = Array.from({ length: 50 }, (_, at) => ({
        days: [1, 2, 3, 4, 5, 6, 7],
        from: `0${at % 10}:00`,
        to: `0${at % 10}:30`,
      }));
      const body = JSON.stringify({
        ...{ name: 'Circle', shape: 'circle', radius_m: 1_000_000, hysteresis_m: 10_000 },
        geometry: { type: 'Point', coordinates: [13.4, 52.5] },
        schedule: { timezone: 'America/Argentina/ComodRivadavia', ranges },
        group_ids: Array.from({ length: 1_000 }, () => depot.group_id),
      });
      return () => ({ body });
    },
  },
  {
    operation: 'createGeofence',
    variant: 'line',
    does: 'a line of 20,000 corners, 100 km wide',
    connections: 4,
    calls: () => {
      const coordinates = zigzag(maxCorners).slice(0, maxCorners - 3);
      const geometry = { type: 'LineString', coordinates };
      const body = JSON.stringify({ name: 'Line', shape: 'line', width_m: 100_000, geometry });
      return () => ({ body });
    },
  },
  {
    operation: 'getGeofence',
    does: 'one with many corners',
    async calls({ keeper }) {
      const geofence = await keeper.post('/api/v1/geozones', polygon(holed(990)));
      const { geozone_id } = geofence.body as { geozone_id: string };
      return () => ({ params: { geozone_id } });
    },
  },
  {
    operation: 'patchGeofence',
    does: 'a ring of 5,000 corners, to and fro',
    connections: 4,
    async calls({ attacker }) {
      const geozone_ids = await addOwn(attacker, 3);
      const bodies = [0, 1].map((at) =>
        JSON.stringify({
          shape: 'polygon',
          radius_m: null,
          geometry: polygon([zigzag(5_000, at === 1)]).geometry,
        }),
      );
      return (at) => ({ params: { geozone_id: geozone_ids[at % 3] ?? '' }, body: bodies[(at / 3) & 1] });
    },
  },
  {
    operation: 'deleteGeofence',
    does: 'one after another: the index is rebuilt each time',
    // Each is deleted once.
    max: 170,
    async calls({ attacker }) {
      const geozone_ids = await addOwn(attacker, 170);
      return (at) => ({ params: { geozone_id: geozone_ids[at] ?? '' } });
    },
  },
  {
    operation: 'restoreGeofence',
    does: 'one after another, each deleted before: the index is rebuilt each time',
    // Each is restored once.
    max: 170,
    async calls({ attacker }) {
      const geozone_ids = await addOwn(attacker, 170);
      for (const geozone_id of geozone_ids)
        await attacker.ask(geofenceRoutes.remove, { params: { geozone_id } });
      return (at) => ({ params: { geozone_id: geozone_ids[at] ?? '' } });
    },
  },
  { operation: 'exportGeofences', does: 'all, as KML', calls: always({ query: { format: 'kml' } }) },
  {
    operation: 'exportGeofences',
    variant: 'ids',
    does: 'those of 300 ids',
    calls: always(({ depot }) => ({ query: { ids: depot.geozone_ids.slice(0, 300).join() } })),
  },
  {
    operation: 'importGeofences',
    does: '5,000 circles in each call, which are stored',
    connections: 4,
    calls: () => {
      const features = Array.from({ length: 5_000 }, (_, at) => ({
        type: 'Feature',
        properties: { name: `${at} ${'x'.repeat(100)}`, radius_m: 300 },
        geometry: { type: 'Point', coordinates: [13 + (at % 70) / 70, 52 + at / 5_000] },
      }));
      const { body } = collection(features);
      return () => ({ body, query: { radius_m: 100 } });
    },
  },
  imported('sea', 'a ring that crosses the antimeridian 90,000 times, tried', () =>
    collection([feature([acrossTheSea(90_000)], 'Sea')]),
  ),
  imported('holes', '24 polygons with 990 holes each, tried', () =>
    collection(Array.from({ length: 24 }, (_, at) => feature(holed(990), `Cheese ${at}`))),
  ),
  imported('zigzags', '20 zigzags of 19,993 corners, tried', () =>
    collection(Array.from({ length: 20 }, (_, at) => feature([zigzag(maxCorners)], `Zigzag ${at}`))),
  ),
  imported('nested', 'KML of 10^6 nested tags', () =>
    kml(`<kml>${'<a>'.repeat(1_000_000)}${'</a>'.repeat(1_000_000)}</kml>`),
  ),
  imported('attributes', 'KML of one tag with 500,000 attributes', () =>
    kml(`<kml><Document ${Array.from({ length: 500_000 }, (_, at) => `a${at}=""`).join(' ')}/></kml>`),
  ),
  imported('entities', 'KML of 8 MB of references', () =>
    kml(`<kml><name>${'&amp;'.repeat(1_600_000)}</name></kml>`),
  ),
  imported('properties', 'GeoJSON nested 1,000,000 deep', () => ({
    body: `{"type":"FeatureCollection","features":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`,
  })),
  imported('collections', 'collections of geometries in each other', () => ({
    body: `${'{"type":"GeometryCollection","geometries":['.repeat(100_000)}${']}'.repeat(100_000)}`,
  })),
  {
    operation: 'previewGeofence',
    does: 'a zigzag of 19,993 corners over 31 days of all',
    calls: ({ depot }) => {
      const body = JSON.stringify({
        ...lastDays(depot.now_ms, 31),
        geofence: polygon([zigzag(maxCorners)]),
      });
      return () => ({ body });
    },
  },
  {
    operation: 'previewGeofence',
    variant: 'holes',
    does: 'a square with 990 holes over 31 days of all',
    calls: ({ depot }) => {
      const body = JSON.stringify({ ...lastDays(depot.now_ms, 31), geofence: polygon(holed(990)) });
      return () => ({ body });
    },
  },
];
