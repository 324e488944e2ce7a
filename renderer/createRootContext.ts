import { languageOfTags } from '../server/contract/languages.ts';
import type { User } from '../server/contract/users.ts';
import { createApi, type Api } from './api/client.ts';
import { createTransport } from './api/transport.ts';
import { createAuth, type Auth } from './auth/auth.ts';
import { createTokens } from './auth/tokens.ts';
import { systemClock, type Clock } from './clock/clock.ts';
import { browserFrames, framesAfterKeys } from './clock/frames.ts';
import { createAppContext } from './appContext/createAppContext.ts';
import type { AppContext } from './appContext/appContext.ts';
import { formats } from './format/formats.ts';
import { createSpeak, type Speak } from './i18n/speak.ts';
import { createI18n, createTranslate, type Translate } from './i18n/text.ts';
import { baseMapIndex } from 'virtual:base-map';
import { createNavigation, type Navigation } from './navigation/navigation.ts';
import type { Platform } from './platform/platform.ts';
import { createPreferences, type PreferenceStore } from './settings/preferences.ts';
import { startProgramToasts } from './settings/programToasts.ts';
import { createDirectSource } from './stream/streamSource.ts';
import { createSharedSource, openSharedWorker } from './stream/sharedSource.ts';
import { createPlaceNameFinder } from './telemetry/landNames.ts';
import { startCommandToasts } from './terminalCommands/startCommandToasts.ts';
import { createVideoContext } from './video/videoActions.ts';
import { startVideoToasts } from './video/videoToasts.ts';
import { createWindows, type Windows } from './windows/windows.ts';
import { placeOfWindow, readWindowName } from './windows/windowNames.ts';

/** What outlives a session. */
export interface RootContext {
  platform: Platform;
  clock: Clock;
  api: Api;
  auth: Auth;
  preferences: PreferenceStore;
  navigation: Navigation;
  windows: Windows;
  texts: ReturnType<typeof createI18n>;
  speak: Speak;
  t: Translate;
  /** Builds the session of a user who has logged in. */
  openAppContext(user: User): AppContext;
  /** Begins; returns its end. */
  start(): () => void;
}

export interface ConsoleDeps {
  platform: Platform;
}

/** The composition root of the console: everything is built here and passed in. */
export function createRootContext({ platform }: ConsoleDeps): RootContext {
  const clock = systemClock;
  const transport = createTransport({ fetch: window.fetch.bind(window), clock });
  const windowName = readWindowName(window.location.search);
  const tokens = createTokens({
    transport,
    clock,
    onEnd: (reason) => auth.ended(reason),
    unattended: windowName === 'wall',
  });
  const api = createApi({ transport, tokens });
  const auth = createAuth({
    api,
    transport,
    tokens,
    storage: platform.storage,
    clock,
    others: new BroadcastChannel('fleetdeck.login'),
  });
  const preferences = createPreferences(platform.storage);
  const navigation = createNavigation(window, windowName === null ? null : placeOfWindow(windowName));
  const windows = createWindows({
    name: windowName,
    channel: new BroadcastChannel('fleetdeck.windows'),
    sessionId: () => tokens.sessionId(),
    navigation,
    platform,
    clock,
    // Only secure pages have it, whatever the types say.
    locks: 'locks' in navigator ? navigator.locks : null,
  });
  const texts = createI18n();
  const t = createTranslate(texts);
  const speak = createSpeak(
    texts,
    () => preferences.getState().language ?? languageOfTags(window.navigator.languages),
    document.documentElement,
  );
  const placeNames = createPlaceNameFinder(baseMapIndex, async (url) => {
    const response = await fetch(url);
    const body: unknown = await response.json();
    return body;
  });

  const showTheme = () => {
    // A control room is dark.
    document.documentElement.dataset['theme'] = windowName === 'wall' ? 'dark' : preferences.getState().theme;
  };

  /** Until it is known who is logged in, the language of the browser is spoken: menus would switch to it and back. */
  const nameLanguage = () => {
    if (auth.store.getState().state.phase !== 'starting') platform.setLanguage(formats.getState().language);
  };

  const heavyFrames = framesAfterKeys(browserFrames, clock, window);

  return {
    platform,
    clock,
    api,
    auth,
    preferences,
    navigation,
    windows,
    texts,
    speak,
    t,
    openAppContext: (user) =>
      createAppContext({
        user,
        api,
        platform,
        navigation,
        windows,
        preferences,
        t,
        clock,
        frames: browserFrames,
        heavyFrames,
        streamSource: () =>
          createSharedSource({
            openPort: openSharedWorker,
            tokens,
            alone: createDirectSource({ api, clock }),
            clock,
          }),
        placeNames,
        video: createVideoContext,
        logout: () => void auth.logout(),
        news: (app) => {
          const undo = [startVideoToasts(app, t), startCommandToasts(app), startProgramToasts(app)];
          return () => undo.forEach((run) => run());
        },
      }),
    start() {
      showTheme();
      const undo = [
        preferences.subscribe(showTheme),
        formats.subscribe(nameLanguage),
        auth.store.subscribe(({ state }) => {
          // Of who is logged in, what they have chosen is spoken next.
          if (state.phase !== 'logged_in') nameLanguage();
        }),
        navigation.start(),
        windows.start(),
        auth.start(),
      ];
      return () => undo.forEach((run) => run());
    },
  };
}
