import { expect, it, onTestFinished } from 'vitest';
import { driverRoutes } from '../../../server/contract/drivers.ts';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { openStream } from '../../support/streamReader.ts';
import { startTestHost, type Caller } from '../../support/testHost.ts';
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

  const open = async (who: Caller) => {
    const opened = await openStream(depot.host.url, who, { query: 'topics=incident' });
    onTestFinished(() => opened.close());
    return opened;
  };
  const [dealers, borises] = [await open(dealer), await open(depot.boris)];
  await dealer.ask(vehicleRoutes.remove, { params: ofVehicle, query: { purge: 'true' } });
  const isGone = (it: object) => 'deleted' in it;
  for (const it of [stream, dealers])
    expect((await it.next('incident', isGone)).data).toEqual({ ...params, deleted: true });
  const body = { title: 'Gate', lat: 56.9, lon: 24.1 };
  const { incident_id } = await depot.boris.ask(incidentRoutes.create, { body });
  await borises.next('incident', (it) => it.incident_id === incident_id);
  expect(borises.messages.some((it) => isGone(it.data))).toBe(false);
  expect(await dealer.outcome(incidentRoutes.get, { params })).toBe('404 not_found');
  expect(await find('SOS')).toEqual([]);
});

it('streams of those who saw an incident say that retention has deleted it, of no others', async () => {
  const depot = await startIncidentDepot();
  onTestFinished(() => depot.host.close());
  const { dealer, clock } = depot;
  const vehicle = await depot.addVehicle('7');
  await depot.press('7');
  const [incident] = await depot.incidentsOf(vehicle);
  if (incident === undefined) throw new Error('the SOS opened no incident');
  const { incident_id } = incident;
  const point = { title: 'Gate', lat: 56.9, lon: 24.1 };
  const atGate = await dealer.ask(incidentRoutes.create, { body: point });
  for (const id of [incident_id, atGate.incident_id])
    await dealer.ask(incidentRoutes.close, { params: { incident_id: id }, body: { reason: 'Test' } });
  await dealer.ask(serviceRoutes.patchSettings, { body: { events_retention_days: 7 } });
  await depot.host.stop();
  clock.advance(8 * 86_400_000);

  const again = await startTestHost({ clock, data: depot.host.data });
  onTestFinished(() => again.stop());
  const topics = { query: 'topics=incident' };
  const [annas, borises] = await Promise.all(
    ['anna', 'boris'].map(async (login) => openStream(again.url, await again.login(login), topics)),
  );
  for (const it of [annas, borises]) onTestFinished(() => it?.close());
  // Retention begins a minute after the start.
  clock.advance(60_000);
  const gone = { incident_id, deleted: true };
  expect((await annas?.next('incident', (it) => it.incident_id === incident_id))?.data).toEqual(gone);
  const boris = await again.login('boris');
  await boris.ask(incidentRoutes.create, { body: point });
  await borises?.next('incident', (it) => 'title' in it && it.title === 'Gate');
  const heard = borises?.messages.map((it) => ('incident_id' in it.data ? it.data.incident_id : null));
  expect(heard).not.toContain(incident_id);
});

it('an incident is of a moment of GPS time, and not of the future', async () => {
  const depot = await startIncidentDepot();
  onTestFinished(() => depot.host.close());
  const at = (time: string) =>
    depot.dealer.ask(incidentRoutes.create, { body: { title: 'Gate', lat: 56.9, lon: 24.1, time } });
  await expect(at('1979-12-31T00:00:00Z')).rejects.toThrow('time: is before 1980');
  await expect(at(new Date(depot.clock.now() + 86_400_000).toISOString())).rejects.toThrow(
    'is in the future',
  );
  expect(await at('1980-02-01T00:00:00Z')).toMatchObject({ time: '1980-02-01T00:00:00.000Z' });
});
