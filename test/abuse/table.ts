import { meetsTarget, type Outcome } from './runAttack.ts';

type Column = [title: string, width: number, of: (outcome: Outcome) => string];

const whole = (value: number) => Math.round(value).toString();
const columns: readonly Column[] = [
  ['operation', -32, (it) => it.name],
  ['calls', 6, (it) => String(it.calls)],
  ['quiet p99 ms', 12, (it) => whole(it.quietP99Ms)],
  ['p50 ms', 7, (it) => whole(it.p50_ms)],
  ['p99 ms', 7, (it) => whole(it.p99_ms)],
  ['loop ms', 8, (it) => whole(it.delay_ms)],
  ['MB more', 8, (it) => whole(it.memory_MB)],
  ['CPU s', 6, (it) => it.mainThreadS.toFixed(1)],
  ['verdict', -20, verdictOf],
  [
    'answers',
    -1,
    (it) =>
      Object.entries(it.statuses)
        .map(([status, count]) => `${status}×${count}`)
        .join(' '),
  ],
];

function verdictOf(outcome: Outcome): string {
  if (outcome.death !== null) return `DIED: ${outcome.death}`;
  return meetsTarget(outcome) ? 'ok' : 'MISSED';
}

const cell = (text: string, width: number) => (width < 0 ? text.padEnd(-width) : text.padStart(width));

export const headLine = columns.map(([title, width]) => cell(title, width)).join(' ');

/** A row of plain text, for monospaced columns. */
export function rowOf(outcome: Outcome): string {
  return columns
    .map(([, width, of]) => cell(of(outcome), width))
    .join(' ')
    .trimEnd();
}
