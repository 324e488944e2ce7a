import { createStore } from 'zustand/vanilla';
import type { Map as MapFile } from '../../server/contract/maps.ts';
import { shareRoutes, type SharedVehicle } from '../../server/contract/shares.ts';
import type { Api } from '../api/client.ts';
import { ApiProblem, isProblem } from '../api/errors.ts';
import type { Clock } from '../clock/clock.ts';
import type { MapFiles } from '../map/basemap/mapTiles.ts';

/** Fourteen pages behind one address stay within its calls. */
const AGAIN_MS = 15_000;
/** One that a message has cut off or added to is none. */
const TOKEN = /^[\w-]{1,64}$/;
/** Of the way that it has come since the page was opened. */
const TRAIL_POINTS = 200;

export interface SharedState {
  phase: 'loading' | 'shown' | 'gone';
  vehicle: SharedVehicle | null;
  /** The server does not answer: what is shown is the last that was known. */
  lost: boolean;
  /** Where it was since the page was opened, oldest first. */
  trail: readonly { time: string; lat: number; lon: number }[];
  maps: readonly MapFile[];
  mapsVersion: number;
}

/** What a link shows, read again and again until the link ends. */
export function createSharedVehicle({
  api,
  clock,
  token,
}: {
  api: Pick<Api, 'request' | 'open'>;
  clock: Clock;
  token: string;
}) {
  const store = createStore<SharedState>(() => ({
    phase: TOKEN.test(token) ? 'loading' : 'gone',
    vehicle: null,
    lost: false,
    trail: [],
    maps: [],
    mapsVersion: 0,
  }));
  let stopTimer = (): void => undefined;

  async function readMaps(): Promise<void> {
    try {
      const { items, version } = await api.request(shareRoutes.maps);
      store.setState({ maps: items, mapsVersion: version });
    } catch {
      // Without street maps the world map is drawn; the next reading of the vehicle says what is wrong.
    }
  }

  function take(vehicle: SharedVehicle): void {
    const { trail, phase } = store.getState();
    const { position } = vehicle;
    const isNew = position !== null && trail.at(-1)?.time !== position.time;
    store.setState({
      phase: 'shown',
      vehicle,
      lost: false,
      // Where it is not shown the trail would give it away.
      trail: vehicle.withheld ? [] : isNew ? [...trail, position].slice(-TRAIL_POINTS) : trail,
    });
    if (phase === 'loading') void readMaps();
  }

  async function read(): Promise<void> {
    let pauseMs = AGAIN_MS;
    try {
      take(await api.request(shareRoutes.open));
    } catch (error) {
      if (isProblem(error, 'not_found')) {
        store.setState({ phase: 'gone', vehicle: null, trail: [] });
        return;
      }
      if (error instanceof ApiProblem && error.retryAfterS !== null) pauseMs = error.retryAfterS * 1_000;
      store.setState({ lost: true });
    }
    stopTimer = clock.after(pauseMs, () => void read());
  }

  const files: MapFiles = {
    api: {
      open: (_route, { params: place, query, signal }) =>
        api.open(shareRoutes.tile, {
          params: pick(place),
          query: query as { v?: number },
          ...(signal === undefined ? {} : { signal }),
        }),
    },
    list: () => ({ maps: store.getState().maps, version: store.getState().mapsVersion }),
    onChange: (run) =>
      store.subscribe((now, before) => {
        if (now.maps !== before.maps) run();
      }),
    reload: () => void readMaps(),
    clock,
  };

  return {
    store,
    /** The street maps of the depot, as the page of a link draws them. */
    files,
    start(): () => void {
      if (TOKEN.test(token)) void read();
      return () => stopTimer();
    },
  };
}

/** Where a tile lies: of the maps that a link draws there is one. */
function pick(place: unknown): { z: number; x: number; y: number } {
  const { z, x, y } = place as { z: number; x: number; y: number };
  return { z, x, y };
}
