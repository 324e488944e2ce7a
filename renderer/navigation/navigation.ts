import { createStore } from 'zustand/vanilla';
import { meetsLevel, type RightName } from '../../server/contract/rights.ts';
import type { User } from '../../server/contract/users.ts';

/** In the order of the rail. */
export const screenNames = [
  'live',
  'history',
  'events',
  'incidents',
  'shift',
  'video',
  'geofences',
  'rules',
  'reports',
  'vehicles',
  'users',
  'settings',
  'setup',
] as const;
export type ScreenName = (typeof screenNames)[number];

/** In place of an id in the address: the panel of what is not there yet. */
export const NEW = 'new';

/** Where the operator is: `#/live?vehicle=ID`. Everything that can be shown has such an address. */
export interface Location {
  place: ScreenName;
  query: Readonly<Record<string, string>>;
}

export type Navigation = ReturnType<typeof createNavigation>;

/** @param only the one place that this window shows; what else is gone to is handed to `onElsewhere` */
export function createNavigation(window: Window, only: ScreenName | null = null) {
  const store = createStore<Location>(() => readHash(window.location.hash, only ?? 'live'));
  const elsewhere = new Set<(location: Location) => void>();
  const isElsewhere = ({ place }: Location) => only !== null && place !== only;
  const handOver = (location: Location) => elsewhere.forEach((show) => show(location));
  const show = (location: Location) => {
    if (writeHash(location) !== writeHash(store.getState())) store.setState(location, true);
  };
  return {
    store,
    /** Goes to a place at once, so that Back leads here again. */
    go(place: ScreenName, query: Record<string, string | null> = {}): void {
      const location = { place, query: without(query) };
      if (isElsewhere(location)) {
        handOver(location);
      } else {
        window.location.hash = writeHash(location);
        // The browser reports it only later: the next key would be taken for one on the screen before.
        show(location);
      }
    },
    /** Called with what this window does not show; returns its undo. */
    onElsewhere(show: (location: Location) => void): () => void {
      elsewhere.add(show);
      return () => elsewhere.delete(show);
    },
    /** Changes the address of the place that is shown; null takes a word out. */
    note(query: Record<string, string | null>): void {
      const { place, query: before } = store.getState();
      const next = { place, query: without({ ...before, ...query }) };
      if (writeHash(next) === writeHash({ place, query: before })) return;
      window.history.replaceState(null, '', writeHash(next));
      store.setState(next, true);
    },
    /** The whole address of a place, to be sent to a colleague. */
    linkTo: (place: ScreenName, query: Record<string, string>): string =>
      window.location.href.replace(/[?#].*$/, '') + writeHash({ place, query }),
    start(): () => void {
      const read = () => {
        const next = readHash(window.location.hash, only ?? 'live');
        if (!isElsewhere(next)) {
          show(next);
          return;
        }
        // A link was followed: the window keeps its address.
        window.history.replaceState(null, '', writeHash(store.getState()));
        handOver(next);
      };
      window.addEventListener('hashchange', read);
      return () => window.removeEventListener('hashchange', read);
    },
  };
}

/** @param otherwise where an address leads that names no place */
export function readHash(hash: string, otherwise: ScreenName = 'live'): Location {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const place = screenNames.find((known) => known === path) ?? otherwise;
  return { place, query: Object.fromEntries(new URLSearchParams(search)) };
}

export function writeHash({ place, query }: Location): string {
  const search = new URLSearchParams(query).toString();
  return search === '' ? `#/${place}` : `#/${place}?${search}`;
}

function without(query: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null),
  );
}

const RIGHT_OF: Partial<Record<ScreenName, RightName>> = {
  history: 'vehicles',
  events: 'notifications',
  incidents: 'notifications',
  shift: 'notifications',
  video: 'video',
  geofences: 'geofences',
  rules: 'notifications',
  reports: 'reports',
  vehicles: 'vehicles',
};

/** Whether a user may open a screen; what it then sees there, the server decides. */
export function canOpen(user: Pick<User, 'role' | 'rights'>, place: ScreenName): boolean {
  if (user.role === 'dealer') return true;
  if (place === 'users') return false;
  const right = RIGHT_OF[place];
  return right === undefined || meetsLevel(user.rights[right], 'read');
}

/** Whether a user may change what a right is about. */
export const mayWrite = ({ role, rights }: Pick<User, 'role' | 'rights'>, right: RightName): boolean =>
  role === 'dealer' || meetsLevel(rights[right], 'write');
