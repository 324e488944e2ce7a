import { createContext, useContext } from 'react';
import type { AppContext } from './appContext.ts';

const Context = createContext<AppContext | null>(null);

export const AppContextProvider = Context.Provider;

/** The session of the operator; only inside the console behind the login. */
export function useAppContext(): AppContext {
  const app = useContext(Context);
  if (app === null) throw new Error('useAppContext stands outside of a session');
  return app;
}
