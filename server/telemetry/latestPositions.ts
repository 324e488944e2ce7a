import { SerializedPage } from '../http/serializedJson.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { LiveFleet } from './liveFleet.ts';
import { keptPositionJson } from './presentPosition.ts';

export interface LatestPositions {
  /** Of each of these vehicles that has one. */
  each<T>(vehicles: readonly VehicleRecord[], present: (row: PositionRow, terminal_id: string) => T): T[];
  /** All of them as one answer, `{positions: [...]}`. */
  json(vehicles: readonly VehicleRecord[]): SerializedPage;
}

/**
 * The newest positions, quickly. The last answer stands as long as it was asked for the same list of vehicles, which is
 * another one after each change of a vehicle, and no state has changed since.
 */
export function latestPositions(fleet: Pick<LiveFleet, 'state' | 'version'>): LatestPositions {
  let last: { of: readonly VehicleRecord[]; version: number; reply: SerializedPage } | null = null;

  const each: LatestPositions['each'] = (vehicles, present) => {
    const all = [];
    for (const { vehicle_id, terminal_id } of vehicles) {
      const { newest } = fleet.state(vehicle_id);
      if (newest !== null) all.push(present(newest, terminal_id));
    }
    return all;
  };

  return {
    each,
    json(vehicles) {
      const version = fleet.version();
      if (last?.of !== vehicles || last.version !== version) {
        const reply = new SerializedPage('{"positions":[', each(vehicles, keptPositionJson), ']}');
        last = { of: vehicles, version, reply };
      }
      return last.reply;
    },
  };
}
