import type {
  CommandFault,
  CommandKind,
  TerminalCommand,
  TerminalConnection,
} from '../../server/contract/terminalCommands.ts';
import type { DepotTime } from '../format/depotTime.ts';
import type { Translate } from '../i18n/text.ts';
import { protocolName } from '../intake/protocolName.ts';
import { formatUntil } from '../notifications/snoozes.ts';
import { commandWaitS, type CommandFilter } from './commandFeed.ts';

/** A longer text is cut where it is only named, in characters. */
const namedLength = 60;
/** Of an answer as much stands in the toast. */
const newsLength = 60;

const hours = commandWaitS / 3_600;

/** Whether a kind can be chosen: off line each can, for what will be taken shows when the terminal comes. */
export function takesKind(reach: TerminalConnection | null, kind: CommandKind): boolean {
  return reach === null || reach.protocol === null || reach.kinds.includes(kind);
}

/** What the connection that is there does not take, in a sentence; null while it takes the kind. */
export function formatRefusedKind(
  reach: TerminalConnection | null,
  kind: CommandKind,
  t: Translate,
): string | null {
  const protocol = reach?.protocol ?? null;
  if (protocol === null || takesKind(reach, kind)) return null;
  return t(`terminal.takes_no.${kind}`, { protocol: protocolName(protocol, t) });
}

/** @param isHeard positions come from it, by whatever way */
export function formatReach(reach: TerminalConnection | null, isHeard: boolean, t: Translate): string {
  if (reach === null) return t('terminal.reach.unknown');
  if (reach.protocol !== null)
    return t('terminal.reach.online', { protocol: protocolName(reach.protocol, t) });
  return t(isHeard ? 'terminal.reach.no_way' : 'terminal.reach.offline', { hours });
}

/** What pressing Send will do, to whom and when; or why there is nothing to be sent. */
export function formatSend(
  { kind, text }: CommandFilter,
  vehicle: string,
  reach: TerminalConnection | null,
  t: Translate,
): string {
  const refusal = formatRefusedKind(reach, kind, t);
  if (refusal !== null) return refusal;
  if (kind === 'text' && text === null) return t('terminal.send.nothing');
  const values = { vehicle, what: text === null ? '' : cut(text, namedLength), hours };
  const when = reach === null ? 'some_time' : reach.protocol === null ? 'when_it_comes' : 'now';
  return t(`terminal.send.${kind}.${when}`, values);
}

/** How far a command has come. */
export function formatStatus(
  command: TerminalCommand,
  { isOnline, t, time, now }: { isOnline: boolean; t: Translate; time: DepotTime; now: number },
): string {
  const { status, sent_at, ended_at } = command;
  const moment = (at: string | null) => (at === null ? '' : time.moment(Date.parse(at), now));
  switch (status) {
    case 'queued':
      return isOnline
        ? t('terminal.status.queued_online')
        : t('terminal.status.queued', { time: formatUntil(Date.parse(command.expires_at), time, now) });
    case 'sent':
      return t('terminal.status.sent', { time: moment(sent_at) });
    case 'responded':
      return t('terminal.status.responded', { time: moment(ended_at) });
    case 'failed':
      return t(`terminal.status.${faultOf(command)}`);
    case 'cancelled':
      return t('terminal.status.cancelled', { time: moment(ended_at) });
    case 'expired':
      return t('terminal.status.expired');
  }
}

/** What else is known of a command that failed; null for any other. */
export function faultText(
  { status, error, sent_at }: TerminalCommand,
  { t, time, now }: { t: Translate; time: DepotTime; now: number },
): string | null {
  if (status !== 'failed' || error === null) return null;
  const { code, detail } = error;
  if (code !== 'no_response' || sent_at === null) return detail;
  return t('terminal.fault.no_response', { time: time.moment(Date.parse(sent_at), now), detail });
}

/** What a command is called within a sentence. */
export function commandName({ kind, text }: CommandFilter, t: Translate): string {
  return kind === 'position' ? t('terminal.the_question') : `“${cut(text ?? '', namedLength)}”`;
}

/** What became of a command, for somebody who looks elsewhere. */
export function formatNews(command: TerminalCommand, vehicle: string, t: Translate): string {
  const values = { vehicle, what: commandName(command, t) };
  if (command.status === 'expired') return t('terminal.news.expired', values);
  if (command.status === 'failed') return t(`terminal.news.${faultOf(command)}`, values);
  const response = cut(command.response ?? '', newsLength);
  return response === ''
    ? t('terminal.news.taken', values)
    : t('terminal.news.responded', { ...values, response });
}

const faultOf = ({ error }: TerminalCommand): CommandFault => error?.code ?? 'no_response';

/** In one line, and no longer than so many characters. */
function cut(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}
