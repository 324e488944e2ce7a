import type { TaskRow } from '../store/telemetry/rows.ts';
import { fragmentKey } from './fragments.ts';

/** Unfinished tasks for one fragment. */
export interface Fragment {
  key: string;
  profile_id: string;
  /** Never empty, oldest first. */
  rows: TaskRow[];
}

/** In the order of their oldest task. */
export function groupFragments(rows: readonly TaskRow[]): Fragment[] {
  const groups = new Map<string, Fragment>();
  for (const row of rows) {
    const key = fragmentKey(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { key, profile_id: row.profile_id, rows: [row] });
    else group.rows.push(row);
  }
  return [...groups.values()];
}

/** When a fragment may begin, in Unix ms: when it has passed, and the pause of one of its tasks is over. */
export function beginsAt({ rows }: Fragment): number {
  return Math.min(...rows.map((row) => Math.max(row.to_ms, row.next_try_ms ?? 0)));
}

export interface Circumstances {
  now_ms: number;
  /** Fragments that are under way. */
  running: ReadonlySet<string>;
  /** Terminals that have a fragment under way, or are being asked whether they are there. */
  busy: ReadonlySet<string>;
  /** Terminals that are off line. */
  away: ReadonlySet<string>;
  /** How many more downloads there may be. */
  room: number;
}

export interface Plan {
  start: Fragment[];
  /** Tasks whose turn it would be, of terminals that are off line. */
  park: TaskRow[];
  /** When something else will be due, in Unix ms; null when only a change can bring it. */
  wakeAt: number | null;
}

/** What is to be done now: oldest first, one fragment of a terminal at a time. */
export function planWork(fragments: readonly Fragment[], now: Circumstances): Plan {
  const busy = new Set(now.busy);
  const plan: Plan = { start: [], park: [], wakeAt: null };
  for (const fragment of fragments) {
    if (now.running.has(fragment.key)) continue;
    const begins = beginsAt(fragment);
    if (begins > now.now_ms) {
      plan.wakeAt = Math.min(plan.wakeAt ?? Infinity, begins);
    } else if (now.away.has(fragment.profile_id)) {
      plan.park.push(...fragment.rows.filter((row) => row.status === 'queued'));
    } else if (!busy.has(fragment.profile_id) && plan.start.length < now.room) {
      busy.add(fragment.profile_id);
      plan.start.push(fragment);
    }
  }
  return plan;
}
