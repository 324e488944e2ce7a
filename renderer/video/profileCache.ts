import { createStore } from 'zustand/vanilla';
import { videoRoutes } from '../../server/contract/video.ts';
import { type Profile } from '../../server/contract/videoProfiles.ts';
import { fetchAllPages, PAGE_LIMIT } from '../api/allPages.ts';
import type { Api } from '../api/client.ts';

/** The cameras of vehicles. */
export function createProfileCache(api: Api, terminalOf: (vehicleId: string) => string | null) {
  const store = createStore<{ byVehicle: ReadonlyMap<string, Profile>; isWhole: boolean }>(() => ({
    byVehicle: new Map(),
    isWhole: false,
  }));
  let reading: Promise<void> | null = null;
  const take = (profiles: readonly Profile[]) =>
    store.setState(({ byVehicle }) => ({
      byVehicle: new Map([...byVehicle, ...profiles.map((it): [string, Profile] => [it.vehicle_id, it])]),
    }));
  return {
    store,
    /** Throws ApiProblem (`not_found` where the vehicle has no cameras) and Unreachable. */
    async ofVehicle(vehicleId: string) {
      const terminal_id = terminalOf(vehicleId);
      if (terminal_id === null) throw new RangeError('a vehicle that is not on the list has no terminal');
      // Asked for each time: a dealer may have changed the cameras since.
      const profile = await api.request(videoRoutes.profiles, { query: { terminal_id } });
      if ('items' in profile) throw new TypeError('a list of profiles came for one terminal');
      take([profile]);
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
      take([profile]);
      return profile;
    },
    put: (profile: Profile) => take([profile]),
    forget: (vehicleId: string) =>
      store.setState(({ byVehicle }) => ({
        byVehicle: new Map([...byVehicle].filter(([id]) => id !== vehicleId)),
      })),
  };

  /** However many ask at once, the list is read once. */
  function readAll(): Promise<void> {
    reading ??= readPages().finally(() => {
      reading = null;
    });
    return reading;
  }

  async function readPages(): Promise<void> {
    const profiles = await fetchAllPages(async (cursor) => {
      const answer = await api.request(videoRoutes.profiles, { query: { limit: PAGE_LIMIT, cursor } });
      if (!('items' in answer)) throw new TypeError('one profile came for a list');
      return answer;
    });
    store.setState({
      byVehicle: new Map(profiles.map((it): [string, Profile] => [it.vehicle_id, it])),
      isWhole: true,
    });
  }
}

export type ProfileCache = ReturnType<typeof createProfileCache>;
