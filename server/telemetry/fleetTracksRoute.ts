import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { positionRoutes } from '../contract/positions.ts';
import type { Api } from '../http/api.ts';
import { createLines } from '../http/lines.ts';
import { streamBytes } from '../http/unreadAnswers.ts';
import { errorCode } from '../store/documents/errorCode.ts';
import type { Store } from '../store/operations.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import { resolveVehicles, type VehicleLookup } from './resolveVehicles.ts';
import { presentPosition } from './presentPosition.ts';

export interface FleetTracksDeps extends VehicleLookup {
  store: Pick<Store, 'track'>;
}

/** One answer of a user at a time: thirty of a month, each as fast as its client reads, would hold up everybody else. */
export function addFleetTracksRoute(api: Api, { store, ...lookup }: FleetTracksDeps): void {
  const perUser = createLines();
  api.handle(positionRoutes.tracks, async ({ query, viewer, response, holds }) => {
    const leave = await perUser.enter(viewer.user.user_id);
    try {
      if (response.closed) return;
      const requested = resolveVehicles(query, viewer, lookup);
      holds(streamBytes);
      const lines = linesOf(requested, Date.parse(query.from), Date.parse(query.to), store);
      response.set('Content-Type', 'application/x-ndjson');
      // Reads as fast as the client does; one that hangs up ends the reading.
      await pipeline(Readable.from(lines, { highWaterMark: 1 }), response);
    } catch (error) {
      if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    } finally {
      leave();
    }
  });
}

/** A page of the store at a time. */
async function* linesOf(
  requested: readonly VehicleRecord[],
  from_ms: number,
  to_ms: number,
  store: FleetTracksDeps['store'],
): AsyncGenerator<string> {
  for (const { vehicle_id, terminal_id } of requested) {
    // Both ends of what the store reads are included, the end of a period is not.
    for await (const rows of store.track({ vehicle_id, from_ms, to_ms: to_ms - 1 })) {
      const text = rows.map((row) => `${JSON.stringify(presentPosition(row, terminal_id))}\n`).join('');
      if (text !== '') yield text;
    }
  }
}
