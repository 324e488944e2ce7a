import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { vehicleToChange } from '../terminalCommands/openTerminalCommands.ts';

/** Opens the links of a vehicle, and the form for a new one. */
export function openShares(app: AppContext, vehicleId: string): void {
  app.view.setState({ overlay: 'share_vehicle', dialogVehicleId: vehicleId });
}

export const shareVehicle: Command = {
  id: 'share_vehicle',
  label: 'command.share_vehicle',
  group: 'selection',
  shortcut: 'Shift+S',
  when: (app) => vehicleToChange(app) !== null,
  run: (app) => {
    const vehicleId = vehicleToChange(app);
    if (vehicleId !== null) openShares(app, vehicleId);
  },
};
