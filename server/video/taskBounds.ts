import { queueFull } from '../http/apiError.ts';
import type { TaskRow } from '../store/telemetry/rows.ts';

/**
 * Unfinished tasks that there may be: the scheduler looks at all of them whenever one changes. A terminal brings one
 * fragment at a time, some tens an hour; what rules order counts to the terminal and to all, not to a user.
 */
export const taskBounds = { per_user: 1_000, per_terminal: 200, all: 10_000 };

/** Downloads take minutes. */
const retryS = 60;

/** Throws 429 `queue_full` for tasks of one order that would be too many beside those that are unfinished. */
export function checkTaskBounds(
  unfinished: readonly TaskRow[],
  wanted: readonly TaskRow[],
  bounds: typeof taskBounds = taskBounds,
): void {
  const [first] = wanted;
  if (first === undefined) return;
  const { profile_id, created_by, rule_id } = first;
  let [ofTerminal, ofUser] = [0, 0];
  for (const row of unfinished) {
    if (row.profile_id === profile_id) ofTerminal += 1;
    if (rule_id === null && row.rule_id === null && row.created_by === created_by) ofUser += 1;
  }
  check(ofTerminal, bounds.per_terminal, 'for this terminal');
  check(ofUser, bounds.per_user, 'of this user');
  check(unfinished.length, bounds.all, 'in all');

  function check(count: number, max: number, whose: string): void {
    if (count + wanted.length <= max) return;
    throw queueFull(`${count} video tasks ${whose} are unfinished, and no more than ${max} may be.`, retryS);
  }
}
