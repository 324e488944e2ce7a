import type { ReactNode } from 'react';
import { createStore } from 'zustand/vanilla';
import { eventKind, eventRoutes, type Event, type EventKind } from '../../server/contract/events.ts';
import { maxListedVehicles } from '../../server/contract/fields.ts';
import { incidentRoutes } from '../../server/contract/incidents.ts';
import { foldText } from '../../server/contract/searchText.ts';
import { isAbort } from '../api/errors.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { LoggedOut } from '../auth/tokens.ts';
import { eventWords } from '../notifications/alarmLabels.ts';
import { canOpen } from '../navigation/navigation.ts';
import { match } from '../search/itemSearch.ts';
import { geofenceSearch, vehicleSearch } from '../search/searches.ts';
import { eventEntryId, incidentEntry, type PaletteEntry } from './paletteEntries.tsx';

/** So long after the last key is asked. */
const REST_MS = 300;
const SHORTEST = 3;
const DAYS_MS = 7 * 24 * 3_600_000;
/** More than the palette shows: those of open alarms stand there as alarms. */
const ASKED = 50;
/** Each is asked for by itself. */
const MOST_GEOFENCES = 3;
/** Closed incidents. */
const ASKED_INCIDENTS = 6;
/** The newest of a kind, among which those of more vehicles or geofences are looked for. */
const LOOKED_THROUGH = 200;
/** Of more it is not tried which of them name a vehicle and which a geofence. */
const MOST_WORDS = 6;
/** What can be at a geofence. */
const KINDS_AT_GEOFENCES: readonly EventKind[] = [
  ...(['geofence_enter', 'geofence_exit', 'geofence_dwell', 'silent_inside', 'overspeed'] as const),
];

export interface EventSearchState {
  /** What it is the state of. */
  typed: string;
  isSearching: boolean;
  /** Newest first, more than are shown. */
  entries: readonly PaletteEntry[];
  /** Closed ones that the console does not hold, newest first. */
  incidents: readonly PaletteEntry[];
  /** That it searches, or could not; else empty. */
  words: string;
}

interface Asked {
  query: { vehicle?: string[]; geofence?: string; kind?: EventKind[]; limit: number };
  accepts?: (event: Event) => boolean;
}

export type EventSearch = ReturnType<typeof createEventSearch>;

const NOTHING = { entries: [], incidents: [], words: '' };

/** Finds events of the last days by the names of their vehicle, kind and geofence, and closed incidents as their list does. */
export function createEventSearch(app: AppContext, icon: ReactNode) {
  const store = createStore<EventSearchState>(() => ({
    ...{ typed: '', isSearching: false, ...NOTHING },
  }));
  let stopTimer: (() => void) | null = null;
  let abort: AbortController | null = null;

  function halt(): void {
    stopTimer?.();
    stopTimer = null;
    abort?.abort();
    abort = null;
  }

  async function ask(typed: string): Promise<void> {
    const asked = readEventSearch(app, typed);
    const mine = new AbortController();
    abort = mine;
    const { signal } = mine;
    const from = new Date(app.serverTime.now() - DAYS_MS).toISOString();
    try {
      const [incidents, ...pages] = await Promise.all([
        closedIncidents(app, typed, signal),
        ...asked.map(async ({ query, accepts = () => true }) => {
          const { items } = await app.api.request(eventRoutes.list, { query: { ...query, from }, signal });
          return items.filter(accepts);
        }),
      ]);
      if (signal.aborted) return;
      const byId = new Map(pages.flat().map((it) => [it.event_id, it]));
      const events = [...byId.values()].sort((a, b) => Date.parse(b.time) - Date.parse(a.time));
      const entries = events.slice(0, ASKED).map((it) => entryOf(app, it, typed, icon));
      store.setState({ typed, isSearching: false, entries, incidents, words: '' });
    } catch (error) {
      if (signal.aborted || isAbort(error) || error instanceof LoggedOut) return;
      store.setState({ typed, isSearching: false, ...NOTHING, words: app.t('events.search_failed') });
    }
  }

  return {
    store,
    /** @param typed without blanks around it */
    want(typed: string): void {
      if (typed === store.getState().typed) return;
      halt();
      // What it names is looked up after the last key: no key waits for a look through the fleet.
      const isSearching = typed.length >= SHORTEST || /^#\d/.test(typed);
      const words = isSearching ? app.t('events.searching') : '';
      store.setState({ typed, isSearching, ...NOTHING, words });
      if (isSearching) stopTimer = app.clock.after(REST_MS, () => void ask(typed));
    },
    stop: halt,
  };
}

/** Throws ApiProblem, Unreachable. */
async function closedIncidents(app: AppContext, typed: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  if (!canOpen(app.user, 'incidents')) return [];
  const query = { q: typed.slice(0, 100), status: ['closed' as const], limit: ASKED_INCIDENTS };
  const { items } = await app.api.request(incidentRoutes.list, { query, signal });
  const { byId: held } = app.incidents.store.getState();
  const { byId: vehicles } = app.vehicles.store.getState();
  // Those that the console holds it finds itself.
  const others = items.filter((it) => !held.has(it.incident_id));
  return others.map((it) => {
    const text = [`#${it.number} ${it.title}`, vehicles.get(it.vehicle_id ?? '')?.name]
      .filter(Boolean)
      .join(' ');
    return {
      ...incidentEntry(app, it),
      keycap: null,
      parts: match(text, typed)?.parts ?? [{ text, typed: false }],
    };
  });
}

/** How far the list of events shows what was before and after the one that was found. */
const AROUND_MS = 12 * 3_600_000;

/** Leads to the row of the event, among those of its vehicle. */
function entryOf(app: AppContext, event: Event, typed: string, icon: ReactNode): PaletteEntry {
  const { event_id, vehicle_id } = event;
  const vehicle = app.vehicles.store.getState().byId.get(vehicle_id ?? '');
  const words = eventWords(event, app);
  const at = Date.parse(event.time);
  const moment = app.settings.getState().time.moment(at, app.serverTime.now());
  const text = [vehicle?.name, words.kind, moment].filter(Boolean).join(' ');
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    id: eventEntryId(event_id),
    group: 'rail.events',
    icon,
    parts: match(text, typed)?.parts ?? [{ text, typed: false }],
    detail: words.what,
    keycap: null,
    run: () =>
      app.navigation.go('events', {
        ...{ view: 'events', vehicle: vehicle_id, row: event_id },
        ...{ from: iso(at - AROUND_MS), to: iso(at + AROUND_MS) },
      }),
  };
}

/**
 * What is asked for: words that stand in the name of a kind are taken for it, the others for a vehicle, a geofence or
 * one after the other. All words together may name them, too.
 */
function readEventSearch(app: AppContext, typed: string): Asked[] {
  const kinds = eventKind.options.map((kind) => ({ kind, name: foldText(app.t(`alarm.${kind}`)) }));
  const ofKind = (words: readonly string[]) =>
    kinds.filter(({ name }) => words.every((word) => name.includes(foldText(word)))).map(({ kind }) => kind);
  const words = typed.split(/\s+/);
  const kindWords = words.filter((word) => isLongEnough(word) && ofKind([word]).length > 0);
  const kind = ofKind(kindWords);
  const others = words.filter((word) => !kindWords.includes(word));
  if (kindWords.length === 0) return eventsNamed(app, words, null);
  const ofKinds =
    kind.length === 0
      ? []
      : others.length === 0
        ? [{ query: { kind, limit: ASKED } }]
        : eventsNamed(app, others, kind);
  return [...ofKinds, ...eventsNamed(app, words, null)];
}

const vehiclesNamed = (app: AppContext, text: string): string[] =>
  vehicleSearch.filter(app.vehicles.store.getState().byId, text).map((it) => it.vehicle_id);
const geofencesNamed = (app: AppContext, text: string): string[] =>
  geofenceSearch.filter(app.geofences.store.getState().byId, text).map((it) => it.geozone_id);
const areFew = (ids: readonly string[], most: number): boolean => ids.length > 0 && ids.length <= most;

function eventsNamed(app: AppContext, words: readonly string[], kind: EventKind[] | null): Asked[] {
  const text = words.join(' ');
  const [vehicles, geofences] = [vehiclesNamed(app, text), geofencesNamed(app, text)];
  if (vehicles.length === 0 && geofences.length === 0) return eventsOfBoth(app, words, kind);
  const ofKind = { limit: ASKED, ...(kind === null ? {} : { kind }) };
  const asked: Asked[] = [];
  if (areFew(vehicles, maxListedVehicles)) asked.push({ query: { vehicle: vehicles, ...ofKind } });
  else if (vehicles.length > 0 && kind !== null) {
    const ids = new Set(vehicles);
    asked.push({
      query: { kind, limit: LOOKED_THROUGH },
      accepts: ({ vehicle_id }) => ids.has(vehicle_id ?? ''),
    });
  }
  const atGeofences = KINDS_AT_GEOFENCES.filter((it) => kind?.includes(it) !== false);
  if (areFew(geofences, MOST_GEOFENCES))
    asked.push(...geofences.map((geofence) => ({ query: { geofence, ...ofKind } })));
  else if (geofences.length > 0 && atGeofences.length > 0) {
    const ids = new Set(geofences);
    asked.push({
      query: { kind: atGeofences, limit: LOOKED_THROUGH },
      accepts: ({ geozone_id }) => ids.has(geozone_id ?? ''),
    });
  }
  return asked;
}

/** Of a vehicle at a geofence: the first words name the one, the last words the other. */
function eventsOfBoth(app: AppContext, words: readonly string[], kind: EventKind[] | null): Asked[] {
  if (words.length > MOST_WORDS) return [];
  for (let at = 1; at < words.length; at += 1) {
    const [first, second] = [words.slice(0, at).join(' '), words.slice(at).join(' ')] as const;
    for (const [ofVehicle, ofGeofence] of [[first, second] as const, [second, first] as const]) {
      const vehicle = vehiclesNamed(app, ofVehicle);
      if (!areFew(vehicle, maxListedVehicles)) continue;
      const geofences = geofencesNamed(app, ofGeofence);
      if (!areFew(geofences, MOST_GEOFENCES)) continue;
      const query = { vehicle, limit: ASKED, ...(kind === null ? {} : { kind }) };
      return geofences.map((geofence) => ({ query: { ...query, geofence } }));
    }
  }
  return [];
}

/** Two letters stand in the name of anything; a Chinese word may be no longer. */
const isLongEnough = (word: string): boolean => word.length > 2 || /^\p{Script=Han}+$/u.test(word);
