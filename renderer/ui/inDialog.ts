import { createContext } from 'react';

/** Whether something is shown in a dialog, where the keys of the console are off. */
export const InDialog = createContext(false);
