import type { TerminalCommand } from '../../server/contract/terminalCommands.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { isOver, isTrouble } from './commandFeed.ts';
import { formatNews } from './commandLabels.ts';

/**
 * Says how a command ended, unless it was cancelled, which whoever did it knows, or is looked at now.
 *
 * @param open the commands of its vehicle
 */
export function showCommandToast(app: AppContext, command: TerminalCommand, open: () => void): void {
  if (!isOver(command) || command.status === 'cancelled') return;
  const { vehicle_id } = command;
  if (showsCommandsOf(app, vehicle_id)) return;
  const vehicle = app.vehicles.store.getState().byId.get(vehicle_id);
  app.toasts.setState({
    toast: {
      text: formatNews(command, vehicle?.name ?? app.t('vehicle.gone'), app.t),
      isTrouble: isTrouble(command),
      action: vehicle === undefined ? null : { label: app.t('news.show'), run: open },
    },
  });
}

/** Whether the operator looks at the commands of this vehicle now. */
function showsCommandsOf(app: Pick<AppContext, 'view'>, vehicleId: string): boolean {
  const { overlay, dialogVehicleId } = app.view.getState();
  return overlay === 'terminal_commands' && dialogVehicleId === vehicleId;
}
