import { positionRoutes, track, type Position } from '../../server/contract/positions.ts';
import type { Api } from '../api/client.ts';

/** Fixes before and after the span, so that the line runs on to its edges. */
const MARGIN_MS = 30_000;

/** Where vehicles were while they were filmed. What was read once stays for the session. */
export interface TrackBook {
  /** In order of time. Throws ApiProblem, Unreachable and UnexpectedAnswer. */
  read(span: { vehicleId: string; from: number; to: number }): Promise<readonly Position[]>;
}

/** @param now the server's time, milliseconds */
export function createTrackBook(api: Api, now: () => number): TrackBook {
  const known = new Map<string, Promise<readonly Position[]>>();

  const ask = async (span: Parameters<TrackBook['read']>[0]): Promise<readonly Position[]> => {
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
    read(span) {
      const key = `${span.vehicleId} ${span.from} ${span.to}`;
      const reading = known.get(key) ?? ask(span);
      known.set(key, reading);
      // A span that is not over yet, and one that could not be read, are read again the next time.
      reading.then(
        () => span.to + MARGIN_MS > now() && known.delete(key),
        () => known.delete(key),
      );
      return reading;
    },
  };
}
