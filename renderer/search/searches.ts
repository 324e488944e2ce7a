import type { Driver } from '../../server/contract/drivers.ts';
import type { Geofence } from '../../server/contract/geofences.ts';
import type { GroupEntry } from '../../server/contract/groups.ts';
import type { Incident } from '../../server/contract/incidents.ts';
import type { Rule } from '../../server/contract/rules.ts';
import type { User } from '../../server/contract/users.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { driverOf } from '../drivers/currentDriver.ts';
import { createItemSearch, type ItemSearch } from './itemSearch.ts';

/** What each kind of record is found by: the palette, the lists and the tables search alike. */

export const vehicleSearch = createItemSearch((it: Vehicle) => {
  const driver = driverOf(it);
  // The phone of a vehicle is often that of its driver.
  const others = new Set([driver?.name, it.driver, it.terminal_id, it.phone, driver?.phone, it.vin]);
  return [joined([it.name, it.plate]), joined([...others])];
});

export const driverSearch = createItemSearch((it: Driver) => [
  it.name,
  joined([it.phone, ...it.cards.map((card) => card.number), it.licence_number, it.external_id]),
]);

export const userSearch = createItemSearch((it: User) => [joined([it.name, it.login]), it.email ?? '']);

const byName = <T extends { name: string }>() => createItemSearch((it: T) => [it.name, '']);
export const geofenceSearch = byName<Geofence>();
export const groupSearch = byName<GroupEntry>();
export const ruleSearch = byName<Rule>();

const incidentSearches = new WeakMap<ReadonlyMap<string, Vehicle>, ItemSearch<Incident>>();

/** Incidents are found by what their vehicles are called now. */
export function incidentSearch(vehicles: ReadonlyMap<string, Vehicle>): ItemSearch<Incident> {
  const known = incidentSearches.get(vehicles);
  if (known !== undefined) return known;
  const made = createItemSearch((it: Incident) => {
    const vehicle = vehicles.get(it.vehicle_id ?? '');
    return [
      `#${it.number} ${it.title}`,
      joined([vehicle?.name, vehicle?.plate, it.driver?.name, it.owner_name]),
    ];
  });
  incidentSearches.set(vehicles, made);
  return made;
}

const joined = (parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(' ');
