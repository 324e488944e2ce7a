import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { vehicleRights } from './manage/vehicleAdmin.ts';

/** The selected vehicle where the user may change it, send commands to its terminal and share it. */
export function vehicleToChange(app: AppContext): string | null {
  if (!vehicleRights(app).mayWrite) return null;
  const { place, query } = app.navigation.store.getState();
  const selected =
    place === 'live'
      ? app.view.getState().vehicleId
      : place === 'vehicles' && query['tab'] !== 'groups'
        ? (query['id'] ?? null)
        : null;
  return selected !== null && app.vehicles.store.getState().byId.has(selected) ? selected : null;
}

type VehicleDialog = 'terminal_commands' | 'share_vehicle';

/** Opens the commands of a vehicle's terminal, or its links, and the form for a new one. */
export function openVehicleDialog(app: AppContext, overlay: VehicleDialog, vehicleId: string): void {
  app.view.setState({ overlay, dialogVehicleId: vehicleId });
}

const command = (id: VehicleDialog, label: Command['label'], shortcut: string): Command => ({
  ...{ id, label, group: 'selection', shortcut },
  when: (app) => vehicleToChange(app) !== null,
  run: (app) => {
    const vehicleId = vehicleToChange(app);
    if (vehicleId !== null) openVehicleDialog(app, id, vehicleId);
  },
});

export const terminalCommand = command('terminal_commands', 'terminal.command', 'C');
export const shareVehicle = command('share_vehicle', 'command.share_vehicle', 'Shift+S');
