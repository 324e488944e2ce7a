import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { createLines } from '../http/lines.ts';
import {
  gatherFacts,
  type Asked,
  type GatherDeps,
  type ShiftFacts,
  type SilentFact,
} from '../shifts/shiftFacts.ts';
import { personOf } from '../shifts/shiftRecord.ts';
import { createShiftPdfLine } from '../shifts/shiftRoutes.ts';
import { createShifts } from '../shifts/shifts.ts';
import type { Repositories } from './openRepositories.ts';
import type { Stores } from './openStores.ts';

export type OpenShifts = ReturnType<typeof openShifts>;

/** Who is on duty, and what happens in a shift. */
export function openShifts(deps: {
  stores: Stores;
  depot: Pick<Repositories, 'users' | 'vehicles' | 'fleet' | 'nowOf'>;
  clock: Clock;
  log: Logger;
}) {
  const { stores, clock, log } = deps;
  const { users, vehicles, fleet, nowOf } = deps.depot;

  function silent(): SilentFact[] {
    return vehicles.all().flatMap((vehicle): SilentFact[] => {
      const since_ms = fleet.state(vehicle.vehicle_id).last_contact_ms;
      if (vehicle.archived_at !== null || since_ms === null) return [];
      const { status, overdue } = nowOf(vehicle);
      const { vehicle_id } = vehicle;
      if (status === 'offline') return [{ vehicle_id, status, since_ms }];
      return overdue ? [{ vehicle_id, status: 'overdue', since_ms }] : [];
    });
  }

  const sources: GatherDeps = {
    store: stores.telemetry,
    silent,
    vehicleName: (id) => vehicles.get(id)?.name ?? null,
    userName: (id) => {
      const user = users.get(id);
      return user === undefined ? null : personOf(user).name;
    },
    clock,
  };
  /** Of one user one at a time: each reads up to 20,000 rows of three tables. */
  const lines = createLines();

  async function gather(userId: string, asked: Asked): Promise<ShiftFacts> {
    const leave = await lines.enter(userId);
    try {
      return await gatherFacts(sources, asked);
    } finally {
      leave();
    }
  }

  const shifts = createShifts({
    collection: stores.collections.shifts,
    store: stores.telemetry,
    users,
    gather: (userId, from_ms) => gather(userId, { from_ms }),
    ...{ clock, log },
  });
  const pdf = createShiftPdfLine();
  const stopFollowing = users.onChange(() => shifts.usersChanged());
  return {
    shifts,
    gather,
    pdf,
    async close(): Promise<void> {
      stopFollowing();
      await Promise.all([shifts.close(), pdf.close()]);
    },
  };
}
