import { Plug, Unplug } from 'lucide-react';
import { useStore } from 'zustand';
import type { TerminalConnection } from '../../server/contract/terminalCommands.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Icon } from '../ui/Icon.tsx';
import { reachText } from './commandLabels.ts';

/** Which terminal it is, and whether it takes commands now. */
export function TerminalHead({ vehicle, reach }: { vehicle: Vehicle; reach: TerminalConnection | null }) {
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
        {reachText(reach, isHeard, t)}
      </span>
      <span className="quiet">{t('terminal.of', { terminal: vehicle.terminal_id })}</span>
    </div>
  );
}
