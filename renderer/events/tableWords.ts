import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import type { EventValues } from '../../server/contract/events.ts';
import { allowedText, measuredText } from '../notifications/measuredText.ts';

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

/** 94 / 60 km/h, 42 min / 20 min; what was measured alone where nothing is allowed, '' where nothing was. */
export function measuredAgainst(values: EventValues): string {
  const measured = measuredText(values);
  const allowed = allowedText(values);
  if (measured === null) return '';
  if (allowed === null) return measured;
  const unit = values.unit === null || values.unit === 's' ? '' : `\u00a0${values.unit}`;
  return unit === '' ? `${measured} / ${allowed}` : `${measured.slice(0, -unit.length)} / ${allowed}`;
}
