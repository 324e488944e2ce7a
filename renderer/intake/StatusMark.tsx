import { terminalKey } from '../../server/contract/sameKeys.ts';
import {
  Check,
  CheckCheck,
  CircleDashed,
  Ellipsis,
  FileQuestionMark,
  Minus,
  Unplug,
  X,
  type LucideIcon,
} from 'lucide-react';
import { terminalId } from '../../server/contract/fields.ts';
import type { IntakeMessage } from '../../server/contract/intake.ts';
import { Icon } from '../ui/Icon.tsx';

const shapes: Readonly<Record<MessageStatus, LucideIcon>> = {
  failed: Unplug,
  unknown: CircleDashed,
  undecodable: FileQuestionMark,
  rejected: X,
  through: Check,
  repeated: CheckCheck,
  pending: Ellipsis,
  said: Minus,
};

/** What became of a message, as a shape beside its words: colour is kept for vehicles and alarms. */
export function StatusMark({ verdict }: { verdict: MessageStatus }) {
  return <Icon of={shapes[verdict]} />;
}

/**
 * What became of a message, the gravest first where it bore several reports. `unknown`: no vehicle had the terminal;
 * `unreadable`: it, or a part of it, could not be read; `pending`: not known yet; `said`: there was nothing in it to
 * store, as in a login or a sign of life.
 */
export type MessageStatus =
  'failed' | 'unknown' | 'undecodable' | 'rejected' | 'through' | 'repeated' | 'pending' | 'said';

/** @param isKnown whether a vehicle has a terminal */
export function messageStatus(
  {
    outcomes,
    undecodable,
    terminal_id,
    report_count: decoded,
  }: Pick<IntakeMessage, 'outcomes' | 'undecodable' | 'terminal_id' | 'report_count'>,
  isKnown: (terminalId: string) => boolean,
): MessageStatus {
  if (outcomes.failed !== undefined) return 'failed';
  if (outcomes.unknown !== undefined) return 'unknown';
  if (undecodable) return 'undecodable';
  if (outcomes.rejected !== undefined) return 'rejected';
  if (outcomes.stored !== undefined || outcomes.merged !== undefined) return 'through';
  if (outcomes.duplicate !== undefined) return 'repeated';
  if (decoded > 0) return 'pending';
  // A terminal that is turned away at its login says nothing further.
  return terminal_id !== null && !isKnown(terminal_id) ? 'unknown' : 'said';
}

/** Whether a vehicle can be given what a message calls its terminal. */
export function canBeAdded(terminal: string): boolean {
  return terminalId.safeParse(terminal).success;
}

/** Recognises the terminals of vehicles; leading zeros and letter case do not matter. */
export function knownTerminals(vehicles: Iterable<{ terminal_id: string }>): (terminal: string) => boolean {
  const keys = new Set([...vehicles].map((it) => terminalKey(it.terminal_id)));
  return (terminal) => keys.has(terminalKey(terminal));
}

/** The key of a message while it is shown; listeners count from 1 again after a restart. */
export function messageKey(message: Pick<IntakeMessage, 'listener' | 'sequence' | 'at'>): string {
  return `${message.listener} ${message.sequence} ${message.at}`;
}
