import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { vehicleRights } from '../vehicles/manage/vehicleAdmin.ts';
import type { TerminalCommand } from '../../server/contract/terminalCommands.ts';
import { isOver, isTrouble } from './commandFeed.ts';
import { formatNews } from './commandLabels.ts';

/** The vehicle whose terminal a command would go to: the selected one, where the user may send commands. */
export function vehicleToCommand(app: AppContext): string | null {
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
  app.view.setState({ overlay: 'terminal_commands', commandedId: vehicleId });
}

/** Whether the operator looks at the commands of this vehicle now. */
function showsCommandsOf(app: Pick<AppContext, 'view'>, vehicleId: string): boolean {
  const { overlay, commandedId } = app.view.getState();
  return overlay === 'terminal_commands' && commandedId === vehicleId;
}

export const terminalCommand: Command = {
  id: 'terminal_commands',
  label: 'terminal.command',
  group: 'selection',
  shortcut: 'C',
  when: (app) => vehicleToCommand(app) !== null,
  run: (app) => {
    const vehicleId = vehicleToCommand(app);
    if (vehicleId !== null) openTerminalCommands(app, vehicleId);
  },
};

/** Shows the outcome of commands that this user gave and does not look at. Returns the stop function. */
export function startCommandToasts(app: AppContext): () => void {
  const notify = (command: TerminalCommand) => {
    const { vehicle_id } = command;
    const vehicle = app.vehicles.store.getState().byId.get(vehicle_id);
    app.toasts.setState({
      toast: {
        text: formatNews(command, vehicle?.name ?? app.t('vehicle.gone'), app.t),
        isTrouble: isTrouble(command),
        action:
          vehicle === undefined
            ? null
            : { label: app.t('news.show'), run: () => openTerminalCommands(app, vehicle_id) },
      },
    });
  };
  return app.stream.on('command', (message) => {
    if ('deleted' in message || message.created_by !== app.user.user_id) return;
    // Whoever cancelled it knows.
    if (!isOver(message) || message.status === 'cancelled') return;
    if (!showsCommandsOf(app, message.vehicle_id)) notify(message);
  });
}
