import type { Notification } from '../../server/contract/notifications.ts';
import type { Severity } from '../../server/contract/rules.ts';

/** What a row is grouped by: a key, and what the group is called. */
export interface QueueGroupName {
  key: string;
  name: string;
}

export interface QueueGroup extends QueueGroupName {
  /** The gravest of its rows. */
  severity: Severity;
  /** When its oldest row opened. */
  oldest: string;
  rows: readonly Notification[];
}

/** A line of the queue: the head of a group, or a row. */
export type QueueLine =
  | { kind: 'group'; key: string; group: QueueGroup; isOpen: boolean }
  | { kind: 'row'; key: string; notification: Notification };

export const groupLineKey = (key: string): string => `group ${key}`;

/**
 * The rows in groups, each under its head; of a folded group the head alone. Rows keep their order, and groups stand in
 * the order of their first rows: the gravest first, then the oldest.
 *
 * @param rows in the order of the queue
 * @param groupOf null: no groups
 */
export function queueLines(
  rows: readonly Notification[],
  groupOf: ((row: Notification) => QueueGroupName) | null,
  folded: ReadonlySet<string>,
): QueueLine[] {
  const lineOf = (notification: Notification): QueueLine => ({
    kind: 'row',
    key: notification.notification_id,
    notification,
  });
  if (groupOf === null) return rows.map(lineOf);
  const groups = new Map<string, QueueGroup & { rows: Notification[] }>();
  for (const row of rows) {
    const { key, name } = groupOf(row);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { key, name, severity: row.severity, oldest: row.first_time, rows: [row] });
      continue;
    }
    group.rows.push(row);
    if (row.first_time < group.oldest) group.oldest = row.first_time;
  }
  return [...groups.values()].flatMap((group) => {
    const isOpen = !folded.has(group.key);
    const head: QueueLine = { kind: 'group', key: groupLineKey(group.key), group, isOpen };
    return isOpen ? [head, ...group.rows.map(lineOf)] : [head];
  });
}

/** A line that J and K stop at: a row, or the head of a folded group. */
const isStop = (line: QueueLine): boolean => line.kind === 'row' || !line.isOpen;

/**
 * The next (1) or previous (-1) line to stop at, round the ends.
 *
 * @param currentKey of the line that is selected, which may be acknowledged; null: none is
 */
export function stepLines(
  lines: readonly QueueLine[],
  currentKey: string | null,
  step: 1 | -1,
): QueueLine | null {
  const at = lines.findIndex((line) => line.key === currentKey);
  const count = lines.length;
  const from = at === -1 ? (step === 1 ? -1 : count) : at;
  for (let moved = 1; moved <= count; moved++) {
    const line = lines[(from + step * moved + count * 2) % count];
    if (line !== undefined && isStop(line) && line.key !== currentKey) return line;
  }
  return null;
}
