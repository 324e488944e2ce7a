import { TerminalError, type Terminal } from './terminal.ts';

/** Terminals that connect to a server that has no listener for them. */
export const noTerminals: Terminal = {
  fetchFragment: () => Promise.reject(offline()),
  isOnline: () => false,
  recordings: () => Promise.reject(offline()),
};

function offline(): TerminalError {
  return new TerminalError('offline', 'This host has no port open for terminals of this kind.');
}
