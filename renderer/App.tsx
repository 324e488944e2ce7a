import { useEffect, useMemo } from 'react';
import { I18nextProvider } from 'react-i18next';
import { useStore } from 'zustand';
import type { User } from '../server/contract/users.ts';
import { ConsoleProvider, useConsole } from './ConsoleContext.tsx';
import type { Console } from './createConsole.ts';
import { DeskProvider } from './desk/DeskContext.tsx';
import { AppShell } from './screens/AppShell.tsx';
import { LoginScreen } from './screens/LoginScreen.tsx';
import { FirstRunScreen } from './screens/SetupScreen.tsx';
import { UnreachableScreen } from './screens/UnreachableScreen.tsx';

export function App({ console }: { console: Console }) {
  return (
    <I18nextProvider i18n={console.texts}>
      <ConsoleProvider value={console}>
        <Door />
      </ConsoleProvider>
    </I18nextProvider>
  );
}

/** Who may come in, and where to. */
function Door() {
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
  const desk = useMemo(() => console.openDesk(user), [console, user]);
  useEffect(() => desk.start(), [desk]);
  return (
    <DeskProvider value={desk}>
      <AppShell />
    </DeskProvider>
  );
}
