import { cardKey } from '../contract/sameKeys.ts';
import type { Clock } from '../clock.ts';
import { type DriverThen } from '../contract/drivers.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import type { Store } from '../store/operations.ts';
import { cardHoldsMs, type CardMoment } from '../store/telemetry/cardReads.ts';
import type { Assignments } from './assignments.ts';
import type { DriverRecord } from './driverRecord.ts';
import type { Drivers } from './drivers.ts';
import { driveAt, drivesOf, type DriveSpan } from './drives.ts';

export interface DriveHistoryDeps {
  store: Pick<Store, 'cardMoments' | 'vehiclesOfCards'>;
  drivers: Pick<Drivers, 'get' | 'holderOf'>;
  assignments: Pick<Assignments, 'all' | 'ofVehicle'>;
  clock: Pick<Clock, 'now'>;
}

/** A drive, of which vehicle. */
export type Drive = DriveSpan & { vehicle_id: string };

interface Period {
  from_ms: number;
  to_ms: number;
}

const dayMs = 86_400_000;
/** So much is read at once: a card that is held all day is kept as some 500 moments a day. */
const periodAtOnceMs = 31 * dayMs;
const vehicleDaysAtOnce = 62;
const vehiclesInMemory = 20;

export type DriveHistory = ReturnType<typeof createDriveHistory>;

/** Who drove when, by what terminals read and by assignments. Reads the store in parts; throws its errors. */
export function createDriveHistory({ store, drivers, assignments, clock }: DriveHistoryDeps) {
  async function momentsOf(
    vehicleIds: readonly string[],
    { from_ms, to_ms }: Period,
  ): Promise<Map<string, CardMoment[]>> {
    const found = new Map<string, CardMoment[]>();
    const reading = new Set(
      await store.vehiclesOfCards({ cards: null, from_ms: from_ms - cardHoldsMs, to_ms }),
    );
    const read = vehicleIds.filter((it) => reading.has(it));
    const days = Math.min(to_ms - from_ms, periodAtOnceMs) / dayMs + 1;
    const vehiclesAtOnce = Math.max(1, Math.floor(vehicleDaysAtOnce / days));
    for (let first = 0; first < read.length; first += vehiclesAtOnce) {
      const vehicle_ids = read.slice(first, first + vehiclesAtOnce);
      for (let part_ms = from_ms; part_ms <= to_ms; part_ms += periodAtOnceMs) {
        const part = { from_ms: part_ms, to_ms: Math.min(part_ms + periodAtOnceMs - 1, to_ms) };
        for (const { vehicle_id, moments } of await store.cardMoments({ vehicle_ids, ...part })) {
          const known = found.get(vehicle_id) ?? [];
          const last_ms = known.at(-1)?.time_ms ?? -Infinity;
          // Each part also reads what may still count at its start.
          found.set(vehicle_id, [...known, ...moments.filter((it) => it.time_ms > last_ms)]);
        }
      }
    }
    return found;
  }

  const sourcesOf = (vehicle_id: string, moments: readonly CardMoment[] = []) => ({
    moments,
    assignments: assignments.ofVehicle(vehicle_id),
    holderOf: (card: string, at_ms: number) => drivers.holderOf(card, at_ms)?.driver_id ?? null,
    now_ms: clock.now(),
  });

  /** The drives in these vehicles that touch the period, by vehicle, in order of time. */
  async function ofVehicles(vehicleIds: readonly string[], period: Period): Promise<Drive[]> {
    const found: Drive[] = [];
    // What was read of a year of a fleet is not held all at once.
    for (let first = 0; first < vehicleIds.length; first += vehiclesInMemory) {
      const some = vehicleIds.slice(first, first + vehiclesInMemory);
      const moments = await momentsOf(some, period);
      for (const vehicle_id of some) {
        const drives = drivesOf(sourcesOf(vehicle_id, moments.get(vehicle_id)));
        for (const it of drives)
          if (it.from_ms < period.to_ms && (it.to_ms ?? Infinity) > period.from_ms)
            found.push({ ...it, vehicle_id });
      }
    }
    return found;
  }

  /** The drive of each vehicle at a moment; those without one are left out. */
  async function at(vehicleIds: readonly string[], at_ms: number): Promise<Map<string, DriveSpan>> {
    const moments = await momentsOf(vehicleIds, { from_ms: at_ms, to_ms: at_ms });
    return new Map(
      vehicleIds.flatMap((id) => {
        // A drive of then has its end by what was read later; only whose it is counts.
        const drive = driveAt(drivesOf(sourcesOf(id, moments.get(id))), at_ms);
        return drive === null ? [] : [[id, drive] as const];
      }),
    );
  }

  function named({ driver_id, card }: Pick<DriveSpan, 'driver_id' | 'card'>): DriverThen {
    const driver = driver_id === null ? undefined : drivers.get(driver_id);
    return { driver_id, name: driver?.name ?? null, phone: driver?.phone ?? null, card };
  }

  return {
    ofVehicles,

    /** The drives of a driver that touch the period, in order of time. @param sees whether a vehicle may be looked at */
    async ofDriver(
      driver: DriverRecord,
      period: Period,
      sees: (vehicleId: string) => boolean,
    ): Promise<Drive[]> {
      const { driver_id, licence_number } = driver;
      const cards = [
        ...driver.cards.map((it) => it.number),
        ...(licence_number === null ? [] : [licence_number]),
      ];
      const identified = await store.vehiclesOfCards({ cards: cards.map(cardKey), ...period });
      const assigned = assignments
        .all()
        .filter(
          (it) =>
            it.driver_id === driver_id &&
            Date.parse(it.from) < period.to_ms &&
            (it.to === null || Date.parse(it.to) > period.from_ms),
        )
        .map((it) => it.vehicle_id);
      const vehicles = [...new Set([...identified, ...assigned])].filter(sees);
      const drives = await ofVehicles(vehicles, period);
      return drives
        .filter((it) => it.driver_id === driver_id)
        .sort((a, b) => a.from_ms - b.from_ms || (a.vehicle_id < b.vehicle_id ? -1 : 1));
    },

    at,

    /** Who drove a vehicle at a moment, else who stands in its own fields; null: nobody is named. */
    async driverAt(
      { vehicle_id, driver, phone }: Pick<VehicleRecord, 'vehicle_id' | 'driver' | 'phone'>,
      at_ms: number,
    ): Promise<DriverThen | null> {
      const drive = (await at([vehicle_id], at_ms)).get(vehicle_id);
      if (drive === undefined)
        return driver === null && phone === null
          ? null
          : { driver_id: null, name: driver, phone, card: null };
      return named(drive);
    },
    named,
  };
}
