import type { Differences, Ledger } from './ledger.ts';
import type { Beat } from './hostProbe.ts';
import type { SoakHost } from './soakHost.ts';
import type { Counters } from './counters.ts';

const number = (value: number) => Math.round(value).toLocaleString('en');

/** What is known in the middle of it. */
export function progressLine(minutes: number, tally: Counters, beats: readonly Beat[]): string {
  const last = beats.at(-1);
  return (
    `minute ${minutes}: ${number(tally.count('positions acknowledged'))} positions acknowledged, ` +
    `${number(sumOf(tally, 'misfortunes: '))} misfortunes, ${number(tally.count('strangers'))} strangers` +
    (last === undefined ? '' : `; ${stateOf(last)}, ${last.connections} connections`)
  );
}

function stateOf({ residentMib, age_s }: Beat): string {
  return `host ${residentMib ?? '?'} MiB, ${age_s} s after its start`;
}

/** The sum of all whose names begin so. */
function sumOf(tally: Counters, start: string): number {
  return [...tally.counts()]
    .filter(([name]) => name.startsWith(start))
    .reduce((sum, [, count]) => sum + count, 0);
}

function disconnects(tally: Counters): number {
  return ['cut', 'deaf', 'half_open'].reduce((sum, it) => sum + tally.count(`misfortunes: ${it}`), 0);
}

export interface Found {
  seconds: number;
  tally: Counters;
  ledger: Ledger;
  beats: readonly Beat[];
  host: SoakHost;
  tracks: Differences;
  alarms: { published: number; lines: readonly string[] };
}

/** All that the soak has found, in lines. */
export function summaryOf({ seconds, tally, ledger, beats, host, tracks, alarms }: Found): string[] {
  const answers = beats.map((it) => it.answer_ms).sort((a, b) => a - b);
  const at = (part: number) => number(answers[Math.floor(part * (answers.length - 1))] ?? Number.NaN);
  const counts = [...tally.counts()].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    '',
    `${number(seconds)} s until all was acknowledged: ${number(sumOf(tally, 'messages by '))} messages, ` +
      `${number(tally.count('acknowledgements'))} acknowledgements, ${number(tally.count('messages sent again'))} repeats, ` +
      `${number(disconnects(tally))} disconnects, ${number(tally.count('strangers'))} connections of strangers`,
    ...counts.map(([name, count]) => `  ${number(count).padStart(10)}  ${name}`),
    `status answered within ${at(0.5)} ms (median), ${at(0.99)} ms (p99), ${at(1)} ms (most)`,
    ...memoryOf(beats),
    'warnings in the log:',
    ...[...host.warnings()].map(([words, count]) => `  ${number(count).padStart(10)}  ${words}`),
    '',
    `${number(ledger.meant())} positions meant, ${number(tracks.published)} returned by the API: ` +
      `${tracks.missing} missing, ${tracks.doubled} doubled, ${tracks.strange} strange, ${tracks.wrong} wrong`,
    `${number(ledger.alarms())} alarms meant, ${number(alarms.published)} returned by the API`,
    ...tracks.lines,
    ...alarms.lines,
    ...tally.faults().map((fault) => `fault: ${fault}`),
  ];
}

/** Of the process that ran last, as that is the one that ran longest undisturbed. */
function memoryOf(beats: readonly Beat[]): string[] {
  const start = beats.findLastIndex((it, at) => it.age_s < (beats[at - 1]?.age_s ?? Infinity));
  const mine = beats.slice(Math.max(0, start)).filter((it) => it.residentMib !== null);
  if (mine.length < 10) return [];
  const part = (from: number, to: number) => {
    const some = mine.slice(Math.floor(mine.length * from), Math.ceil(mine.length * to));
    return number(some.reduce((sum, it) => sum + (it.residentMib ?? 0), 0) / some.length);
  };
  const max = Math.max(...mine.map((it) => it.residentMib ?? 0));
  return [
    `resident memory of the host's last process over ${mine.at(-1)?.age_s ?? 0} s: ${part(0, 0.1)} MiB at first, ` +
      `${part(0.2, 0.4)} early, ${part(0.6, 0.8)} later, ${part(0.9, 1)} at last, ${max} at the most`,
  ];
}
