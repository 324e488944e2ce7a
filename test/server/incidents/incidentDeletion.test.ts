import { expect, it, onTestFinished } from 'vitest';
import { driverRoutes } from '../../../server/contract/drivers.ts';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { openStream } from '../../support/streamReader.ts';
import { startIncidentDepot } from './incidentDepot.ts';

it('an incident has no name and phone of a driver who is deleted, loses data of its vehicle, and goes with it', async () => {
  const depot = await startIncidentDepot();
  onTestFinished(() => depot.host.close());
  const { dealer } = depot;
  const vehicle_id = await depot.addVehicle('7');
  await depot.press('7');
  const [incident] = await depot.incidentsOf(vehicle_id);
  if (incident === undefined) throw new Error('the SOS opened no incident');
  const params = { incident_id: incident.incident_id };
  const driver = async () => (await dealer.ask(incidentRoutes.get, { params })).driver;
  await expect.poll(driver).toMatchObject({ name: 'Driver 7', phone: '+371 2000 7' });
  const driver_id = (await driver())?.driver_id ?? '';
  await dealer.ask(driverRoutes.remove, { params: { driver_id }, query: { purge: 'true' } });
  expect(await driver()).toBeNull();
  const find = async (q: string) =>
    (await dealer.ask(incidentRoutes.list, { query: { q } })).items.map((it) => it.number);
  expect([await find('driver 7'), await find('SOS')]).toEqual([[], [incident.number]]);

  const stream = await openStream(depot.host.url, depot.anna, { query: 'topics=incident' });
  onTestFinished(() => stream.close());
  const ofVehicle = { vehicle: vehicle_id };
  const query = { from: incident.from, to: incident.to };
  await dealer.ask(vehicleRoutes.deleteData, { params: ofVehicle, query });
  const lost = { status: 'open', notification_ids: [], lat: null, lon: null, place: null };
  expect(await dealer.ask(incidentRoutes.get, { params })).toMatchObject(lost);
  const shown = await stream.next('incident', (it) => 'lat' in it && it.lat === null);
  expect(shown.data).toMatchObject(lost);

  await dealer.ask(vehicleRoutes.remove, { params: ofVehicle, query: { purge: 'true' } });
  expect(await dealer.outcome(incidentRoutes.get, { params })).toBe('404 not_found');
  expect(await find('SOS')).toEqual([]);
});
