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

/**
 * When a fragment may begin, in Unix ms: when it has passed, and the pause of one of its tasks is over.
 * @param pauses those that tasks wait out besides their own, by task
 */
export function beginsAt({ rows }: Fragment, pauses: ReadonlyMap<string, number> = new Map()): number {
  return Math.min(
    ...rows.map((row) => Math.max(row.to_ms, row.next_attempt_ms ?? 0, pauses.get(row.task_id) ?? 0)),
  );
}

/**
 * After so few attempts of a small recording its full one waits with it, or the terminal would be taken for minutes
 * because of a tunnel; after more of them it goes on without.
 */
const maxSharedAttempts = 2;

/** The pauses of small recordings, by the task of the full one that each names. */
function sharedPauses(fragments: readonly Fragment[]): Map<string, number> {
  const pauses = new Map<string, number>();
  for (const { main_task_id, next_attempt_ms, attempts } of fragments.flatMap((it) => it.rows)) {
    if (main_task_id === null || next_attempt_ms === null || attempts > maxSharedAttempts) continue;
    pauses.set(main_task_id, next_attempt_ms);
  }
  return pauses;
}

/**
 * So many small recordings go before a full one: of its terminal when it is due (a picture of each camera of a common
 * recorder), and of others while it waits for room. Then it is the full one's turn, so that it does not wait for ever
 * behind new orders.
 */
export const maxOvertakes = 8;

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
  /** By terminal, how many have gone before a full recording that is due. */
  overtakings: ReadonlyMap<string, number>;
  /** How many have begun while a main stream waited for disk space. */
  passes: number;
}

export interface Plan {
  start: Fragment[];
  /** Tasks whose turn it would be, of terminals that are off line. */
  park: TaskRow[];
  /** When something else will be due, in Unix ms; null when only a change can bring it. */
  wakeAt: number | null;
  overtakings: Map<string, number>;
  passes: number;
}

/**
 * What is to be done now: one fragment of a terminal at a time, full recordings after the others, of whichever
 * terminal, else the oldest first.
 */
export function planDownloads(fragments: readonly Fragment[], now: Circumstances): Plan {
  const plan: Plan = { start: [], park: [], wakeAt: null, overtakings: new Map(), passes: 0 };
  const pauses = sharedPauses(fragments);
  const due: Fragment[] = [];
  for (const fragment of fragments) {
    if (now.running.has(fragment.key)) continue;
    const begins = beginsAt(fragment, pauses);
    if (begins > now.now_ms) {
      plan.wakeAt = Math.min(plan.wakeAt ?? Infinity, begins);
    } else if (now.away.has(fragment.profile_id)) {
      plan.park.push(...fragment.rows.filter((row) => row.status === 'queued'));
    } else {
      due.push(fragment);
    }
  }
  const turns = turnsOf(due, now.overtakings);
  const ready = due.filter((it) => turns.get(it.profile_id) === it && !now.busy.has(it.profile_id));
  plan.start = inOrder(ready, now.passes).slice(0, Math.max(0, now.room));
  plan.overtakings = countOvertakings(due, plan.start, now.overtakings);
  const isFullWaiting = ready.some(isMainStream) && !plan.start.some(isMainStream);
  plan.passes = isFullWaiting ? now.passes + plan.start.length : 0;
  return plan;
}

/** Whose turn it is, by terminal. */
function turnsOf(due: readonly Fragment[], overtakings: Circumstances['overtakings']): Map<string, Fragment> {
  const turns = new Map<string, Fragment>();
  for (const fragment of due) {
    const before = turns.get(fragment.profile_id);
    const isFullsTurn = (overtakings.get(fragment.profile_id) ?? 0) >= maxOvertakes;
    if (
      before === undefined ||
      (isMainStream(before) !== isMainStream(fragment) && isMainStream(fragment) === isFullsTurn)
    ) {
      turns.set(fragment.profile_id, fragment);
    }
  }
  return turns;
}

/** The order of starting when not all can start. */
function inOrder(ready: readonly Fragment[], passes: number): Fragment[] {
  const fulls = ready.filter(isMainStream);
  const first = passes >= maxOvertakes ? fulls.splice(0, 1) : [];
  return [...first, ...ready.filter((it) => !isMainStream(it)), ...fulls];
}

function isMainStream({ rows }: Fragment): boolean {
  return rows[0]?.stream === 'main';
}

function countOvertakings(
  due: readonly Fragment[],
  start: readonly Fragment[],
  before: Circumstances['overtakings'],
): Map<string, number> {
  const started = new Map(start.map((it) => [it.profile_id, it]));
  const after = new Map<string, number>();
  for (const { profile_id } of due.filter(isMainStream)) {
    const begun = started.get(profile_id);
    if (begun !== undefined && isMainStream(begun)) continue;
    after.set(profile_id, (before.get(profile_id) ?? 0) + (begun === undefined ? 0 : 1));
  }
  return after;
}
