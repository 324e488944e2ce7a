import type {
  CommandFault,
  CommandKind,
  TerminalCommand,
  TerminalReach,
} from '../../server/contract/terminalCommands.ts';
import type { DepotTime } from '../format/depotTime.ts';
import type { Say } from '../i18n/text.ts';
import { protocolName } from '../intake/protocolName.ts';
import { untilText } from '../notifications/shelfText.ts';
import { commandWait_s, type CommandWish } from './commandFeed.ts';

/** A longer text is cut where it is only named, in characters. */
const namedLength = 60;
/** Of an answer as much stands in the toast. */
const newsLength = 60;

const hours = commandWait_s / 3_600;

/** Whether a kind can be chosen: off line each can, for what will be taken shows when the terminal comes. */
export function takesKind(reach: TerminalReach | null, kind: CommandKind): boolean {
  return reach === null || reach.protocol === null || reach.kinds.includes(kind);
}

/** What the connection that is there does not take, in a sentence; null while it takes the kind. */
export function refusedKindText(reach: TerminalReach | null, kind: CommandKind, say: Say): string | null {
  const protocol = reach?.protocol ?? null;
  if (protocol === null || takesKind(reach, kind)) return null;
  return say(`terminal.takes_no.${kind}`, { protocol: protocolName(protocol, say) });
}

/** @param isHeard positions come from it, by whatever way */
export function reachText(reach: TerminalReach | null, isHeard: boolean, say: Say): string {
  if (reach === null) return say('terminal.reach.unknown');
  if (reach.protocol !== null)
    return say('terminal.reach.online', { protocol: protocolName(reach.protocol, say) });
  return say(isHeard ? 'terminal.reach.no_way' : 'terminal.reach.offline', { hours });
}

/** What pressing Send will do, to whom and when; or why there is nothing to be sent. */
export function sendText(
  { kind, text }: CommandWish,
  vehicle: string,
  reach: TerminalReach | null,
  say: Say,
): string {
  const refusal = refusedKindText(reach, kind, say);
  if (refusal !== null) return refusal;
  if (kind === 'text' && text === null) return say('terminal.send.nothing');
  const values = { vehicle, what: text === null ? '' : cut(text, namedLength), hours };
  const when = reach === null ? 'some_time' : reach.protocol === null ? 'when_it_comes' : 'now';
  return say(`terminal.send.${kind}.${when}`, values);
}

/** How far a command has come. */
export function statusText(
  command: TerminalCommand,
  { isOnline, say, time, now }: { isOnline: boolean; say: Say; time: DepotTime; now: number },
): string {
  const { status, sent_at, ended_at } = command;
  const moment = (at: string | null) => (at === null ? '' : time.moment(Date.parse(at), now));
  switch (status) {
    case 'queued':
      return isOnline
        ? say('terminal.status.queued_online')
        : say('terminal.status.queued', { time: untilText(Date.parse(command.expires_at), time, now) });
    case 'sent':
      return say('terminal.status.sent', { time: moment(sent_at) });
    case 'answered':
      return say('terminal.status.answered', { time: moment(ended_at) });
    case 'failed':
      return say(`terminal.status.${faultOf(command)}`);
    case 'cancelled':
      return say('terminal.status.cancelled', { time: moment(ended_at) });
    case 'expired':
      return say('terminal.status.expired');
  }
}

/** What else is known of a command that failed; null for any other. */
export function faultText(
  { status, error, sent_at }: TerminalCommand,
  { say, time, now }: { say: Say; time: DepotTime; now: number },
): string | null {
  if (status !== 'failed' || error === null) return null;
  const { code, detail } = error;
  if (code !== 'no_answer' || sent_at === null) return detail;
  return say('terminal.fault.no_answer', { time: time.moment(Date.parse(sent_at), now), detail });
}

/** What a command is called within a sentence. */
export function commandName({ kind, text }: CommandWish, say: Say): string {
  return kind === 'position' ? say('terminal.the_question') : `“${cut(text ?? '', namedLength)}”`;
}

/** What became of a command, for somebody who looks elsewhere. */
export function newsText(command: TerminalCommand, vehicle: string, say: Say): string {
  const values = { vehicle, what: commandName(command, say) };
  if (command.status === 'expired') return say('terminal.news.expired', values);
  if (command.status === 'failed') return say(`terminal.news.${faultOf(command)}`, values);
  const answer = cut(command.answer ?? '', newsLength);
  return answer === ''
    ? say('terminal.news.taken', values)
    : say('terminal.news.answered', { ...values, answer });
}

const faultOf = ({ error }: TerminalCommand): CommandFault => error?.code ?? 'no_answer';

/** In one line, and no longer than so many characters. */
function cut(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}
