import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ApiTokens } from '../auth/apiTokens.ts';
import type { Clock } from '../clock.ts';
import { stamps } from '../contract/fields.ts';
import type { SettingsFields } from '../contract/settings.ts';
import {
  maxShareDays,
  share,
  shareRoutes,
  shareTokenHeader,
  type NewShare,
  type Share,
  type ShareDetail,
  type SharedVehicle,
  type ShareState,
} from '../contract/shares.ts';
import { createDeadlineTimers } from '../deadlineTimers.ts';
import { checkMonitored, type Geofences } from '../geofences/geofences.ts';
import type { Api } from '../http/api.ts';
import { invalid, notFound } from '../http/apiError.ts';
import type { Measure } from '../http/quotas.ts';
import { holds, isDealer, sharesGroup, type Viewer } from '../http/viewer.ts';
import { sendTile } from '../maps/mapRoutes.ts';
import type { Maps } from '../maps/maps.ts';
import type { PlacesWithin } from '../places/boundedPlaces.ts';
import type { Collection } from '../store/entity.ts';
import type { NowOf, VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';

/** A share as the store keeps it: it shows no more than who shared the vehicle may see of it at that moment. */
export const shareRecord = z.object({
  ...share.omit({ state: true }).shape,
  /** The API token that it was created with; it ends with that, too. */
  token_id: z.string().nullable(),
  /** SHA-256 of the token in the link, in hex. */
  link_hash: z.string(),
  ...stamps,
});
export type ShareRecord = z.infer<typeof shareRecord>;

export const shareMeasures: readonly Measure<ShareRecord>[] = [
  { quota: 'shares', of: () => 1 },
  { quota: 'shares_of_user', of: () => 1, ownerOf: ({ user_id }) => user_id },
  { quota: 'shares_of_vehicle', of: () => 1, ownerOf: ({ vehicle_id }) => vehicle_id },
];

const dayMs = 86_400_000;
/** An address that takes longer is not shown; the next one who looks finds it. */
const addressBudget = { wait_ms: 2_000, points: 1 };
/** Whoever looks at links waits in no line with the depot's own people: beyond so many at once no address is looked for. */
const addressesAtOnce = 4;

/** Longer ones are not ours, and not worth a hash. */
const maxTokenChars = 64;

const never = new AbortController().signal;

export interface SharesDeps {
  collection: Collection<ShareRecord>;
  vehicles: Pick<Vehicles, 'get'>;
  nowOf: NowOf;
  geofences: Pick<Geofences, 'get' | 'sees' | 'index' | 'notMonitored'>;
  /** Whom a share acts as; null: nobody any more. */
  viewerFor: ApiTokens['actingFor'];
  placesWithin: PlacesWithin;
  settings: () => Pick<SettingsFields, 'depot_name'>;
  clock: Clock;
  /** Called with what a removal of shares by the host itself throws; the links show nothing all the same. */
  onFault: (error: unknown) => void;
}

export type Shares = ReturnType<typeof createShares>;

/** Links by which somebody without a login sees one vehicle for a while. */
export function createShares(deps: SharesDeps) {
  const { collection, vehicles, nowOf, geofences, viewerFor, settings, clock } = deps;
  const addresses = new Map<string, { time: string; text: Promise<string | null> }>();
  let addressesUnderWay = 0;
  let indexed: { from: readonly ShareRecord[]; byHash: ReadonlyMap<string, ShareRecord> } | null = null;

  const expiry = createDeadlineTimers(clock, (ids) => {
    for (const id of ids) collection.remove(id).catch(deps.onFault);
  });
  const expireOnTime = ({ share_id, expires_at }: ShareRecord) =>
    expiry.set(share_id, Date.parse(expires_at));
  for (const it of collection.all()) expireOnTime(it);
  const stopFollowing = collection.onChange((changes) => {
    for (const { before, after } of changes) {
      if (after !== null) {
        expireOnTime(after);
        continue;
      }
      expiry.set(before.share_id, null);
      addresses.delete(before.share_id);
    }
  });

  function byToken(token: string | undefined): ShareRecord | undefined {
    if (token === undefined || token.length > maxTokenChars) return undefined;
    const from = collection.committed();
    if (indexed?.from !== from) indexed = { from, byHash: new Map(from.map((it) => [it.link_hash, it])) };
    return indexed.byHash.get(hashOf(token));
  }

  /** What a share still shows, and as whom; null: it has expired, or who shared the vehicle may do so no longer. */
  function shownBy(
    record: ShareRecord | undefined,
  ): { record: ShareRecord; vehicle: VehicleRecord; viewer: Viewer } | null {
    if (record === undefined) return null;
    const { expires_at, user_id, token_id, vehicle_id, where } = record;
    const viewer = viewerFor(user_id, token_id);
    if (Date.parse(expires_at) <= clock.now() || viewer === null) return null;
    if (!holds(viewer, 'vehicles', 'write')) return null;
    // What the link was bound to is gone: it shows nothing rather than everything.
    if (where !== null && shapeOf(where) === undefined) return null;
    const vehicle = vehicles.get(vehicle_id);
    const isSeen = vehicle?.archived_at === null && sharesGroup(viewer, vehicle.group_ids);
    return isSeen ? { record, vehicle, viewer } : null;
  }

  /** As geofences are monitored: nothing is built for whoever looks at a link. */
  const shapeOf = ({ geozone_id }: NonNullable<NewShare['where']>) =>
    geofences.index().get(geozone_id)?.shape;

  function stateAt(where: NewShare['where'], position: { lat: number; lon: number } | null): ShareState {
    if (position === null) return 'no_position';
    if (where === null) return 'shown';
    const side = shapeOf(where)?.isInside(position) === true ? 'inside' : 'outside';
    return side === where.side ? 'shown' : side;
  }

  function stateOf(record: ShareRecord): ShareState {
    const { where } = record;
    if (where !== null && shapeOf(where) === undefined) return 'no_geofence';
    const shown = shownBy(record);
    return shown === null ? 'no_access' : stateAt(where, nowOf(shown.vehicle).position);
  }

  /** @throws ApiError 404, the same for whatever reason a link shows nothing */
  function shownByToken(token: string | undefined) {
    const shown = shownBy(byToken(token));
    if (shown === null) throw notFound('link');
    return shown;
  }

  async function addressOf(
    { share_id }: ShareRecord,
    { time, lat, lon }: { time: string; lat: number; lon: number },
  ): Promise<string | null> {
    const known = addresses.get(share_id);
    if (known?.time === time) return known.text;
    if (addressesUnderWay >= addressesAtOnce) return null;
    addressesUnderWay += 1;
    const place = deps.placesWithin(addressBudget, { user_id: 'shares', signal: never });
    const text = place([{ lat, lon }])
      .then(([found]) => found?.text ?? null)
      .finally(() => (addressesUnderWay -= 1));
    const forget = () => {
      if (addresses.get(share_id)?.text === text) addresses.delete(share_id);
    };
    // Not found, or not in time: a vehicle that stands still is asked for again.
    text.then((found) => found === null && forget(), forget);
    addresses.set(share_id, { time, text });
    return text;
  }

  /** Those that have not ended, newest first. */
  const live = (isWanted: (share: ShareRecord) => boolean): ShareRecord[] =>
    collection
      .all()
      .filter((it) => Date.parse(it.expires_at) > clock.now() && isWanted(it))
      .sort((a, b) => b.created_at.localeCompare(a.created_at));

  /** A program has what it created alone. */
  const isOwn = ({ user_id, token_id }: ShareRecord, { user, token }: Viewer): boolean =>
    user_id === user.user_id && (token === undefined || token.token_id === token_id);

  function mayChange({ vehicle_id }: ShareRecord, viewer: Viewer): boolean {
    const vehicle = vehicles.get(vehicle_id);
    return (
      vehicle !== undefined && holds(viewer, 'vehicles', 'write') && sharesGroup(viewer, vehicle.group_ids)
    );
  }

  return {
    nameOf: (shareId: string): string | null => collection.get(shareId)?.name ?? null,

    /** Without its secrets, with what it shows now. */
    present(record: ShareRecord): Share {
      const { token_id: _, link_hash: _1, ...shown } = record;
      return { ...shown, state: stateOf(record) };
    },

    /** Those to a vehicle. */
    of: (vehicleId: string) => live((it) => it.vehicle_id === vehicleId),

    /** Those that a user created. @throws ApiError 404 for another user than the viewer, unless that is a dealer */
    givenBy(userId: string, viewer: Viewer): ShareRecord[] {
      if (userId !== viewer.user.user_id && !isDealer(viewer)) throw notFound('user');
      return live((it) => it.user_id === userId && (isDealer(viewer) || isOwn(it, viewer)));
    },

    /** @throws ApiError 400; 409 beyond the quotas */
    async add(
      vehicle: VehicleRecord,
      wanted: NewShare,
      viewer: Viewer,
    ): Promise<{ share: ShareRecord; token: string }> {
      const ahead_ms = Date.parse(wanted.expires_at) - clock.now();
      if (ahead_ms <= 0) throw invalid('expires_at', 'is past', 'past');
      if (ahead_ms > maxShareDays * dayMs)
        throw invalid('expires_at', `is more than ${maxShareDays} days ahead`, 'too_far');
      checkGeofence(wanted.where, viewer);
      const token = randomBytes(24).toString('base64url');
      const fields = {
        ...wanted,
        share_id: randomUUID(),
        vehicle_id: vehicle.vehicle_id,
        user_id: viewer.user.user_id,
        token_id: viewer.token?.token_id ?? null,
        link_hash: hashOf(token),
      };
      const added = await collection.act(() => {
        makeRoom(fields);
        const [staged] = collection.staged.add([fields]);
        if (staged === undefined) throw new Error('the share was not added');
        // The vehicle was archived, or its user deleted, while this waited for its turn: it would end with neither.
        if (shownBy(staged) === null) throw notFound('vehicle');
        return staged;
      });
      return { share: added, token };
    },

    /** Also one that shows nothing now but could again. @throws ApiError 404, also for one of others to a vehicle that the viewer may not change */
    async end(shareId: string, viewer: Viewer): Promise<void> {
      const record = collection.get(shareId);
      if (record === undefined || !(isOwn(record, viewer) || mayChange(record, viewer)))
        throw notFound('share');
      if ((await collection.remove(shareId)) === undefined) throw notFound('share');
    },

    isShown: (token: string | undefined): boolean => shownBy(byToken(token)) !== null,

    /** Who shared what a link shows. @throws ApiError 404 as `open` */
    sharerOf: (token: string | undefined): Viewer => shownByToken(token).viewer,

    /** What a link shows now. @throws ApiError 404, the same for whatever reason it shows nothing */
    async open(token: string | undefined): Promise<SharedVehicle> {
      const { record: found, vehicle } = shownByToken(token);
      const isShown = (detail: ShareDetail) => found.shows.includes(detail);
      const { status, position, current_driver } = nowOf(vehicle);
      const seen = {
        depot: settings().depot_name,
        vehicle: vehicle.name,
        plate: isShown('plate') ? vehicle.plate : null,
        driver: isShown('driver') ? (current_driver?.name ?? null) : null,
        expires_at: found.expires_at,
      };
      if (found.where !== null && stateAt(found.where, position) !== 'shown')
        return { ...seen, withheld: true, status: null, position: null, address: null };
      if (position === null) return { ...seen, withheld: false, status, position, address: null };
      const { time, lat, lon, speed_kmh, course_deg } = position;
      return {
        ...seen,
        withheld: false,
        status,
        position: { time, lat, lon, course_deg, speed_kmh: isShown('speed') ? speed_kmh : null },
        address: isShown('address') ? await addressOf(found, position) : null,
      };
    },

    close(): void {
      stopFollowing();
      expiry.close();
    },
  };

  /** Within an act: those that show nothing keep nobody from sharing. */
  function makeRoom(wanted: Parameters<typeof collection.checkAdd>[0][number]): void {
    try {
      collection.checkAdd([wanted]);
    } catch {
      for (const it of collection.all()) if (shownBy(it) === null) collection.staged.remove(it.share_id);
    }
  }

  function checkGeofence(where: NewShare['where'], viewer: Viewer): void {
    if (where === null) return;
    const geofence = geofences.get(where.geozone_id);
    if (geofence === undefined || !geofences.sees(viewer, where.geozone_id))
      throw invalid('where.geozone_id', 'is not a geofence', 'unknown');
    checkMonitored(geofences, geofence, 'where.geozone_id');
  }
}

export function addShareRoutes(
  api: Api,
  deps: {
    shares: Shares;
    vehicles: Pick<Vehicles, 'find'>;
    maps: Pick<Maps, 'list' | 'tile' | 'version'>;
    urls: () => readonly string[];
  },
): void {
  const { shares, vehicles, maps, urls } = deps;

  api.handle(shareRoutes.list, ({ params, viewer }) => ({
    items: shares.of(vehicles.find(params.vehicle, viewer).vehicle_id).map((it) => shares.present(it)),
  }));

  api.handle(shareRoutes.listGiven, ({ query: { user_id }, viewer }) => ({
    items: shares.givenBy(user_id ?? viewer.user.user_id, viewer).map((it) => shares.present(it)),
  }));

  api.handle(shareRoutes.create, async ({ params, body, viewer }) => {
    const vehicle = vehicles.find(params.vehicle, viewer);
    if (vehicle.archived_at !== null) throw notFound('vehicle');
    const { share: added, token } = await shares.add(vehicle, body, viewer);
    // Behind the #, so that nobody who previews or scans the link opens it by asking for the page.
    return { share: shares.present(added), token, links: urls().map((url) => `${url}/share#${token}`) };
  });

  api.handle(shareRoutes.end, ({ params, viewer }) => shares.end(params.share_id, viewer));

  api.handleOpen(shareRoutes.open, ({ request }) => shares.open(request.get(shareTokenHeader)));

  api.handleOpen(shareRoutes.maps, ({ request }) => {
    const sharer = shares.sharerOf(request.get(shareTokenHeader));
    const drawn = maps.list(sharer).filter((it) => it.kind === 'streets' && it.shown);
    return {
      version: maps.version(),
      // Where and how it is drawn; what the depot calls its file is nobody else's business.
      items: drawn.map((it) => ({ ...it, name: it.kind, bytes: 0, path: null, url: null, fault: null })),
    };
  });

  api.handleOpen(shareRoutes.tile, async ({ params, query: { v }, ...call }) => {
    shares.sharerOf(call.request.get(shareTokenHeader));
    call.response.vary(shareTokenHeader);
    await sendTile(maps, { ...call, ...params, v, map_id: 'streets', user_id: 'shares' });
  });
}

/** Ends those of a vehicle, of a user or of an API token, within an act. */
export function endShares(
  collection: Collection<ShareRecord>,
  isGone: (share: Pick<ShareRecord, 'vehicle_id' | 'user_id' | 'token_id'>) => boolean,
): void {
  for (const it of collection.all()) if (isGone(it)) collection.staged.remove(it.share_id);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
