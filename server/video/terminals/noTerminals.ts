import { TerminalError, type Terminal } from './terminal.ts';

/** Terminals that come by themselves, to a host that has no door for them. */
export const noTerminals: Terminal = {
  fetchFragment: () => Promise.reject(offline()),
  isOnline: () => Promise.resolve(false),
  recordings: () => Promise.reject(offline()),
};

function offline(): TerminalError {
  return new TerminalError('offline', 'This host has no port open for terminals of this kind.');
}
