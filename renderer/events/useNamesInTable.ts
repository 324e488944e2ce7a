import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';

export interface NamesInTable {
  vehicle(id: string): string;
  user(id: string): string;
  /** '' for what has no place. */
  place(at: { lat: number | null; lon: number | null }): string;
  geofence(id: string | null): string;
}

/** What the tables call things by; another object when a name may have changed. */
export function useNamesInTable(): NamesInTable {
  const desk = useDesk();
  const say = useText();
  const vehicles = useStore(desk.vehicles.store, ({ byId }) => byId);
  const fences = useStore(desk.geofences.store, ({ byId }) => byId);
  const users = useStore(desk.userNames, ({ byId }) => byId);
  const places = useStore(desk.places.edition, ({ number }) => number);
  // Places stay where they are, and every sorting asks for all of them: looked up once, until a name changes.
  const known = useMemo(
    () => ({ edition: places, fences, byPlace: new Map<string, string>() }),
    [places, fences],
  );
  return useMemo(
    () => ({
      vehicle: (id) => vehicles.get(id)?.name ?? say('vehicle.gone'),
      user: (id) => users.get(id) ?? say('user.another'),
      place({ lat, lon }) {
        if (lat === null || lon === null) return '';
        const key = `${lat} ${lon}`;
        const text = known.byPlace.get(key) ?? desk.places.at(lat, lon);
        known.byPlace.set(key, text);
        return text;
      },
      geofence: (id) => (id === null ? '' : (fences.get(id)?.name ?? say('place.unknown_geofence'))),
    }),
    [desk, say, vehicles, fences, users, known],
  );
}
