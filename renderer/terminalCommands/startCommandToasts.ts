import type { AppContext } from '../appContext/appContext.ts';
import { openVehicleDialog } from '../vehicles/vehicleDialogs.ts';

/** Gets the code that says what became of a command. */
export const fetchCommandToast = () => import('./commandToast.ts');

/** Shows the outcome of commands that this user gave and does not look at. Returns the stop function. */
export function startCommandToasts(app: AppContext): () => void {
  let hasStopped = false;
  const stop = app.stream.on('command', (message) => {
    if ('deleted' in message || message.created_by !== app.user.user_id) return;
    fetchCommandToast().then(
      ({ showCommandToast }) => {
        if (!hasStopped)
          showCommandToast(app, message, () =>
            openVehicleDialog(app, 'terminal_commands', message.vehicle_id),
          );
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
