import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Cause } from '../../contract/causes.ts';
import { causeOf, detailOf } from '../../contract/causeTexts.ts';
import type { Map as MapReply } from '../../contract/maps.ts';
import { createFairQueue } from '../../fairQueue.ts';
import { causesOf } from '../../http/apiError.ts';
import { retryAfterOf } from '../../http/outgoingCall.ts';
import { OutgoingError, type OutgoingAnswer, type OutgoingGet } from '../../http/outgoingGet.ts';
import { isGzip, maxTileBytes, tileTypeOf } from '../mapFile.ts';
import { streetsAt, tileUrl } from './readSource.ts';
import type { CachedTile } from './tileCache.ts';

/** A map of an online source. */
export interface OnlineMap extends Pick<
  MapReply,
  'map_id' | 'kind' | 'schema' | 'area' | 'min_zoom' | 'max_zoom' | 'shown'
> {
  online: { url: string; tiles: string };
}

interface TilePlace {
  z: number;
  x: number;
  y: number;
}

/** `renewed`: what is cached holds on; `failed`: nothing is known, and it may be asked again later. */
export type FetchedTile =
  | { kind: 'tile'; tile: CachedTile; isKept: boolean }
  | { kind: 'renewed'; fresh_until_ms: number }
  | { kind: 'failed' };
const failed: FetchedTile = { kind: 'failed' };

/** As browsers have it for one host. */
const maxAtOnce = 6;
/** A view asks for some thirty tiles. */
const waiting = { per_user: 100, all: 400 };
/** Before a source that failed is called again: twice as long after each failure. */
const firstPauseMs = 30_000;
const longestPauseMs = 600_000;
/** What a provider may ask for by `Retry-After`. */
const longestAskedPauseMs = 3_600_000;
/** A tile that is none is asked for again after this time; so many such answers in a row are the source's failure. */
const refusedForMs = 600_000;
const maxRefused = 2_000;
const badInRow = 3;
/** Freshness of what states none, and the bounds of what is stated. */
const usualFreshS = 86_400;
const leastFreshS = 60;
const mostFreshS = 30 * 86_400;
/** Some providers name their tiles by the date of their data, and remove the old ones after some weeks. */
const readAgainMs = 86_400_000;

const pack = promisify(gzip);
const unpack = promisify(gunzip) as (packed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

export type TileFetcher = ReturnType<typeof createTileFetcher>;

/** Fetches the tiles of one source: a few at once, each once, and none for a while after a failure. */
export function createTileFetcher(
  map: OnlineMap,
  { get, clock, log }: { get: OutgoingGet['get']; clock: Clock; log: Logger },
) {
  const flights = new Map<string, Promise<FetchedTile>>();
  const refused = new Map<string, number>();
  const queue = createFairQueue<{ load: () => Promise<FetchedTile>; done: (tile: FetchedTile) => void }>();
  let running = 0;
  let fault: Cause[] | null = null;
  let pause = { ms: 0, until: 0 };
  let isTrying = false;
  let bad = 0;
  let template = { tiles: Promise.resolve(map.online.tiles), until: -Infinity };

  /** After its pause a source is tried by one call alone. */
  const isPaused = () => pause.ms > 0 && (isTrying || clock.monotonic() < pause.until);

  function setFault(causes: Cause[]): void {
    if (fault === null)
      log.warn({ map_id: map.map_id, detail: detailOf(causes) }, 'an online map cannot be fetched');
    fault = causes;
  }

  function refuse(key: string, causes: Cause[]): void {
    refused.delete(key);
    refused.set(key, clock.monotonic() + refusedForMs);
    const [oldest] = refused.keys();
    if (refused.size > maxRefused && oldest !== undefined) refused.delete(oldest);
    bad++;
    setFault(causes);
  }

  function noteFailure(key: string, error: unknown): void {
    const isExpected = error instanceof OutgoingError;
    if (!isExpected) log.error({ err: error, map_id: map.map_id }, 'a tile could not be fetched');
    const causes = isExpected ? error.causes : causesOf(error);
    if (isExpected && error.isOfAnswer) {
      refuse(key, [...causes, causeOf('map_source.tile', { tile: key })]);
      if (bad < badInRow) return;
    }
    setFault(causes);
    const now = clock.monotonic();
    // Of calls that fail together, the first counts.
    if (pause.ms > 0 && now < pause.until) return;
    const asked_ms = error instanceof StatusError ? (error.retryAfter_s ?? 0) * 1_000 : 0;
    const ms = pause.ms === 0 ? firstPauseMs : Math.min(longestPauseMs, pause.ms * 2);
    pause = { ms, until: now + Math.max(ms, Math.min(longestAskedPauseMs, asked_ms)) };
  }

  function noteSuccess(): void {
    if (fault !== null) log.info({ map_id: map.map_id }, 'an online map is fetched again');
    [fault, bad] = [null, 0];
    pause = { ms: 0, until: 0 };
  }

  /** @throws OutgoingError where the source has become another one */
  function tilesNow(): Promise<string> {
    if (map.kind === 'imagery' || clock.monotonic() < template.until) return template.tiles;
    const before = template.tiles;
    const tiles = streetsAt(new URL(map.online.url), get).then(
      ({ tiles: address, about }) => {
        if (about.schema === map.schema) return address;
        throw new OutgoingError(causeOf('map_source.schema_changed', { schema: about.schema }));
      },
      (error: unknown) => {
        log.warn({ err: error, map_id: map.map_id }, 'a TileJSON could not be read again');
        return before;
      },
    );
    // Where nobody waits for it any more.
    tiles.catch(() => undefined);
    template = { tiles, until: clock.monotonic() + readAgainMs };
    return tiles;
  }

  async function ask({ z, x, y }: TilePlace, cached: CachedTile | null): Promise<FetchedTile> {
    const answer = await get({
      url: tileUrl(await tilesNow(), z, x, y),
      headers: {
        Accept: map.kind === 'imagery' ? 'image/webp,image/png,image/jpeg' : '*/*',
        ...(cached?.etag == null ? {} : { 'If-None-Match': cached.etag }),
        ...(cached?.last_modified == null ? {} : { 'If-Modified-Since': cached.last_modified }),
      },
      maxBytes: maxTileBytes,
    });
    const fresh = freshnessOf(answer, clock.now());
    if (answer.status === 304 && cached !== null) {
      return { kind: 'renewed', fresh_until_ms: fresh.until_ms };
    }
    const body = await tileOf(answer, map.kind, clock.now());
    const { etag = null, 'last-modified': last_modified = null } = answer.headers;
    const stamp = createHash('sha1').update(body).digest('base64url').slice(0, 16);
    const tile = { body, etag, last_modified, fresh_until_ms: fresh.until_ms, stamp };
    return { kind: 'tile', tile, isKept: fresh.isKept };
  }

  async function load(key: string, place: TilePlace, cached: CachedTile | null): Promise<FetchedTile> {
    if (isPaused()) return failed;
    const isTrial = pause.ms > 0;
    isTrying ||= isTrial;
    try {
      const fetched = await ask(place, cached);
      noteSuccess();
      return fetched;
    } catch (error) {
      noteFailure(key, error);
      return failed;
    } finally {
      if (isTrial) isTrying = false;
    }
  }

  function serve(): void {
    while (running < maxAtOnce) {
      const job = queue.take();
      if (job === undefined) return;
      running++;
      void job.load().then((tile) => {
        running--;
        job.done(tile);
        serve();
      });
    }
  }

  return {
    /** Why nothing is fetched now, as the rest of a sentence about the source; null: it is. */
    fault: (): Cause[] | null => fault,

    /** @param cached what is to be renewed; null: there is nothing */
    fetch(place: TilePlace, cached: CachedTile | null, user_id: string): Promise<FetchedTile> {
      const key = `${place.z}/${place.x}/${place.y}`;
      const flight = flights.get(key);
      if (flight !== undefined) return flight;
      const isRefused = (refused.get(key) ?? -Infinity) > clock.monotonic();
      const isFull = queue.size(user_id) >= waiting.per_user || queue.size() >= waiting.all;
      if (isPaused() || isRefused || isFull) return Promise.resolve(failed);
      const fetched = new Promise<FetchedTile>((done) =>
        queue.add(user_id, { load: () => load(key, place, cached), done }),
      ).finally(() => flights.delete(key));
      flights.set(key, fetched);
      serve();
      return fetched;
    },

    /** Takes note of a tile that came and cannot be drawn. */
    refuse: ({ z, x, y }: TilePlace, causes: Cause[]) => refuse(`${z}/${x}/${y}`, causes),
  };
}

/** Other than a tile, or that there is none. */
class StatusError extends OutgoingError {
  readonly retryAfter_s: number | null;

  constructor(status: number, retryAfter_s: number | null) {
    super(causeOf('outgoing.answered', { status: String(status) }));
    this.retryAfter_s = retryAfter_s;
  }
}

/**
 * The tile of an answer, one of streets packed; empty where the source has none.
 *
 * @throws OutgoingError
 */
export async function tileOf(
  answer: OutgoingAnswer,
  kind: OnlineMap['kind'],
  now_ms: number,
): Promise<Buffer> {
  const { status, headers, body } = answer;
  const isNone = status === 204 || status === 404 || status === 410;
  if (isNone || (status === 200 && body.length === 0)) return Buffer.alloc(0);
  if (status !== 200) throw new StatusError(status, retryAfterOf(headers['retry-after'], now_ms));
  const isTile = tileTypeOf(body) !== null && (tileTypeOf(body) === 'mvt') === (kind === 'streets');
  if (!isTile) {
    const type = headers['content-type']?.slice(0, 60);
    const code = kind === 'streets' ? 'map_source.no_vector_tile' : 'map_source.no_picture';
    throw new OutgoingError(type === undefined ? causeOf(`${code}_untyped`) : causeOf(code, { type }), {
      isOfAnswer: true,
    });
  }
  if (kind === 'imagery') return body;
  if (!isGzip(body)) return pack(body, { level: 1 });
  try {
    await unpack(body, { maxOutputLength: maxTileBytes });
  } catch (error) {
    const isLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    const mb = maxTileBytes / 1024 / 1024;
    throw new OutgoingError(
      isLarge ? causeOf('outgoing.too_large', { mb }) : causeOf('outgoing.not_inflated'),
      { isOfAnswer: true, cause: error },
    );
  }
  return body;
}

/** RFC 9111, section 4.2; of one answer no cache is shared, so `s-maxage` says nothing. */
function freshnessOf({ headers }: OutgoingAnswer, now_ms: number): { until_ms: number; isKept: boolean } {
  const control = headers['cache-control'] ?? '';
  const stated = /(?:^|[\s,])max-age="?(\d{1,10})/i.exec(control)?.[1];
  const expires_ms = Date.parse(headers.expires ?? '');
  const age_s = Number(/^\d{1,9}$/.exec(headers.age ?? '')?.[0] ?? 0);
  let fresh_s = usualFreshS;
  if (/(?:^|[\s,])no-(?:cache|store)/i.test(control)) fresh_s = 0;
  else if (stated !== undefined) fresh_s = Number(stated) - age_s;
  else if (!Number.isNaN(expires_ms)) fresh_s = (expires_ms - now_ms) / 1_000;
  const bounded_s = Math.max(leastFreshS, Math.min(mostFreshS, fresh_s));
  return { until_ms: Math.round(now_ms + bounded_s * 1_000), isKept: !/(?:^|[\s,])no-store/i.test(control) };
}
