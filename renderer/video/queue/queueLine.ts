import type { Notification } from '../../../server/contract/notifications.ts';
import type { Profile, Task } from '../../../server/contract/video.ts';
import { numberText } from '../../format/numbers.ts';
import { DEPOT_USER } from './queueAddress.ts';

/** A task with what else its row says. */
export interface QueueLine {
  task: Task;
  vehicle: string;
  /** "1 Front" */
  channel: string;
  /** Whether its terminal can be reached, as last known; null while nobody knows. */
  online: boolean | null;
  asker: Asker;
  /** The event that it is about, in words; null for a moment that was chosen. */
  why: string | null;
}

export type Asker = { by: 'user'; name: string | null } | { by: 'rule'; name: string | null };

/**
 * Who ordered a task: a user by name where it may be known, or a rule. The rule's name is that of the notification which
 * counts the task's event.
 */
export function askerOf(
  task: Pick<Task, 'created_by' | 'event_id'>,
  userNames: ReadonlyMap<string, string>,
  notifications: ReadonlyMap<string, Pick<Notification, 'rule_name'>>,
): Asker {
  if (task.created_by !== DEPOT_USER) return { by: 'user', name: userNames.get(task.created_by) ?? null };
  return { by: 'rule', name: notifications.get(task.event_id ?? '')?.rule_name ?? null };
}

export function channelText(task: Pick<Task, 'channel'>, profile: Profile | undefined): string {
  const name = profile?.channels.find((it) => it.channel === task.channel)?.name ?? '';
  return `${task.channel} ${name}`.trim();
}

/** The size of a task: of its file, or of what is on its way; null while nobody knows. Bytes. */
export const sizeOf = (task: Task): number | null => task.file?.size_bytes ?? task.total_bytes;

/** How many of how many megabytes, or a share where the terminal does not say how many will come. */
export function receivedText(task: Task): { received: string; total: string | null } | null {
  if (task.status !== 'downloading' || task.received_bytes === null) return null;
  const megabytes = (bytes: number) => numberText(bytes / 1e6, bytes < 1e7 ? 1 : 0);
  return {
    received: megabytes(task.received_bytes),
    total: task.total_bytes === null ? null : megabytes(task.total_bytes),
  };
}
