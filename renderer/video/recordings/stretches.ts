import type { Recording, Task } from '../../../server/contract/video.ts';

/** A part of a channel's time bar; milliseconds since 1970. */
export interface Stretch {
  from: number;
  to: number;
  kind: 'there' | 'fetched' | 'gone';
  /** The terminal recorded it for an alarm. */
  alarm: boolean;
}

export interface Window {
  from: number;
  to: number;
}

/**
 * What is known of one channel in a window: what the terminal still has, over it what was fetched, and what neither
 * has. Without a list of the terminal only what was fetched is known.
 *
 * @param list what the terminal said, and until when it speaks; null while it said nothing
 */
export function stretchesOf(
  channel: number,
  window: Window,
  list: { items: readonly Recording[]; askedAt: number } | null,
  tasks: Iterable<Task>,
): Stretch[] {
  const inWindow = (it: Window): Window => ({
    from: Math.max(it.from, window.from),
    to: Math.min(it.to, window.to),
  });
  const isSeen = ({ from, to }: Window) => from < to;
  const fetched = [...tasks]
    .filter((it) => it.channel === channel && it.status === 'done' && it.file !== null)
    .map((it): Stretch => {
      const from = Date.parse(it.from);
      const to = Math.min(Date.parse(it.to), from + (it.file?.duration_s ?? 0) * 1_000);
      return { ...inWindow({ from, to }), kind: 'fetched', alarm: false };
    })
    .filter(isSeen);
  if (list === null) return fetched;
  const there = list.items
    .filter((it) => it.channel === channel)
    .map((it): Stretch => {
      const span = inWindow({ from: Date.parse(it.from), to: Date.parse(it.to) });
      return { ...span, kind: 'there', alarm: it.alarm };
    })
    .filter(isSeen);
  const known = { from: window.from, to: Math.min(window.to, list.askedAt) };
  const gone = between([...there, ...fetched], known).map((it): Stretch => ({
    ...it,
    kind: 'gone',
    alarm: false,
  }));
  return [...gone, ...there, ...fetched];
}

/** Recordings follow each other with a breath between them; less than this is no gap. */
const BREATH_MS = 2_000;

/** The parts of a window that no span covers. */
function between(spans: readonly Window[], window: Window): Window[] {
  const gaps: Window[] = [];
  let at = window.from;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    if (from - at > BREATH_MS) gaps.push({ from: at, to: Math.min(from, window.to) });
    at = Math.max(at, to);
  }
  if (window.to - at > BREATH_MS) gaps.push({ from: at, to: window.to });
  return gaps.filter((it) => it.from < it.to);
}
