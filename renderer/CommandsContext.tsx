import { createContext, useContext } from 'react';
import type { Command } from './commands.ts';

const Context = createContext<readonly Command[]>([]);

export const CommandsProvider = Context.Provider;

/** Every command of the operator, for menus, the palette and the list of keys. */
export const useCommands = (): readonly Command[] => useContext(Context);
