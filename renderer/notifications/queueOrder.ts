import type { Notification } from '../../server/contract/notifications.ts';
import type { Severity } from '../../server/contract/rules.ts';

const RANK: Record<Severity, number> = { alarm: 0, warning: 1, info: 2 };

/**
 * The open rows: the gravest first, among equals the one that has waited longest. Repetitions of a row do not move
 * it: it is ordered by when it opened.
 */
export function queueOrder(notifications: Iterable<Notification>): Notification[] {
  return [...notifications].filter((it) => it.state === 'open').sort(compareRows);
}

export function compareRows(a: Notification, b: Notification): number {
  return (
    bySeverity(a.severity, b.severity) ||
    compareText(a.first_time, b.first_time) ||
    compareText(a.notification_id, b.notification_id)
  );
}

/** The gravest first. */
export const bySeverity = (a: Severity, b: Severity): number => RANK[a] - RANK[b];

export const graver = (a: Severity, b: Severity): Severity => (RANK[a] <= RANK[b] ? a : b);

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
