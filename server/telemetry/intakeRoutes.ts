import { terminalKey } from '../contract/fields.ts';
import { intakeRoutes, type DoorName, type IntakeState, type Transport } from '../contract/intake.ts';
import type { Api } from '../http/api.ts';
import type { LastMessage, LastMessages } from './gateway/lastMessages.ts';
import { presentMessage } from './presentMessage.ts';

/** A door whose messages can be looked at. */
export interface WatchedDoor {
  name: DoorName;
  transports: readonly Transport[];
  messages: LastMessages;
}

export interface IntakeRouteParts {
  state: () => IntakeState;
  doors: () => readonly WatchedDoor[];
}

export function addIntakeRoutes(api: Api, { state, doors }: IntakeRouteParts): void {
  api.handle(intakeRoutes.state, () => state());

  api.handle(intakeRoutes.messages, ({ query }) => {
    const { door: wanted, terminal_id, limit } = query;
    const found = doors()
      .filter(({ name }) => wanted === undefined || name === wanted)
      .flatMap((door) => messagesOf(door.messages, terminal_id).map((message) => ({ door, message })));
    // Each door counts for itself.
    found.sort((a, b) => b.message.at_ms - a.message.at_ms || b.message.number - a.message.number);
    return { messages: found.slice(0, limit).map(({ door, message }) => presentMessage(message, door)) };
  });
}

/** Of a terminal also its last one, when others have spoken more often since. */
function messagesOf(messages: LastMessages, terminalId: string | undefined): LastMessage[] {
  if (terminalId === undefined) return messages.ofDoor();
  const key = terminalKey(terminalId);
  const own = messages
    .ofDoor()
    .filter((it) => it.terminal_id !== null && terminalKey(it.terminal_id) === key);
  const last = messages.ofTerminal(terminalId);
  return last === null || own.includes(last) ? own : [...own, last];
}
