import type { Task } from '../../../server/contract/video.ts';
import type { Profile } from '../../../server/contract/videoProfiles.ts';
import { formatNumber } from '../../format/numbers.ts';
import { isOfRule } from './queueAddress.ts';

/** A task with what else its row says. */
export interface QueueLine {
  task: Task;
  vehicle: string;
  /** "1 Front" */
  channel: string;
  /** Which of a terminal's two recordings it brings; null where the order does not say. */
  quality: 'small' | 'full' | null;
  /** Whether its terminal can be reached, as last known; null while nobody knows. */
  online: boolean | null;
  asker: Asker;
  /** The event that it is about, in words; null for a moment that was chosen. */
  why: string | null;
}

export type Asker = { by: 'user'; name: string | null } | { by: 'rule'; name: string | null };

/** Who ordered a task: a rule, by name where it may be seen, else a user, by name where it may be known. */
export function askerOf(
  task: Pick<Task, 'created_by' | 'rule_id'>,
  userNames: ReadonlyMap<string, string>,
  ruleNames: ReadonlyMap<string, string>,
): Asker {
  if (isOfRule(task)) return { by: 'rule', name: ruleNames.get(task.rule_id ?? '') ?? null };
  return { by: 'user', name: userNames.get(task.created_by) ?? null };
}

export function qualityOf({ stream }: Pick<Task, 'stream'>): QueueLine['quality'] {
  if (stream === null) return null;
  return stream === 'sub' ? 'small' : 'full';
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
  const megabytes = (bytes: number) => formatNumber(bytes / 1e6, bytes < 1e7 ? 1 : 0);
  return {
    received: megabytes(task.received_bytes),
    total: task.total_bytes === null ? null : megabytes(task.total_bytes),
  };
}
