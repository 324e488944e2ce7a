import { createContext, useContext } from 'react';
import type { RootContext } from './createRootContext.ts';

const Context = createContext<RootContext | null>(null);

export const ConsoleProvider = Context.Provider;

/** What outlives a session: host, login, preferences. */
export function useConsole(): RootContext {
  const console = useContext(Context);
  if (console === null) throw new Error('useConsole stands outside of the console');
  return console;
}
