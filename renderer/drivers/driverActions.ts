import {
  assignmentRoutes,
  driverRoutes,
  type Assignment,
  type Driver,
  type DriverPatch,
  type NewAssignment,
  type NewDriver,
} from '../../server/contract/drivers.ts';
import type { AppContext } from '../appContext/appContext.ts';

/** Throws ApiProblem (`already_exists` for a card or an external ID that is another driver's), Unreachable. */
export async function addDriver(app: AppContext, body: NewDriver): Promise<Driver> {
  const added = await app.api.request(driverRoutes.create, { body });
  app.drivers.put([added]);
  return added;
}

/** Throws as `addDriver`, and `version_conflict`. */
export async function changeDriver(app: AppContext, driver: Driver, body: DriverPatch): Promise<Driver> {
  const params = { driver_id: driver.driver_id };
  const changed = await app.api.request(driverRoutes.patch, { params, body, ifMatch: driver.version });
  app.drivers.put([changed]);
  return changed;
}

/** Takes over a driver as it is now, after a conflict that was answered before the stream brought the newer state. */
export async function readDriver(app: AppContext, { driver_id }: Driver): Promise<void> {
  app.drivers.put([await app.api.request(driverRoutes.get, { params: { driver_id } })]);
}

/** Archives a driver, or with `purge` deletes the record. Throws ApiProblem (`version_conflict`), Unreachable. */
export async function removeDriver(app: AppContext, driver: Driver, purge: boolean): Promise<void> {
  await app.api.request(driverRoutes.remove, {
    params: { driver_id: driver.driver_id },
    ...(purge && { query: { purge: 'true' } }),
    ifMatch: driver.version,
  });
  app.drivers.hide([driver.driver_id]);
}

/** Throws ApiProblem, Unreachable; the stream brings who drives. */
export function assignDriver(app: AppContext, body: NewAssignment): Promise<Assignment> {
  return app.api.request(assignmentRoutes.create, { body });
}

/** Ends an assignment now. Throws ApiProblem, Unreachable. */
export function endAssignment(app: AppContext, { assignment_id, version }: Assignment): Promise<Assignment> {
  const to = new Date(app.serverTime.now()).toISOString();
  return app.api.request(assignmentRoutes.patch, {
    params: { assignment_id },
    body: { to },
    ifMatch: version,
  });
}

/** Takes an assignment away, as if it had never been. Throws ApiProblem, Unreachable. */
export function deleteAssignment(app: AppContext, { assignment_id, version }: Assignment): Promise<unknown> {
  return app.api.request(assignmentRoutes.remove, { params: { assignment_id }, ifMatch: version });
}
