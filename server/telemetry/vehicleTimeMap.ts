/**
 * Things by vehicle and time, of which there is one at each. It is asked for every fix of the fleet: a text made of
 * both would have to be built and hashed again each time.
 */
export class VehicleTimeMap<T> {
  readonly #byVehicle = new Map<string, Map<number, T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(vehicleId: string, time_ms: number): T | undefined {
    return this.#byVehicle.get(vehicleId)?.get(time_ms);
  }

  set(vehicleId: string, time_ms: number, thing: T): void {
    let times = this.#byVehicle.get(vehicleId);
    if (times === undefined) {
      times = new Map();
      this.#byVehicle.set(vehicleId, times);
    }
    const before = times.size;
    times.set(time_ms, thing);
    this.#size += times.size - before;
  }

  /** For each vehicle its own, in the order in which their moments were first set. */
  byVehicle(): T[][] {
    return Array.from(this.#byVehicle.values(), (times) => [...times.values()]);
  }
}
