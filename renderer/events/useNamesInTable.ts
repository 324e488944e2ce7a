import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';

export interface NamesInTable {
  vehicle(id: string): string;
  user(id: string): string;
  /** '' for what has no place. */
  place(at: { lat: number | null; lon: number | null }): string;
  geofence(id: string | null): string;
}

/** What the tables call things by; another object when a name may have changed. */
export function useNamesInTable(): NamesInTable {
  const app = useAppContext();
  const t = useT();
  const vehicles = useStore(app.vehicles.store, ({ byId }) => byId);
  const geofences = useStore(app.geofences.store, ({ byId }) => byId);
  const users = useStore(app.userNames, ({ byId }) => byId);
  const places = useStore(app.places.edition, ({ number }) => number);
  // Places stay where they are, and every sorting asks for all of them: looked up once, until a name changes.
  const known = useMemo(
    () => ({ edition: places, geofences, byPlace: new Map<string, string>() }),
    [places, geofences],
  );
  return useMemo(
    () => ({
      vehicle: (id) => vehicles.get(id)?.name ?? t('vehicle.gone'),
      user: (id) => users.get(id) ?? t('user.another'),
      place({ lat, lon }) {
        if (lat === null || lon === null) return '';
        const key = `${lat} ${lon}`;
        const text = known.byPlace.get(key) ?? app.places.at(lat, lon);
        known.byPlace.set(key, text);
        return text;
      },
      geofence: (id) => (id === null ? '' : (geofences.get(id)?.name ?? t('place.unknown_geofence'))),
    }),
    [app, t, vehicles, geofences, users, known],
  );
}
