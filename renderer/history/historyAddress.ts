import type { TrackPeriod } from './trackCache.ts';

/** So many vehicles can be chosen at once: their tracks are drawn and fetched in all detail. */
export const MOST_CHOSEN = 20;

/** What History shows, as its address names it. */
export interface HistoryAddress {
  /** Those that are chosen; the first one is looked at. */
  vehicleIds: readonly string[];
  /** Unix ms. */
  at: number;
  /** A part of the day that is chosen, Unix ms; it ends after it begins. */
  span: TrackPeriod | null;
}

/** The query of the address of the past. */
export function writeHistoryAddress({ vehicleIds, at, span }: HistoryAddress): Record<string, string | null> {
  const [first = null, ...others] = vehicleIds.slice(0, MOST_CHOSEN);
  return {
    at: iso(at),
    vehicle: first,
    with: others.length === 0 ? null : others.join(','),
    from: span === null ? null : iso(span.from),
    to: span === null ? null : iso(span.to),
  };
}

/** What an address says; what it leaves out, or says wrongly, is undefined. */
export function readHistoryAddress(
  query: Readonly<Record<string, string | undefined>>,
): Partial<HistoryAddress> {
  const found: Partial<HistoryAddress> = {};
  const { vehicle, with: others = '' } = query;
  if (vehicle !== undefined) {
    const ids = [vehicle, ...others.split(',')].filter((id) => id !== '');
    found.vehicleIds = [...new Set(ids)].slice(0, MOST_CHOSEN);
  }
  const [at, from, to] = [query['at'], query['from'], query['to']].map((it) => Date.parse(it ?? ''));
  if (from !== undefined && to !== undefined && from < to) found.span = { from, to };
  if (at !== undefined && Number.isFinite(at)) found.at = at;
  else if (found.span) found.at = found.span.from;
  return found;
}

const iso = (ms: number): string => new Date(Math.round(ms)).toISOString();
