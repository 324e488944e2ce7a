import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { useStore } from 'zustand';
import type { User } from '../server/contract/users.ts';
import { ConsoleProvider, useConsole } from './RootContext.tsx';
import type { AppContext } from './appContext/appContext.ts';
import type { RootContext } from './createRootContext.ts';
import { AppContextProvider } from './appContext/AppContextProvider.tsx';
import { AppShell } from './screens/AppShell.tsx';
import { laterPart } from './screens/laterPart.tsx';
import { LoginScreen } from './screens/LoginScreen.tsx';
import { Unplug } from 'lucide-react';
import { isProblem, requestIdOf } from './api/errors.ts';
import { ConnectionsButton } from './connections/ConnectionsButton.tsx';
import { hostOf } from './connections/remoteHost.ts';
import { formatAge } from './format/age.ts';
import { useT } from './i18n/useT.ts';
import { keyMapOf, KeyMapProvider } from './commands/keyHints.ts';
import { listenForShortcuts } from './commands/shortcuts.ts';
import { Button } from './ui/Button.tsx';
import { Notice } from './ui/Notice.tsx';
import { problemText } from './ui/formFaults.ts';

const wall = laterPart(async () => (await import('./screens/WallDisplay.tsx')).WallDisplay);
const paneWindow = laterPart(async () => (await import('./screens/PaneWindow.tsx')).PaneWindow);
const firstRun = laterPart(async () => (await import('./screens/SetupScreen.tsx')).FirstRunScreen);

export function App({ console }: { console: RootContext }) {
  return (
    <I18nextProvider i18n={console.texts}>
      <ConsoleProvider value={console}>
        <AuthGate />
      </ConsoleProvider>
    </I18nextProvider>
  );
}

/** Who may come in, and where to. */
function AuthGate() {
  const { auth } = useConsole();
  const state = useStore(auth.store, (it) => it.state);
  const speaks = useUsualLanguage(state.phase === 'logged_in');
  if (!speaks) return null;
  switch (state.phase) {
    case 'starting':
      return null;
    case 'unreachable':
      return <UnreachableScreen error={state.error} nextTryAt={state.nextTryAt} />;
    case 'setup':
      return <firstRun.Part />;
    case 'logged_out':
      return <LoginScreen reason={state.reason} />;
    case 'logged_in':
      return <Session key={state.user.user_id} user={state.user} />;
  }
}

function Session({ user }: { user: User }) {
  const console = useConsole();
  const app = useMemo(() => console.openAppContext(user), [console, user]);
  useEffect(() => app.start(), [app]);
  const speaks = useLanguageOf(app);
  useTimeWidths(app);
  const { name } = app.windows;
  const keyMap = useStore(app.userPreferences.store, () => keyMapOf(app));
  // Its first words are those of its language.
  if (!speaks) return null;
  return (
    <AppContextProvider value={app}>
      <KeyMapProvider value={keyMap}>
        {name === null ? <AppShell /> : name === 'wall' ? <wall.Part /> : <paneWindow.Part name={name} />}
      </KeyMapProvider>
    </AppContextProvider>
  );
}

/** Speaks as the user has chosen, and goes along with the choice; whether it does. */
function useLanguageOf({ userPreferences }: AppContext): boolean {
  const { speak } = useConsole();
  const [speaks, setSpeaks] = useState(false);
  useEffect(() => {
    let isOver = false;
    const follow = async () => {
      await userPreferences.known();
      await speak(userPreferences.store.getState());
      if (!isOver) setSpeaks(true);
    };
    void follow();
    const stop = userPreferences.store.subscribe((preferences) => void speak(preferences));
    return () => {
      isOver = true;
      stop();
    };
  }, [userPreferences, speak]);
  return speaks;
}

/**
 * Has columns of times be as wide as the longest of them in the language and clock of the user: `--moment-width`, with
 * the day, and `--clock-width`.
 */
function useTimeWidths({ settings }: AppContext) {
  const time = useStore(settings, (state) => state.time);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const { moments, clocks } = time.longest();
    const measure = () => {
      style.setProperty('--moment-width', `${widthOf(moments)}px`);
      style.setProperty('--clock-width', `${widthOf(clocks)}px`);
    };
    measure();
    // Until the fonts of a language are there, the page is written in others.
    document.fonts.addEventListener('loadingdone', measure);
    return () => document.fonts.removeEventListener('loadingdone', measure);
  }, [time]);
}

/** Of the longest of these texts on the page, pixels. */
function widthOf(texts: readonly string[]): number {
  const lines = document.body.appendChild(document.createElement('div'));
  Object.assign(lines.style, { position: 'absolute', visibility: 'hidden', whiteSpace: 'pre' });
  lines.textContent = texts.join('\n');
  const { width } = lines.getBoundingClientRect();
  lines.remove();
  return Math.ceil(width);
}

/** Speaks as the browser or this computer has it, where nobody is logged in; whether it does. */
function useUsualLanguage(isLoggedIn: boolean): boolean {
  const { speak, preferences } = useConsole();
  const language = useStore(preferences, (state) => state.language);
  const [speaks, setSpeaks] = useState(false);
  useEffect(() => {
    if (isLoggedIn) return;
    void speak({}).then(() => setSpeaks(true));
  }, [speak, isLoggedIn, language]);
  return speaks || isLoggedIn;
}

/** The server did not answer when the console was opened: tried again by itself. */
function UnreachableScreen({ error, nextTryAt }: { error: unknown; nextTryAt: number | null }) {
  const { auth, clock, platform, preferences } = useConsole();
  const t = useT();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => clock.after(1_000, () => setNow(clock.now())), [clock, now]);
  useEffect(
    () =>
      listenForShortcuts(
        window,
        [
          {
            id: 'retry',
            label: 'command.retry',
            group: 'console',
            shortcut: 'R',
            when: () => true,
            run: () => auth.retry(),
          },
        ],
        auth,
        () => preferences.getState().singleKeys,
      ),
    [auth, preferences],
  );
  const requestId = requestIdOf(error);
  const connection = platform.connection();
  return (
    <div className="login-page">
      <Notice
        icon={Unplug}
        title={
          isProblem(error, 'certificate_refused') ? t('unreachable.certificate') : t('unreachable.title')
        }
        actions={
          <>
            <Button kind="primary" keycap="R" onPress={() => auth.retry()} autoFocus>
              {t('ui.try_now')}
            </Button>
            {requestId !== null && (
              <Button onPress={() => void platform.copyText(requestId)}>{t('ui.copy_request_id')}</Button>
            )}
            <ConnectionsButton />
          </>
        }
      >
        {isProblem(error, 'certificate_refused')
          ? problemText(error.problem, t)
          : t('unreachable.why', {
              host: connection === null ? window.location.host : hostOf(connection.url),
            })}{' '}
        {nextTryAt !== null && t('failure.next_try', { age: formatAge(Math.max(0, nextTryAt - now)) })}
      </Notice>
    </div>
  );
}
