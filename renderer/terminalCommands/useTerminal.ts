import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { terminalCommandRoutes, type TerminalConnection } from '../../server/contract/terminalCommands.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { usePolling } from '../resources/useReread.ts';
import { createCommandFeed, type CommandFeed, type CommandFeedState } from './commandFeed.ts';

/** A terminal comes and goes without a message of the stream; so long its state may be an old one. */
const againMs = 5_000;

/** How the terminal of a vehicle can be reached, read again while it is shown; null while that is not known. */
export function useReach(vehicleId: string): TerminalConnection | null {
  const { api, stream } = useAppContext();
  const lost = useLostSince() !== null;
  const read = useCallback(
    (signal: AbortSignal) =>
      api.request(terminalCommandRoutes.reach, { params: { vehicle: vehicleId }, signal }),
    [api, vehicleId],
  );
  const { value, load, again } = usePolling(read, againMs);
  useEffect(
    () =>
      // What moves a command on is mostly that its terminal has come.
      stream.on('command', (message) => {
        if (!('deleted' in message) && message.vehicle_id === vehicleId) again();
      }),
    [stream, vehicleId, again],
  );
  return lost || load.phase === 'failed' ? null : value;
}

/** The commands of a vehicle’s terminal; a component of another vehicle has another `key`. */
export function useCommandFeed(vehicleId: string): { feed: CommandFeed } & CommandFeedState {
  const app = useAppContext();
  const [feed] = useState(() => createCommandFeed(app, vehicleId));
  useEffect(() => feed.start(), [feed]);
  return { feed, ...useStore(feed.store) };
}
