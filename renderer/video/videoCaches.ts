import { createStore } from 'zustand/vanilla';
import { eventRoutes, type Event } from '../../server/contract/events.ts';
import { positionRoutes, track, type Position } from '../../server/contract/positions.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import type { Profile } from '../../server/contract/videoProfiles.ts';
import { fetchAllPages, PAGE_LIMIT, type Api } from '../api/client.ts';
import { createResourceStore, olderByVersion } from '../resources/resourceStore.ts';
import type { FleetStream } from '../stream/fleetStream.ts';

/** Fixes before and after the span, so that the line runs on to its edges. */
export const MARGIN_MS = 30_000;
/** Of recordings that were looked at last. */
const KEPT_TRACKS = 50;
/** More than the tasks that a console holds, which are shown with them. */
const KEPT_EVENTS = 10_000;

/** @param now the server's time, milliseconds */
export function createTrackCache(api: Api, now: () => number) {
  const known = new Map<string, { reading: Promise<readonly Position[]>; isWhole: boolean }>();

  const ask = async (span: Parameters<TrackCache['read']>[0]): Promise<readonly Position[]> => {
    const { positions } = await api.read(positionRoutes.track, track, {
      params: { vehicle: span.vehicleId },
      query: {
        from: new Date(span.from - MARGIN_MS).toISOString(),
        to: new Date(span.to + MARGIN_MS).toISOString(),
      },
    });
    return positions;
  };

  return {
    /** In order of time. Throws ApiProblem, Unreachable and UnexpectedAnswer. */
    read(span: { vehicleId: string; from: number; to: number }) {
      const key = `${span.vehicleId} ${span.from} ${span.to}`;
      const isWhole = now() >= span.to + MARGIN_MS;
      const before = known.get(key);
      if (before !== undefined && (before.isWhole || !isWhole)) {
        known.delete(key);
        known.set(key, before);
        return before.reading;
      }
      const entry = { reading: ask(span), isWhole };
      known.delete(key);
      known.set(key, entry);
      const [oldest] = known.keys();
      if (known.size > KEPT_TRACKS && oldest !== undefined) known.delete(oldest);
      const forget = () => {
        if (known.get(key) === entry) known.delete(key);
      };
      // A span that was not over yet, and one that could not be read, are read again the next time.
      entry.reading.then(() => {
        if (!isWhole) forget();
      }, forget);
      return entry.reading;
    },
  };
}

/** The tracks of vehicles during their recordings: each is read once, until many others were looked at. */
export type TrackCache = ReturnType<typeof createTrackCache>;

/** As many ids as an address line takes with ease. */
const AT_ONCE = 50;

/** The events that videos were ordered for. */
export function createEventCache(api: Api) {
  const store = createStore<{ byId: ReadonlyMap<string, Event> }>(() => ({ byId: new Map() }));
  const requested = new Set<string>();

  async function read(ids: readonly string[]): Promise<void> {
    try {
      const { items } = await api.request(eventRoutes.list, { query: { ids: [...ids], limit: AT_ONCE } });
      const { byId } = store.getState();
      const all = [...byId, ...items.map((it): [string, Event] => [it.event_id, it])];
      for (const [id] of all.slice(0, -KEPT_EVENTS)) requested.delete(id);
      store.setState({ byId: new Map(all.slice(-KEPT_EVENTS)) });
    } catch {
      // The rows then say who ordered them; another look at the list asks again.
      for (const id of ids) requested.delete(id);
    }
  }

  return {
    store,
    /** Reads those that are not known yet; each id is asked for once. */
    want(eventIds: Iterable<string>) {
      const fresh = [...new Set(eventIds)].filter((id) => !requested.has(id));
      for (const id of fresh) requested.add(id);
      for (let at = 0; at < fresh.length; at += AT_ONCE) void read(fresh.slice(at, at + AT_ONCE));
    },
  };
}

/** The cameras of vehicles: read when they are first asked for, then kept by the stream. */
export function createProfileCache(
  { api, stream }: { api: Api; stream: FleetStream },
  terminalOf: (vehicleId: string) => string | null,
) {
  const profiles = createResourceStore<Profile>({ idOf: (it) => it.profile_id, isOlder: olderByVersion });
  const store = createStore<{ byVehicle: ReadonlyMap<string, Profile>; isWhole: boolean }>(() => ({
    byVehicle: new Map(),
    isWhole: false,
  }));
  let reading: Promise<void> | null = null;
  profiles.store.subscribe(({ byId }, before) => {
    if (byId === before.byId) return;
    store.setState({ byVehicle: new Map([...byId.values()].map((it) => [it.vehicle_id, it])) });
  });
  return {
    store,
    /** Begins to follow the stream; returns its end. */
    start() {
      const undo = [
        stream.on('profile', (message) => {
          if ('deleted' in message) profiles.hide([message.profile_id]);
          else profiles.receive([message]);
        }),
        stream.on('reset', () => {
          if (!store.getState().isWhole) return;
          store.setState({ isWhole: false });
          void readAll().catch(() => undefined);
        }),
      ];
      return () => undo.forEach((run) => run());
    },
    /** Throws ApiProblem (`not_found` where the vehicle has no cameras) and Unreachable. */
    async ofVehicle(vehicleId: string) {
      const terminal_id = terminalOf(vehicleId);
      if (terminal_id === null) throw new RangeError('a vehicle that is not on the list has no terminal');
      // Asked for each time: the stream does not say when cameras can be reached again.
      const profile = await api.request(videoRoutes.profiles, { query: { terminal_id } });
      if ('items' in profile) throw new TypeError('a list of profiles came for one terminal');
      profiles.put([profile]);
      return profile;
    },
    /** Reads all that are visible; those that are gone are forgotten. Throws ApiProblem and Unreachable. */
    readAll,
    /** Reads all once, for who only looks: what cannot be read is asked for at the next look. */
    want() {
      if (!store.getState().isWhole) void readAll().catch(() => undefined);
    },
    /** Reads one anew: its cameras and whether they can be reached. Throws ApiProblem and Unreachable. */
    async readAgain(profile_id: string, signal?: AbortSignal) {
      const profile = await api.request(videoRoutes.getProfile, { params: { profile_id }, signal });
      profiles.put([profile]);
      return profile;
    },
    put: (profile: Profile) => profiles.put([profile]),
    /** The vehicle has no cameras any more. */
    forget(vehicleId: string) {
      const profile = store.getState().byVehicle.get(vehicleId);
      if (profile !== undefined) profiles.hide([profile.profile_id]);
    },
  };

  /** However many ask at once, the list is read once. */
  function readAll(): Promise<void> {
    reading ??= readPages().finally(() => {
      reading = null;
    });
    return reading;
  }

  async function readPages(): Promise<void> {
    profiles.listing();
    const items = await fetchAllPages(async (cursor) => {
      const answer = await api.request(videoRoutes.profiles, { query: { limit: PAGE_LIMIT, cursor } });
      if (!('items' in answer)) throw new TypeError('one profile came for a list');
      return answer;
    });
    profiles.listed(items);
    store.setState({ isWhole: true });
  }
}
