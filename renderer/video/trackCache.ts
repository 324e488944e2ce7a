import { positionRoutes, track, type Position } from '../../server/contract/positions.ts';
import type { Api } from '../api/client.ts';

/** Fixes before and after the span, so that the line runs on to its edges. */
export const MARGIN_MS = 30_000;

/** @param now the server's time, milliseconds */
export function createTrackCache(api: Api, now: () => number) {
  const known = new Map<string, { reading: Promise<readonly Position[]>; isWhole: boolean }>();

  const ask = async (span: Parameters<TrackCache['read']>[0]): Promise<readonly Position[]> => {
    const { positions } = await api.read(positionRoutes.track, track, {
      params: { vehicle: span.vehicleId },
      query: {
        from: new Date(span.from - MARGIN_MS).toISOString(),
        to: new Date(span.to + MARGIN_MS).toISOString(),
      },
    });
    return positions;
  };

  return {
    /** In order of time. Throws ApiProblem, Unreachable and UnexpectedAnswer. */
    read(span: { vehicleId: string; from: number; to: number }) {
      const key = `${span.vehicleId} ${span.from} ${span.to}`;
      const isWhole = now() >= span.to + MARGIN_MS;
      const before = known.get(key);
      if (before !== undefined && (before.isWhole || !isWhole)) return before.reading;
      const entry = { reading: ask(span), isWhole };
      known.set(key, entry);
      const forget = () => {
        if (known.get(key) === entry) known.delete(key);
      };
      // A span that was not over yet, and one that could not be read, are read again the next time.
      entry.reading.then(() => {
        if (!isWhole) forget();
      }, forget);
      return entry.reading;
    },
  };
}

/** The tracks of vehicles during their recordings. What was read once stays for the session. */
export type TrackCache = ReturnType<typeof createTrackCache>;
