import { maxPlacePoints, placeRoutes } from '../../server/contract/places.ts';
import type { MapFileDeps } from '../mapFiles/mapList.ts';

/** Points of the same 11 m have the same address. */
const DECIMALS = 4;
const MOST_KNOWN = 20_000;
/** Until an answer has come, a place has the address of one this near: at 100 km/h a vehicle is as far by then. */
const NEAR_DECIMALS = 3;
/** All that is asked for within it is one call: 20 calls a minute at the most. */
const PAUSE_MS = 3_000;
/** The first one after a rest comes at once, but for what the same screen asks for with it. */
const FIRST_MS = 50;
/** What is written to a file waits so long for its addresses. */
const LOAD_MS = 10_000;

export type Addresses = ReturnType<typeof createAddresses>;
type Point = { lat: number; lon: number };

/** Streets and house numbers by the depot's map files. What is not known yet is asked for, and comes later. */
export function createAddresses({ api, clock, mapList }: MapFileDeps) {
  const listeners = new Set<() => void>();
  const known = new Map<string, string | null>();
  const near = new Map<string, string>();
  const wanted = new Map<string, Point>();
  let stopTimer: (() => void) | null = null;
  let isStopped = false;
  let restsUntil = 0;
  const abort = new AbortController();

  const isCovered = (lat: number, lon: number): boolean =>
    mapList.store
      .getState()
      .maps.some(
        ({ shown, kind, area }) =>
          shown &&
          kind === 'streets' &&
          lat >= area.south &&
          lat <= area.north &&
          lon >= area.west &&
          lon <= area.east,
      );

  function schedule(): void {
    if (stopTimer !== null || wanted.size === 0 || isStopped) return;
    stopTimer = clock.after(Math.max(FIRST_MS, restsUntil - clock.now()), () => void ask());
  }

  async function ask(): Promise<void> {
    const asked = [...wanted].slice(0, maxPlacePoints);
    for (const [key] of asked) wanted.delete(key);
    // What is on the screen has the name of its town; it is asked for again when it is shown again.
    await fetchAddresses(asked);
    restsUntil = clock.now() + PAUSE_MS;
    stopTimer = null;
    schedule();
  }

  /** @returns whether they came */
  async function fetchAddresses(asked: readonly (readonly [key: string, Point])[]): Promise<boolean> {
    const { version } = mapList.store.getState();
    try {
      const { places } = await api.request(placeRoutes.reverseMany, {
        body: { points: asked.map(([, point]) => point) },
        signal: abort.signal,
      });
      if (version === mapList.store.getState().version) {
        asked.forEach(([key, { lat, lon }], at) => {
          const text = places[at]?.text ?? null;
          remember(known, key, text);
          if (text !== null) remember(near, keyOf(lat, lon, NEAR_DECIMALS), text);
        });
        for (const run of listeners) run();
      }
      return true;
    } catch {
      return false;
    }
  }

  async function fetchAll(missing: readonly (readonly [string, Point])[]): Promise<void> {
    for (let at = 0; at < missing.length; at += maxPlacePoints)
      if (!(await fetchAddresses(missing.slice(at, at + maxPlacePoints)))) return;
  }

  function nearby(lat: number, lon: number): string | null {
    const step = 10 ** -NEAR_DECIMALS;
    for (const [down, left] of NEIGHBOURS) {
      const text = near.get(keyOf(lat + down * step, lon + left * step, NEAR_DECIMALS));
      if (text !== undefined) return text;
    }
    return null;
  }

  return {
    /** Null where it is not known, or not yet. */
    addressOf(lat: number, lon: number): string | null {
      const key = keyOf(lat, lon, DECIMALS);
      const text = known.get(key);
      if (text !== undefined) return text;
      if (isCovered(lat, lon) && wanted.size < MOST_KNOWN) {
        wanted.set(key, rounded(lat, lon));
        schedule();
      }
      return nearby(lat, lon);
    },
    /** Resolves when the addresses of these points have come, or do not come. */
    async load(points: readonly Point[]): Promise<void> {
      const missing = new Map<string, Point>();
      for (const { lat, lon } of points) {
        const key = keyOf(lat, lon, DECIMALS);
        if (missing.size === MOST_KNOWN) break;
        if (!known.has(key) && isCovered(lat, lon)) missing.set(key, rounded(lat, lon));
      }
      await new Promise<void>((resolve) => {
        const stop = clock.after(LOAD_MS, resolve);
        void fetchAll([...missing]).finally(() => {
          stop();
          resolve();
        });
      });
    },
    /** Runs when more addresses have come, or others hold. Returns its undo. */
    onChange(run: () => void): () => void {
      listeners.add(run);
      return () => {
        listeners.delete(run);
      };
    },
    start(): () => void {
      const unsubscribe = mapList.store.subscribe((state, before) => {
        if (state.maps === before.maps) return;
        known.clear();
        near.clear();
        for (const run of listeners) run();
      });
      return () => {
        isStopped = true;
        unsubscribe();
        stopTimer?.();
        abort.abort();
      };
    },
  };
}

const NEIGHBOURS = [0, -1, 1].flatMap((down) => [0, -1, 1].map((left) => [down, left] as const));

const rounded = (lat: number, lon: number): Point => ({
  lat: Number(lat.toFixed(DECIMALS)),
  lon: Number(lon.toFixed(DECIMALS)),
});

const keyOf = (lat: number, lon: number, decimals: number) =>
  `${lat.toFixed(decimals)} ${lon.toFixed(decimals)}`;

function remember<T>(into: Map<string, T>, key: string, value: T): void {
  into.set(key, value);
  if (into.size <= MOST_KNOWN) return;
  for (const oldest of into.keys()) {
    into.delete(oldest);
    return;
  }
}
