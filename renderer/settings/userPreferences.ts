import type { StoreApi } from 'zustand/vanilla';
import {
  hintNames,
  keptPreferences,
  preferenceRoutes,
  type Preferences,
  type UserPreferences as Saved,
} from '../../server/contract/preferences.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { TextStorage } from '../platform/platform.ts';
import { createOwnDocument } from '../resources/ownDocument.ts';
import { createOwnFields } from '../resources/ownFields.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import type { FleetStream } from '../stream/fleetStream.ts';

export interface UserPreferencesDeps {
  api: Pick<Api, 'request'>;
  clock: Clock;
  storage: TextStorage;
  stream: Pick<FleetStream, 'on'>;
  userId: string;
  onNotSaved: () => void;
}

export interface UserPreferences {
  /** What is set; a field that is not there has its default. */
  store: StoreApi<Preferences>;
  /** Holds at once, and is saved for all workstations; `undefined` takes a field back to its default. */
  change: (part: Preferences) => void;
  /** Resolves when they are known: from the server, or as this computer had them last. */
  known: () => Promise<void>;
  start: () => () => void;
}

/** What this user has set for all workstations. Other windows and workstations follow by the stream. */
export function createUserPreferences(deps: UserPreferencesDeps): UserPreferences {
  const { api, clock, storage, stream, userId, onNotSaved } = deps;
  const key = `user_preferences.${userId}`;
  const cached = readCached(storage.read(key));
  const own = createOwnDocument<Saved>({
    clock,
    empty: cached ?? { version: 0, preferences: {} },
    read: (signal) => api.request(preferenceRoutes.get, signal === undefined ? {} : { signal }),
    write: (body, ifMatch) => api.request(preferenceRoutes.put, { body, ifMatch }),
  });
  const fields = createOwnFields<Saved, Preferences>({
    own,
    fieldsOf: ({ preferences }) => preferences,
    contentOf: (preferences) => ({ preferences }),
    clock,
    storage,
    key: `${key}.changed`,
    fields: keptPreferences.shape.preferences,
    onNotSaved,
  });
  const { store, change } = fields;
  const isKnown = ({ load }: { load: LoadState }) => cached !== null || load.phase !== 'loading';

  return {
    store,
    change,
    known: () =>
      new Promise((resolve) => {
        if (isKnown(own.store.getState())) {
          resolve();
          return;
        }
        const stopWaiting = own.store.subscribe((state) => {
          if (!isKnown(state)) return;
          stopWaiting();
          resolve();
        });
      }),
    start() {
      const undo = [
        own.start(),
        fields.start(),
        own.store.subscribe(({ saved }) => storage.write(key, JSON.stringify(saved))),
        // They are a part of the user that only the server and this user see: the user changes with them.
        stream.on('user', (message) => {
          if (message.user_id === userId) own.reload();
        }),
        stream.on('reset', () => own.reload()),
      ];
      return () => undo.forEach((run) => run());
    },
  };
}

/** Whether hints are left for this user: what they are comes when there are. */
export const areHintsLeft = ({ hints_seen: seen }: Preferences): boolean =>
  seen !== undefined && seen.length < hintNames.length;

function readCached(text: string | null): Saved | null {
  try {
    return keptPreferences.safeParse(JSON.parse(text ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}
