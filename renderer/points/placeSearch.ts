import { createStore } from 'zustand/vanilla';
import { formatDecimal, parseCoordinates, type LatLon } from '../../server/contract/coordinates.ts';
import { placeRoutes, type FoundPlace } from '../../server/contract/places.ts';
import { isAbort } from '../api/errors.ts';
import { LoggedOut } from '../auth/tokens.ts';
import { match, type Part } from '../search/itemSearch.ts';
import type { MapFileDeps } from '../mapFiles/mapList.ts';

/** So long after the last key is asked. */
const REST_MS = 120;
/** Between two calls: 120 a minute at the most, of the 180 that a user has. */
const PAUSE_MS = 500;
/** One letter finds anything. */
const SHORTEST = 2;
const LONGEST = 200;
const SHOWN = 8;

interface PlaceSearchState {
  phase: 'idle' | 'searching' | 'ready' | 'failed';
  /** While it is searching: those found before that still fit. */
  places: readonly FoundPlace[];
}

/** Finds places for what is typed: by the server, by the map files; coordinates at once, without a call. */
export function createPlaceSearch({
  api,
  clock,
  mapList,
  near,
}: MapFileDeps & {
  /** What lies near to it comes first; null when nothing is looked at. */
  near: () => LatLon | null;
}) {
  const store = createStore<PlaceSearchState>(() => ({ phase: 'idle', places: [] }));
  let wanted = '';
  let stopTimer: (() => void) | null = null;
  let abort: AbortController | null = null;
  let restsUntil = 0;

  function halt(): void {
    stopTimer?.();
    stopTimer = null;
    abort?.abort();
    abort = null;
  }

  async function ask(q: string): Promise<void> {
    const mine = new AbortController();
    abort = mine;
    restsUntil = clock.now() + PAUSE_MS;
    const place = near();
    try {
      const { items } = await api.request(placeRoutes.search, {
        query: { q, limit: SHOWN, ...(place === null ? {} : { lat: place.lat, lon: place.lon }) },
        signal: mine.signal,
      });
      if (!mine.signal.aborted) store.setState({ phase: 'ready', places: items });
    } catch (error) {
      if (mine.signal.aborted || isAbort(error) || error instanceof LoggedOut) return;
      store.setState({ phase: 'failed', places: [] });
    }
  }

  return {
    store,
    want(typed: string): void {
      // A link may be longer than what the server is asked for.
      const whole = typed.trim();
      const q = whole.slice(0, LONGEST);
      if (whole === wanted) return;
      wanted = whole;
      halt();
      const point = parseCoordinates(whole, near());
      const isAsked =
        q.length >= SHORTEST &&
        mapList.store.getState().maps.some(({ shown, kind }) => shown && kind === 'streets');
      if (point !== null) store.setState({ phase: 'ready', places: [atCoordinates(point)] });
      else if (!isAsked) store.setState({ phase: 'idle', places: [] });
      else {
        const places = store.getState().places.filter(({ text }) => match(text, q) !== null);
        store.setState({ phase: 'searching', places });
        stopTimer = clock.after(Math.max(REST_MS, restsUntil - clock.now()), () => void ask(q));
      }
    },
    stop: halt,
  };
}

function atCoordinates(point: LatLon): FoundPlace {
  const text = formatDecimal(point);
  return { kind: 'coordinates', name: text, town: null, text, ...point };
}

/** A name with those of the words set apart that stand in it: the others were its town, or had an error. */
export function partsOfFound(name: string, typed: string): Part[] {
  const inName = typed
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '' && match(name, word) !== null);
  return match(name, inName.join(' '))?.parts ?? [{ text: name, typed: false }];
}
