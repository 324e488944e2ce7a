import { createContext, useContext } from 'react';
import type { Console } from './createConsole.ts';

const Context = createContext<Console | null>(null);

export const ConsoleProvider = Context.Provider;

/** What outlives a session: host, login, preferences. */
export function useConsole(): Console {
  const console = useContext(Context);
  if (console === null) throw new Error('useConsole stands outside of the console');
  return console;
}
