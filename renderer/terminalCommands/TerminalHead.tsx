import { Plug, Unplug } from 'lucide-react';
import { useStore } from 'zustand';
import type { TerminalReach } from '../../server/contract/terminalCommands.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Icon } from '../ui/Icon.tsx';
import { reachText } from './commandWords.ts';

/** Which terminal it is, and whether it takes commands now. */
export function TerminalHead({ vehicle, reach }: { vehicle: Vehicle; reach: TerminalReach | null }) {
  const { statuses } = useDesk();
  const say = useText();
  const isHeard = useStore(statuses, ({ byVehicle }) => {
    const status = byVehicle.get(vehicle.vehicle_id) ?? 'never';
    return status !== 'never' && status !== 'offline';
  });
  return (
    <div className="terminal-head">
      <Icon of={reach !== null && reach.protocol !== null ? Plug : Unplug} />
      <span className="fill strong" role="status">
        {reachText(reach, isHeard, say)}
      </span>
      <span className="quiet">{say('terminal.of', { terminal: vehicle.terminal_id })}</span>
    </div>
  );
}
