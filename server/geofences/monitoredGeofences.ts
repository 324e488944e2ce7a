import { causeOf, messageOf } from '../contract/causeTexts.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Geofence } from '../contract/geofences.ts';
import type { FieldError, ProblemCode } from '../contract/problem.ts';
import {
  aroundTheWorld,
  geofenceIndexOf,
  type GeofenceIndex,
  type IndexedGeofence,
} from './geofenceIndex.ts';
import type { FenceShape, ShapedGeofence } from './geofenceShape.ts';
import type { Box } from './geodesy.ts';
import { measureShape, readsOfGeofence, type IndexLimits, type MeasuredShape } from './indexLimits.ts';
import { heaviestOverlap } from './overlap.ts';

/** Why a geofence cannot be monitored beside the others, or not at all. */
export interface IndexRefusal extends FieldError {
  code: Extract<ProblemCode, 'validation_failed' | 'quota_exceeded'>;
}

/** A geofence as it asks to be monitored, measured already. */
export interface Claim {
  geozone_id: string;
  geofence: ShapedGeofence;
  measured: MeasuredShape;
}

export type StoredGeofence = Geofence & { known_from: string };

/**
 * The geofences that vehicles are held against. Each is indexed once, when it is new or its shape has changed, and all
 * of them together keep within the limits.
 * @param onRefused called with each stored geofence that is not monitored from now on
 */
export function createMonitoredGeofences(
  limits: IndexLimits,
  clock: { now(): number },
  onRefused: (geofence: StoredGeofence, refusal: IndexRefusal) => void,
) {
  const reserved = new Map<string, Claim & { shape: FenceShape | null; from_ms: number }>();
  const claimed = new Map<string, Claim>();
  const refused = new Map<string, { geofence: ShapedGeofence; refusal: IndexRefusal }>();
  let indexed = new Map<string, IndexedGeofence>();
  let indexedFrom: readonly StoredGeofence[] | null = null;
  let geofenceIndex = geofenceIndexOf([]);

  function take(claims: readonly Claim[]): (IndexRefusal | null)[] {
    const refusals = new Map<Claim, IndexRefusal>();
    for (const claim of claims) {
      const { fault } = claim.measured;
      if (fault !== null) refusals.set(claim, { code: 'validation_failed', ...fault });
    }
    const changing = new Set(claims.map((it) => it.geozone_id));
    const others = [...reserved.values(), ...claimed.values()].filter((it) => !changing.has(it.geozone_id));
    const good = () => claims.filter((it) => !refusals.has(it));
    let bytes = others.reduce((sum, it) => sum + it.measured.plan.bytes, 0);
    for (const claim of good()) {
      const requested = bytes + claim.measured.plan.bytes;
      if (requested <= limits.bytes) bytes = requested;
      else refusals.set(claim, tooManyBytes(requested, limits.bytes));
    }
    for (let round = 0; ; round++) {
      const left = good();
      const crowded = crowdedOver(left, others, limits.readsOverPlace);
      if (crowded.length === 0) break;
      // Where that many places are crowded, what is left is not worth sorting out.
      for (const claim of round < maxRounds ? crowded : left) {
        refusals.set(claim, tooManyReads(claim, others.length + left.length, limits.readsOverPlace));
      }
    }
    return claims.map((it) => refusals.get(it) ?? null);
  }

  /** @param from_ms before then nothing is known of where vehicles were to it */
  function adopt(claim: Claim, from_ms = 0): void {
    reserved.set(claim.geozone_id, { ...claim, shape: null, from_ms });
  }

  /** What is stored and has no place among those that are monitored yet. */
  function follow(stored: readonly StoredGeofence[]): void {
    const there = new Set(stored.map((it) => it.geozone_id));
    for (const id of refused.keys()) if (!there.has(id)) refused.delete(id);
    const before = new Set(refused.keys());
    for (const id of reserved.keys()) {
      if (there.has(id)) continue;
      reserved.delete(id);
      // What one that is gone has taken may be enough for those that had to stay out.
      for (const [other, { refusal }] of refused)
        if (refusal.code === 'quota_exceeded') refused.delete(other);
    }
    const fresh: { claim: Claim; geofence: StoredGeofence }[] = [];
    for (const geofence of stored) {
      const id = geofence.geozone_id;
      const known = reserved.get(id) ?? refused.get(id);
      if (known !== undefined && isSameForm(known.geofence, geofence)) {
        known.geofence = geofence;
        continue;
      }
      reserved.delete(id);
      refused.delete(id);
      const requested = claimed.get(id);
      if (requested !== undefined && isSameForm(requested.geofence, geofence)) {
        // A small shape keeps the rings that it was measured of: of the two copies, those that are stored.
        const isSmall = requested.measured.plan.edges.length <= smallSides;
        adopt({ geozone_id: id, geofence, measured: isSmall ? measureShape(geofence) : requested.measured });
      } else fresh.push({ geofence, claim: { geozone_id: id, geofence, measured: measureShape(geofence) } });
    }
    if (fresh.length === 0) return;
    fresh.sort((a, b) => (a.geofence.created_at < b.geofence.created_at ? -1 : 1));
    const refusals = take(fresh.map((it) => it.claim));
    for (const [at, { claim, geofence }] of fresh.entries()) {
      const refusal = refusals[at] ?? null;
      if (refusal === null) adopt(claim, before.has(geofence.geozone_id) ? clock.now() : 0);
      else {
        refused.set(geofence.geozone_id, { geofence, refusal });
        if (!before.has(geofence.geozone_id)) onRefused(geofence, refusal);
      }
    }
  }

  return {
    /**
     * Sets aside what these will need, until they are settled; answers for each why it cannot be had. One that changes
     * keeps what it has until then.
     */
    claim(claims: readonly Claim[]): (IndexRefusal | null)[] {
      const refusals = take(claims);
      for (const [at, claim] of claims.entries()) {
        if (refusals[at] === null) claimed.set(claim.geozone_id, claim);
      }
      return refusals;
    },

    /** Gives up claims that are stored, and that `index` has seen, or that were not stored. */
    settle(geozoneIds: readonly string[]): void {
      for (const id of geozoneIds) claimed.delete(id);
    },

    /** Follows the stored geofences; those that cannot be monitored are left out, the older ones go first. */
    index(stored: readonly StoredGeofence[]): GeofenceIndex {
      if (indexedFrom === stored) return geofenceIndex;
      follow(stored);
      const before = indexed;
      indexed = new Map();
      for (const geofence of stored) {
        const it = reserved.get(geofence.geozone_id);
        if (it === undefined) continue;
        it.shape ??= it.measured.plan.build();
        const known_from_ms = Math.max(Date.parse(geofence.known_from), it.from_ms);
        const same = before.get(geofence.geozone_id);
        const entry = same?.geofence === geofence ? same : { geofence, known_from_ms, shape: it.shape };
        indexed.set(geofence.geozone_id, entry);
      }
      geofenceIndex = geofenceIndexOf([...indexed.values()]);
      indexedFrom = stored;
      return geofenceIndex;
    },

    /** Why a stored geofence is not monitored; null when it is. As of the last `index`. */
    refusalOf: (geozoneId: string): IndexRefusal | null => refused.get(geozoneId)?.refusal ?? null,
  };
}

const maxRounds = 16;
const smallSides = 256;

/** Of those that lie over the most crowded place, the ones that are beyond the limit there; none when it is kept. */
function crowdedOver(claims: readonly Claim[], others: readonly Claim[], limit: number): Claim[] {
  const requested = claims.flatMap(boxesOf);
  if (requested.length === 0) return [];
  const [west, south, east, north] = boundsOf(requested);
  const near = others
    .flatMap(boxesOf)
    .filter(({ box }) => box[0] <= east && box[2] >= west && box[1] <= north && box[3] >= south);
  const all = [...near, ...requested];
  const over = heaviestOverlap(Float64Array.from(all.flatMap((it) => it.box)), (at) => all[at]?.reads ?? 0);
  if (over === null || over.weight <= limit) return [];
  const isOver = ({ box }: { box: Box }) =>
    box[0] <= over.lon && box[2] >= over.lon && box[1] <= over.lat && box[3] >= over.lat;
  let reads = near.filter(isOver).reduce((sum, it) => sum + it.reads, 0);
  const beyond = new Set<Claim>();
  for (const { claim, reads: more } of requested.filter(isOver)) {
    reads += more;
    if (reads > limit) beyond.add(claim);
  }
  return [...beyond];
}

function boxesOf(claim: Claim): { box: Box; reads: number; claim: Claim }[] {
  const { plan, reads } = claim.measured;
  return plan.boxes.flatMap(aroundTheWorld).map((box) => ({ box, reads, claim }));
}

function boundsOf(list: readonly { box: Box }[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { box } of list) {
    west = Math.min(west, box[0]);
    south = Math.min(south, box[1]);
    east = Math.max(east, box[2]);
    north = Math.max(north, box[3]);
  }
  return [west, south, east, north];
}

function tooManyBytes(requested: number, limit: number): IndexRefusal {
  return {
    code: 'quota_exceeded',
    path: 'geometry.coordinates',
    ...messageOf(causeOf('geofence.indexes_full', { bytes: requested, most: limit })),
  };
}

function tooManyReads({ measured }: Claim, count: number, limit: number): IndexRefusal {
  return {
    code: 'quota_exceeded',
    path: 'geometry',
    ...messageOf(
      causeOf('geofence.too_many_here', {
        ...{ count, limit, each: readsOfGeofence },
        reads: measured.reads,
      }),
    ),
  };
}

export function isSameForm(a: ShapedGeofence, b: ShapedGeofence): boolean {
  return (
    a.shape === b.shape &&
    a.radius_m === b.radius_m &&
    a.width_m === b.width_m &&
    (a.geometry === b.geometry || isDeepStrictEqual(a.geometry, b.geometry))
  );
}
