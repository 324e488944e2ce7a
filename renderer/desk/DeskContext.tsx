import { createContext, useContext } from 'react';
import type { Desk } from './desk.ts';

const Context = createContext<Desk | null>(null);

export const DeskProvider = Context.Provider;

/** The session of the operator; only inside the console behind the login. */
export function useDesk(): Desk {
  const desk = useContext(Context);
  if (desk === null) throw new Error('useDesk stands outside of a session');
  return desk;
}
