import type { TerminalCommand } from '../../server/contract/terminalCommands.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { isOver, isTrouble } from './commandFeed.ts';
import { newsText } from './commandLabels.ts';
import { openTerminalCommands, showsCommandsOf } from './openTerminalCommands.ts';

/** Shows the outcome of commands that this user gave and does not look at. Returns the stop function. */
export function startCommandToasts(app: AppContext): () => void {
  const notify = (command: TerminalCommand) => {
    const { vehicle_id } = command;
    const vehicle = app.vehicles.store.getState().byId.get(vehicle_id);
    app.toasts.setState({
      toast: {
        text: newsText(command, vehicle?.name ?? app.t('vehicle.gone'), app.t),
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
