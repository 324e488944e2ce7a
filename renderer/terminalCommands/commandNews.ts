import type { TerminalCommand } from '../../server/contract/terminalCommands.ts';
import type { Desk } from '../desk/desk.ts';
import { isOver, isTrouble } from './commandState.ts';
import { newsText } from './commandWords.ts';
import { openTerminalCommands, showsCommandsOf } from './openTerminalCommands.ts';

/** Tells what became of commands that this user gave and does not look at. Returns its end. */
export function startCommandNews(desk: Desk): () => void {
  const tell = (command: TerminalCommand) => {
    const { vehicle_id } = command;
    const vehicle = desk.vehicles.store.getState().byId.get(vehicle_id);
    desk.toasts.setState({
      toast: {
        text: newsText(command, vehicle?.name ?? desk.say('vehicle.gone'), desk.say),
        isTrouble: isTrouble(command),
        action:
          vehicle === undefined
            ? null
            : { label: desk.say('news.show'), run: () => openTerminalCommands(desk, vehicle_id) },
      },
    });
  };
  return desk.stream.on('command', (message) => {
    if ('deleted' in message || message.created_by !== desk.user.user_id) return;
    // Whoever cancelled it knows.
    if (!isOver(message) || message.status === 'cancelled') return;
    if (!showsCommandsOf(desk, message.vehicle_id)) tell(message);
  });
}
