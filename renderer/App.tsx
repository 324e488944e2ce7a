import { useEffect, useMemo } from 'react';
import { I18nextProvider } from 'react-i18next';
import { useStore } from 'zustand';
import type { User } from '../server/contract/users.ts';
import { ConsoleProvider, useConsole } from './RootContext.tsx';
import type { RootContext } from './createRootContext.ts';
import { AppContextProvider } from './appContext/AppContextProvider.tsx';
import { AppShell } from './screens/AppShell.tsx';
import { LoginScreen } from './screens/LoginScreen.tsx';
import { FirstRunScreen } from './screens/SetupScreen.tsx';
import { UnreachableScreen } from './screens/UnreachableScreen.tsx';

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
  switch (state.phase) {
    case 'starting':
      return null;
    case 'unreachable':
      return <UnreachableScreen error={state.error} nextTryAt={state.nextTryAt} />;
    case 'setup':
      return <FirstRunScreen />;
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
  return (
    <AppContextProvider value={app}>
      <AppShell />
    </AppContextProvider>
  );
}
