import type { Window } from './stretches.ts';

/** What of a span is moved: one of its ends, or all of it. */
export type SpanPart = 'from' | 'to' | 'whole';

export interface SpanLimits {
  /** No part of the span lies outside of these; milliseconds since 1970. */
  earliest: number;
  latest: number;
  maxMs: number;
}

const LEAST_MS = 1_000;

/**
 * Moves a part of a span to a moment, in whole seconds: an end stops at the other one and at the longest that may be ordered;
 * the whole keeps its length and has its middle there.
 */
export function moveSpan(span: Window, part: SpanPart, at: number, limits: SpanLimits): Window {
  const { earliest, latest, maxMs } = limits;
  const length = span.to - span.from;
  const within = (ms: number, min: number, max: number) =>
    Math.round(Math.max(min, Math.min(max, ms)) / 1_000) * 1_000;
  switch (part) {
    case 'from':
      return {
        from: within(at, Math.max(earliest, span.to - maxMs), span.to - LEAST_MS),
        to: span.to,
      };
    case 'to':
      return {
        from: span.from,
        to: within(at, span.from + LEAST_MS, Math.min(latest, span.from + maxMs)),
      };
    case 'whole': {
      const from = within(at - length / 2, earliest, Math.max(earliest, latest - length));
      return { from, to: from + length };
    }
  }
}
