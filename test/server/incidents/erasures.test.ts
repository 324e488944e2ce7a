import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import { notFound } from '../../../server/http/apiError.ts';
import type { Viewer } from '../../../server/http/viewer.ts';
import { createErasures } from '../../../server/incidents/erasures.ts';
import { addIncidentRoutes, type IncidentRouteDeps } from '../../../server/incidents/incidentRoutes.ts';
import type { IncidentOrder } from '../../../server/store/telemetry/incidentWrites.ts';
import { apiClientFor } from '../../support/caller.ts';
import { serveApi } from '../preview/apiServer.ts';

const [van, bus] = [randomUUID(), randomUUID()];
const time_ms = Date.parse('2026-11-20T12:00:00Z');
const place = { lat: 56.9, lon: 24.1 };
const driver = { driver_id: null, name: 'Vera', phone: '+371 20', card: null };
const found = { ...place, driver, place: 'Quay 1' };
const nothing = { lat: null, lon: null, driver: null, place: null };

/** What is stored of an incident whose place is looked up, and found when `meanwhile` is over. */
async function storedAfter(
  meanwhile: (erasures: ReturnType<typeof createErasures>) => unknown,
): Promise<IncidentOrder['made'] | undefined> {
  const erasures = createErasures();
  const [asked, answered] = [Promise.withResolvers<true>(), Promise.withResolvers<true>()];
  let stored: IncidentOrder['made'] | undefined;
  const deps = {
    incidents: {
      erasures,
      async descriptionOf() {
        asked.resolve(true);
        await answered.promise;
        return { driver, place: 'Quay 1' };
      },
      create({ made }: IncidentOrder, _once: undefined, check: () => void) {
        check();
        stored = made;
        return Promise.resolve(made.incident_id);
      },
      // What the answer is, is not looked at.
      find: () => Promise.reject(notFound('incident')),
    },
    sight: {},
    vehicles: { find: (vehicle_id: string) => ({ vehicle_id }) },
    store: { notificationsById: () => Promise.resolve([]) },
    settings: () => ({ max_future_s: 60, incident_checklists: [] }),
    clock: { now: () => time_ms },
  };
  const viewer = { user: { user_id: 'dealer', role: 'dealer' } } as Viewer;
  const url = await serveApi(
    (api) => addIncidentRoutes(api, deps as unknown as IncidentRouteDeps),
    () => viewer,
  );
  const body = { title: 'Flat tyre', vehicle_id: van, ...place };
  const outcome = apiClientFor(url, '').outcome(incidentRoutes.create, { body });
  await Promise.race([asked.promise, outcome]);
  meanwhile(erasures);
  answered.resolve(true);
  expect(await outcome).toBe('404 not_found');
  return stored;
}

it('an incident does not bring back the place and the driver of data that are deleted while they are looked up', async () => {
  const ofVan = { vehicle_id: van, from_ms: time_ms, to_ms: time_ms + 1 };
  // Over or not when the incident is stored.
  expect(await storedAfter((erasures) => erasures.begin(ofVan)())).toMatchObject(nothing);
  expect(await storedAfter((erasures) => erasures.begin(ofVan))).toMatchObject(nothing);
  for (const other of [{ vehicle_id: bus }, { from_ms: time_ms + 1 }, { from_ms: 0, to_ms: time_ms }])
    expect(await storedAfter((erasures) => erasures.begin({ ...ofVan, ...other }))).toMatchObject(found);
});

it('what is looked up while data are being deleted counts as deleted, and what is looked up later does not', async () => {
  const erasures = createErasures();
  const shown = { vehicle_ids: new Set([bus, van]), time_ms };
  const isErased = () => erasures.during((isIt) => Promise.resolve(isIt(shown)));
  const end = erasures.begin({ vehicle_id: van, from_ms: 0, to_ms: time_ms + 1 });
  expect(await isErased()).toBe(true);
  end();
  expect(await isErased()).toBe(false);
});
