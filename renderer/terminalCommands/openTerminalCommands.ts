import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { vehicleRights } from '../vehicles/manage/vehicleAdmin.ts';

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

/** Opens the commands of a vehicle's terminal, and the form for a new one. */
export function openTerminalCommands(app: AppContext, vehicleId: string): void {
  app.view.setState({ overlay: 'terminal_commands', dialogVehicleId: vehicleId });
}

export const terminalCommand: Command = {
  id: 'terminal_commands',
  label: 'terminal.command',
  group: 'selection',
  shortcut: 'C',
  when: (app) => vehicleToChange(app) !== null,
  run: (app) => {
    const vehicleId = vehicleToChange(app);
    if (vehicleId !== null) openTerminalCommands(app, vehicleId);
  },
};

/** Gets the code that says what became of a command. */
export const fetchCommandToast = () => import('./commandToast.ts');

/** Shows the outcome of commands that this user gave and does not look at. Returns the stop function. */
export function startCommandToasts(app: AppContext): () => void {
  let hasStopped = false;
  const stop = app.stream.on('command', (message) => {
    if ('deleted' in message || message.created_by !== app.user.user_id) return;
    fetchCommandToast().then(
      ({ showCommandToast }) => {
        if (!hasStopped) showCommandToast(app, message, () => openTerminalCommands(app, message.vehicle_id));
      },
      // The host has gone: the list of commands says what became of it.
      () => undefined,
    );
  });
  return () => {
    hasStopped = true;
    stop();
  };
}
