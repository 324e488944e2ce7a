import type { User } from '../../../server/contract/users.ts';
import type { AppContext } from '../../../renderer/appContext/appContext.ts';
import { createAppContext, type AppContextDeps } from '../../../renderer/appContext/createAppContext.ts';
import type { ConsoleMap } from '../../../renderer/map/consoleMap.ts';
import { createNavigation } from '../../../renderer/navigation/navigation.ts';
import type { Platform } from '../../../renderer/platform/platform.ts';
import { createPreferences } from '../../../renderer/settings/preferences.ts';
import { createWindows, type WindowsDeps } from '../../../renderer/windows/windows.ts';
import { createVideoContext } from '../../../renderer/video/videoActions.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createFakeFrames } from '../fakeFrames.ts';
import { createMemoryStorage } from '../memoryStorage.ts';

const WRITES = {
  vehicles: 'write',
  geofences: 'write',
  notifications: 'write',
  reports: 'read',
  video: 'write',
} as const;

/** A session as the console builds it, with a page, a server and a map that only note what is asked of them. */
export function openSession(
  user: Partial<User> = {},
  { name = null, channel = { postMessage: () => undefined, onmessage: null } }: Partial<WindowsDeps> = {},
): {
  app: AppContext;
  /** Stands for everything that an operator could notice: two equal texts mean that nothing has happened. */
  state: () => string;
  note: (what: string) => void;
} {
  const notes: string[] = [];
  const note = (what: string) => void notes.push(what);
  const storage = createMemoryStorage();
  const navigation = createNavigation(createPage());
  navigation.start();
  const app = createAppContext({
    user: { user_id: 'u1', login: 'k.weiss', name: null, role: 'dealer', rights: WRITES, ...user } as User,
    api: notingProxy('api', note) as AppContextDeps['api'],
    platform: Object.assign(notingProxy('platform', note), { storage, secureContext: false }),
    navigation,
    windows: createWindows({
      name,
      channel,
      sessionId: () => 's1',
      navigation,
      platform: Object.assign(notingProxy('platform', note), { storage }) as unknown as Platform,
      clock: createFakeClock(),
      locks: null,
    }),
    preferences: createPreferences(storage),
    t: (key: string) => key,
    clock: createFakeClock(),
    frames: createFakeFrames(),
    heavyFrames: createFakeFrames(),
    streamSource: () => ({ start: () => () => undefined, tryNow: () => note('stream.tryNow') }),
    placeNames: { onChange: () => () => undefined },
    video: createVideoContext,
    news: () => () => undefined,
    logout: () => note('logout'),
  } as unknown as AppContextDeps);
  app.stream.start();
  Object.assign(app.video, {
    orderVideo() {
      note('video.orderVideo');
      return Promise.resolve();
    },
  });
  const parts = Object.fromEntries(
    ['vehicles', 'geofences', 'drawing', 'dots', 'point'].map((part) => [part, notingProxy(part, note)]),
  );
  const view = () => ({ lat: 52.5, lon: 13.4, zoom: 12 });
  Object.assign(parts, { camera: Object.assign(notingProxy('camera', note), { view }) });
  app.map.attach(Object.assign(notingProxy('map', note), parts) as unknown as ConsoleMap);
  const stores = [
    app.history.player.store,
    app.history.store,
    app.view,
    app.queueView,
    app.eventsView,
    navigation.store,
    app.windows.store,
    app.preferences,
    app.acks.store,
    app.incidents.store,
    app.incidentWork.outbox,
    app.incidentWork.drafts,
    app.toasts,
  ];
  return {
    app,
    note,
    state: () => JSON.stringify([...stores.map((store) => store.getState()), notes], writeSets),
  };
}

/** Every method notes its name and answers with what never comes. */
function notingProxy(name: string, note: (what: string) => void): object {
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (own, method: string) =>
        method in own
          ? own[method]
          : () => {
              note(`${name}.${method}`);
              return new Promise(() => undefined);
            },
    },
  );
}

/** The address of a page, which reports its changes as a browser does. */
function createPage(): Window {
  const listeners = new Set<() => void>();
  let hash = '';
  const page = {
    location: {
      href: 'http://depot/',
      get hash() {
        return hash;
      },
      set hash(next: string) {
        hash = next;
        for (const run of listeners) run();
      },
    },
    history: { replaceState: (_: unknown, __: string, next: string) => (hash = next) },
    addEventListener: (_: string, run: () => void) => listeners.add(run),
    removeEventListener: (_: string, run: () => void) => listeners.delete(run),
  };
  return page as unknown as Window;
}

const writeSets = (_: string, value: unknown): unknown =>
  value instanceof Set || value instanceof Map ? [...(value as Iterable<unknown>)] : value;
