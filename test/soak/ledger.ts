import type { Fix } from './plan.ts';

/** What the API must return for a fix: by the name of the field, `attributes.n` for what lies deeper. */
export type Said = Readonly<Record<string, number | boolean>>;

/** A position as the API returns it. */
export type Published = Readonly<Record<string, unknown>> & { terminal_id: string; time: string };

/** What all terminals together mean to say. */
export interface Ledger {
  /** Records what a terminal is about to send, as the API must return it. */
  mean(terminalId: string, fix: Fix, said: Said): void;
  /** Positions that must be there in the end. */
  meant(): number;
  /** Of them, those with the emergency button. */
  alarms(): number;
  /** What is wrong with the returned positions; at most `most` of each kind in words, the others counted. */
  differences(positions: Iterable<Published> | AsyncIterable<Published>): Promise<Differences>;
  /** The same of the alarms: each fix with the emergency button has one event, no other has one. */
  alarmDifferences(events: readonly { terminal_id: string; time: string }[]): string[];
}

export interface Differences {
  published: number;
  missing: number;
  doubled: number;
  strange: number;
  wrong: number;
  lines: string[];
}

/** Minutes of arc with six digits, which Wialon writes, are exact to two ten-millionths of a degree. */
const nearly = 1e-6;
const maxLines = 20;

export function createLedger(): Ledger {
  const meant = new Map<string, { said: Said; sos: boolean }>();

  return {
    mean(terminalId, fix, said) {
      const key = keyOf(terminalId, fix.time_ms);
      if (meant.has(key)) throw new Error(`${key} is meant twice: the plan is wrong`);
      if (!fix.isHopeless) meant.set(key, { said, sos: fix.sos });
    },
    meant: () => meant.size,
    alarms: () => [...meant.values()].filter((it) => it.sos).length,
    async differences(positions) {
      const found: Differences = { published: 0, missing: 0, doubled: 0, strange: 0, wrong: 0, lines: [] };
      const note = (kind: 'missing' | 'doubled' | 'strange' | 'wrong', line: string) => {
        found[kind] += 1;
        if (found[kind] <= maxLines) found.lines.push(`${kind}: ${line}`);
      };
      const seen = new Set<string>();
      for await (const published of positions) {
        found.published += 1;
        const key = keyOf(published.terminal_id, Date.parse(published.time));
        const wanted = meant.get(key);
        if (seen.has(key)) note('doubled', key);
        else if (wanted === undefined) note('strange', `${key} ${JSON.stringify(published)}`);
        else {
          const faults = faultsOf(published, wanted.said, wanted.sos);
          if (faults.length > 0) note('wrong', `${key} ${faults.join(', ')}`);
        }
        seen.add(key);
      }
      for (const key of meant.keys()) if (!seen.has(key)) note('missing', key);
      return found;
    },
    alarmDifferences(events) {
      const lines: string[] = [];
      const seen = new Set<string>();
      for (const { terminal_id, time } of events) {
        const key = keyOf(terminal_id, Date.parse(time));
        if (seen.has(key)) lines.push(`alarm doubled: ${key}`);
        if (meant.get(key)?.sos !== true) lines.push(`alarm that nobody raised: ${key}`);
        seen.add(key);
      }
      for (const [key, { sos }] of meant) if (sos && !seen.has(key)) lines.push(`alarm missing: ${key}`);
      return lines;
    },
  };
}

function faultsOf(published: Published, said: Said, sos: boolean): string[] {
  const faults = Object.entries(said).flatMap(([name, wanted]) => {
    const there = valueAt(published, name);
    const fits =
      typeof wanted === 'number' && typeof there === 'number'
        ? Math.abs(there - wanted) <= nearly
        : there === wanted;
    return fits ? [] : [`${name} is ${String(there)}, not ${String(wanted)}`];
  });
  const alarms = Array.isArray(published['alarms']) ? published['alarms'].join(' ') : 'none at all';
  return alarms === (sos ? 'sos' : '') ? faults : [...faults, `its alarms are "${alarms}"`];
}

function valueAt(published: unknown, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
      published,
    );
}

function keyOf(terminalId: string, time_ms: number): string {
  return `${terminalId} ${new Date(time_ms).toISOString()}`;
}
