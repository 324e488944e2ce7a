import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import type { Clock } from '../clock/clock.ts';
import { screenNames, writeHash, type Location, type Navigation } from '../navigation/navigation.ts';
import type { Platform } from '../platform/platform.ts';
import { createLeadership, type Locks } from './leadership.ts';
import { isPane, placeOfWindow, windowOfPlace, type WindowName } from './windowNames.ts';

const id = z.string().max(64);
const location = z.object({
  place: z.enum(screenNames),
  query: z.record(z.string().max(64), z.string().max(2_000)),
});
/** More are not posted: the windows would take long over it. */
const maxPosted = 20_000;
const selection = {
  vehicleId: id.nullable(),
  notificationId: id.nullable(),
  /** Left out by earlier versions of the console. */
  selectedIds: z.array(id).max(maxPosted).default([]),
};

/** What the windows of one login say to each other. Pages of another version of the console may be among them. */
const windowMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('selected'), ...selection }),
  /** To the maps: something was to be done where no map is. */
  z.object({
    kind: z.literal('on_map'),
    act: z.enum(['locate', 'follow']),
    ...selection,
    ask: id.optional(),
  }),
  /** From a map that does it. */
  z.object({ kind: z.literal('on_map_here'), ask: id }),
  z.object({ kind: z.literal('who_shows'), ask: id, place: z.enum(screenNames) }),
  z.object({ kind: z.literal('i_show'), ask: id, window: id, rank: z.number() }),
  z.object({ kind: z.literal('show'), window: id, location }),
]);
export type WindowMessage = z.infer<typeof windowMessage>;
const envelope = z.object({ session: z.string(), message: windowMessage });

/** Windows answer at once. */
const ANSWER_WITHIN_MS = 250;
/** One that is busy takes this much longer: nobody wants a second console because the first one was drawing. */
const BUSY_MS = 1_750;

/** The sizes in which windows are opened at first, in pixels. */
const SIZES: Partial<Record<WindowName, readonly [width: number, height: number]>> = {
  queue: [1280, 420],
  list: [440, 820],
  vehicle: [420, 820],
};
const SCREEN_SIZE = [1366, 768] as const;

/** The part of a `BroadcastChannel` that is used here. */
export interface WindowChannel {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

export interface WindowsDeps {
  name: WindowName | null;
  channel: WindowChannel;
  /** Whose windows these are; null while nobody is logged in. */
  sessionId: () => string | null;
  navigation: Pick<Navigation, 'go' | 'onElsewhere'>;
  platform: Pick<Platform, 'openWindow' | 'comeForward' | 'storage'>;
  clock: Pick<Clock, 'after'>;
  locks: Locks | null;
}

export type Windows = ReturnType<typeof createWindows>;

/** This window among the others of the same login. */
export function createWindows(deps: WindowsDeps) {
  const { name, channel, navigation, platform, clock } = deps;
  const self = Math.random().toString(36).slice(2);
  const listeners = new Set<(message: WindowMessage) => void>();
  const asked = new Map<string, (answer: { rank: number; window: string }) => void>();
  const doneOnMap = new Set<string>();
  const followKey = `window.${name ?? 'main'}.follows`;
  const store = createStore(() => ({ followsSelection: platform.storage.read(followKey) !== 'no' }));
  const lead = (part: string) =>
    createLeadership(() => `fleetdeck.${part}.${deps.sessionId() ?? ''}`, deps.locks);
  let asks = 0;

  const post = (message: WindowMessage) => {
    const session = deps.sessionId();
    if (session !== null) channel.postMessage({ session, message });
  };

  function take(message: WindowMessage): void {
    switch (message.kind) {
      case 'who_shows': {
        const rank = rankFor(name, message.place);
        if (rank !== null) post({ kind: 'i_show', ask: message.ask, window: self, rank });
        break;
      }
      case 'i_show':
        asked.get(message.ask)?.(message);
        break;
      case 'on_map_here':
        doneOnMap.add(message.ask);
        break;
      case 'show':
        if (message.window !== self) break;
        navigation.go(message.location.place, message.location.query);
        platform.comeForward();
        break;
      default:
        listeners.forEach((listen) => listen(message));
    }
  }

  function open(what: WindowName, query: Location['query'] = {}): void {
    const [width, height] = SIZES[what] ?? SCREEN_SIZE;
    // The shell of the desktop keeps the displays on by it.
    const awake = what === 'wall' ? '&awake=1' : '';
    const address = `/?window=${what}${awake}${writeHash({ place: placeOfWindow(what), query })}`;
    platform.openWindow({ address, name: `fleetdeck.${what}`, width, height });
  }

  const nextAsk = () => `${self}.${(asks += 1)}`;

  /** Shows a location in the window that is there for it, else in the whole console. */
  function show(wanted: Location): void {
    const ask = nextAsk();
    const answers: { rank: number; window: string }[] = [];
    let isLate = false;
    let stopTimer = (): void => undefined;
    const settle = () => {
      stopTimer();
      asked.delete(ask);
      const [best] = answers.sort((a, b) => a.rank - b.rank);
      if (best !== undefined) post({ kind: 'show', window: best.window, location: wanted });
      else {
        const [width, height] = SCREEN_SIZE;
        platform.openWindow({ address: `/${writeHash(wanted)}`, name: 'fleetdeck.main', width, height });
      }
    };
    asked.set(ask, (answer) => {
      answers.push(answer);
      if (isLate) settle();
    });
    post({ kind: 'who_shows', ask, place: wanted.place });
    stopTimer = clock.after(ANSWER_WITHIN_MS, () => {
      if (answers.length > 0) {
        settle();
        return;
      }
      isLate = true;
      stopTimer = clock.after(BUSY_MS, settle);
    });
  }

  /** Has the maps of other windows act on what is selected; shows it on Live where none does. */
  function actOnMap(asks: Omit<WindowMessage & { kind: 'on_map' }, 'kind' | 'ask'>): void {
    const ask = nextAsk();
    post({ kind: 'on_map', ...asks, ask });
    clock.after(ANSWER_WITHIN_MS, () => {
      if (doneOnMap.delete(ask)) return;
      const { vehicleId, notificationId } = asks;
      show({
        place: 'live',
        query: {
          ...(vehicleId !== null && { vehicle: vehicleId }),
          ...(notificationId !== null && { notification: notificationId }),
        },
      });
    });
  }

  return {
    /** What this window shows alone; null for the whole console. */
    name,
    /** Whether what is selected in another window is selected here too. */
    store,
    followSelection(follows: boolean): void {
      platform.storage.write(followKey, follows ? null : 'no');
      store.setState({ followsSelection: follows });
    },
    /** Opens a window of its own for a pane or a screen, or brings the one that is open to the front. */
    open,
    post,
    actOnMap,
    /** What one window does for all: notices of the system and the badge; sounds, of those that may play any. */
    leads: { notices: lead('notices'), sound: lead('sound') },
    /** What other windows of this login post. Returns its undo. */
    on(listen: (message: WindowMessage) => void): () => void {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    start(): () => void {
      channel.onmessage = ({ data }) => {
        const given = envelope.safeParse(data);
        if (given.success && given.data.session === deps.sessionId()) take(given.data.message);
      };
      const stop = navigation.onElsewhere(show);
      return () => {
        stop();
        channel.onmessage = null;
      };
    },
  };
}

/** How well a window shows a place, 0 first; null for not at all. */
function rankFor(name: WindowName | null, place: Location['place']): number | null {
  if (name === null) return 1;
  if (isPane(name) || name === 'wall') return null;
  return windowOfPlace({ place }) === name ? 0 : null;
}
