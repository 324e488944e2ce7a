import { useCallback, useEffect, useState } from 'react';
import { Plug, Unplug } from 'lucide-react';
import { useStore } from 'zustand';
import {
  type TerminalCommand,
  terminalCommandRoutes,
  type TerminalConnection,
} from '../../server/contract/terminalCommands.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useT } from '../i18n/useT.ts';
import { Modal } from '../ui/Modal.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { CommandForm } from './CommandForm.tsx';
import { CommandList } from './CommandList.tsx';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { Icon } from '../ui/Icon.tsx';
import { formatReach } from './commandLabels.ts';
import { useLostSince } from '../appContext/useMoment.ts';
import { usePolling } from '../resources/useReread.ts';
import { type CommandFeed, type CommandFeedState, createCommandFeed } from './commandFeed.ts';
import './terminalCommands.css';

/** Sends a command to the terminal of a vehicle, and shows the outcome of earlier ones. */
export function TerminalCommandsDialog({ vehicle, onClose }: { vehicle: Vehicle; onClose: () => void }) {
  const t = useT();
  const reach = useReach(vehicle.vehicle_id);
  const { feed, commands, load, older } = useCommandFeed(vehicle.vehicle_id);
  /** The command that the form begins with; counted, as the same one may be requested twice. */
  const [refilled, setRefilled] = useState<{ command: TerminalCommand | null; times: number }>({
    command: null,
    times: 0,
  });
  return (
    <Modal title={t('terminal.title', { vehicle: vehicle.name })} onClose={onClose} width={640}>
      <StaleBanner>{t('terminal.stale')}</StaleBanner>
      <TerminalHead vehicle={vehicle} reach={reach} />
      <CommandForm
        key={refilled.times}
        vehicle={vehicle}
        reach={reach}
        commands={commands}
        begin={refilled.command}
        onSend={(filter) => feed.send(filter)}
      />
      <CommandList
        feed={feed}
        commands={commands}
        load={load}
        older={older}
        isOnline={reach !== null && reach.protocol !== null}
        onAgain={(command) => setRefilled(({ times }) => ({ command, times: times + 1 }))}
      />
    </Modal>
  );
}

/** Which terminal it is, and whether it takes commands now. */
function TerminalHead({ vehicle, reach }: { vehicle: Vehicle; reach: TerminalConnection | null }) {
  const { statuses } = useAppContext();
  const t = useT();
  const isHeard = useStore(statuses, ({ byVehicle }) => {
    const status = byVehicle.get(vehicle.vehicle_id) ?? 'never';
    return status !== 'never' && status !== 'offline';
  });
  return (
    <div className="terminal-head">
      <Icon of={reach !== null && reach.protocol !== null ? Plug : Unplug} />
      <span className="fill strong" role="status">
        {formatReach(reach, isHeard, t)}
      </span>
      <span className="quiet">{t('terminal.of', { terminal: vehicle.terminal_id })}</span>
    </div>
  );
}

/** A terminal comes and goes without a message of the stream; so long its state may be an old one. */
const againMs = 5_000;

/** How the terminal of a vehicle can be reached, read again while it is shown; null while that is not known. */
function useReach(vehicleId: string): TerminalConnection | null {
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
function useCommandFeed(vehicleId: string): { feed: CommandFeed } & CommandFeedState {
  const app = useAppContext();
  const [feed] = useState(() => createCommandFeed(app, vehicleId));
  useEffect(() => feed.start(), [feed]);
  return { feed, ...useStore(feed.store) };
}
