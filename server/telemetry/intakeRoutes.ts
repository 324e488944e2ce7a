import { terminalKey } from '../contract/fields.ts';
import { intakeRoutes, type ListenerName, type IntakeState, type Transport } from '../contract/intake.ts';
import type { Api } from '../http/api.ts';
import type { LastMessage, MessageLog } from './intake/messageLog.ts';
import { presentMessage } from './presentMessage.ts';

/** A listener whose messages can be listed. */
export interface WatchedListener {
  name: ListenerName;
  transports: readonly Transport[];
  messages: MessageLog;
}

export interface IntakeRouteDeps {
  state: () => IntakeState;
  listeners: () => readonly WatchedListener[];
}

export function addIntakeRoutes(api: Api, { state, listeners }: IntakeRouteDeps): void {
  api.handle(intakeRoutes.state, () => state());

  api.handle(intakeRoutes.messages, ({ query }) => {
    const { listener: target, terminal_id, limit } = query;
    const found = listeners()
      .filter(({ name }) => target === undefined || name === target)
      .flatMap((listener) =>
        messagesOf(listener.messages, terminal_id).map((message) => ({ listener, message })),
      );
    // Each listener counts separately.
    found.sort((a, b) => b.message.at_ms - a.message.at_ms || b.message.number - a.message.number);
    return {
      messages: found.slice(0, limit).map(({ listener, message }) => presentMessage(message, listener)),
    };
  });
}

/** Of a terminal also its last one, when others have spoken more often since. */
function messagesOf(messages: MessageLog, terminalId: string | undefined): LastMessage[] {
  if (terminalId === undefined) return messages.latest();
  const key = terminalKey(terminalId);
  const own = messages
    .latest()
    .filter((it) => it.terminal_id !== null && terminalKey(it.terminal_id) === key);
  const last = messages.ofTerminal(terminalId);
  return last === null || own.includes(last) ? own : [...own, last];
}
