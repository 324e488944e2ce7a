import { describe, expect, it, onTestFinished } from 'vitest';
import { openCollections } from '../../../server/app/openCollections.ts';
import { newGeofence } from '../../../server/contract/geofences.ts';
import { geofenceErrors } from '../../../server/geofences/indexLimits.ts';
import { createGeofences } from '../../../server/geofences/geofences.ts';
import type { GeofenceForm } from '../../../server/geofences/geometryErrors.ts';
import { openMemoryStore } from '../../../server/store/memoryStore.ts';
import type { Viewer } from '../../../server/http/viewer.ts';
import { openDepot, viewerOf } from '../notifications/depot.ts';

const yard = newGeofence.parse({
  name: 'Yard',
  shape: 'circle',
  geometry: { type: 'Point', coordinates: [13.4, 52.5] },
  radius_m: 200,
});
const elsewhere = { type: 'Point' as const, coordinates: [14, 53] as [number, number] };

/** Geofences whose checks wait until they are let go on. */
async function openGeofences() {
  const checks: { form: GeofenceForm; goOn: () => void }[] = [];
  let isWaiting = false;
  const clock = { now: () => 0 };
  const store = openMemoryStore(clock);
  onTestFinished(() => store.close());
  const collections = await openCollections({
    store,
    clock,
    log: { error: (fault: unknown) => expect.fail(String(fault)) },
  });
  const geofences = createGeofences({
    collection: collections.geofences,
    groupExists: () => true,
    async faultsOf(form) {
      await new Promise<void>((resolve) => {
        checks.push({ form, goOn: resolve });
        if (!isWaiting) resolve();
      });
      return geofenceErrors(form);
    },
    usedBy: () => null,
    clock,
  });
  return {
    geofences,
    checks,
    hold: (holds: boolean) => {
      isWaiting = holds;
    },
  };
}

async function dealer(): Promise<Viewer> {
  return viewerOf((await openDepot()).users.dora);
}

describe('a change of a geofence', () => {
  it('a change of a geofence is checked again when another one was stored while it was checked', async () => {
    const viewer = await dealer();
    const { geofences, checks, hold } = await openGeofences();
    const { geozone_id } = await geofences.add(yard, viewer);
    hold(true);
    const moved = geofences.patch(geozone_id, { geometry: elsewhere }, viewer, null);
    hold(false);
    await geofences.patch(geozone_id, { radius_m: 90 }, viewer, null);
    checks[1]?.goOn();
    expect(await moved).toMatchObject({ geometry: elsewhere, radius_m: 90, version: 3 });
    expect(checks.map(({ form }) => [form.geometry.coordinates, form.radius_m])).toEqual([
      [[13.4, 52.5], 200],
      [[14, 53], 200],
      [[13.4, 52.5], 90],
      [[14, 53], 90],
    ]);
  });

  it('made for a version is refused when another one was stored while it was checked', async () => {
    const viewer = await dealer();
    const { geofences, checks, hold } = await openGeofences();
    const { geozone_id } = await geofences.add(yard, viewer);
    hold(true);
    const moved = geofences.patch(geozone_id, { geometry: elsewhere }, viewer, 1);
    hold(false);
    await geofences.patch(geozone_id, { name: 'Depot' }, viewer, null);
    checks[1]?.goOn();
    await expect(moved).rejects.toMatchObject({ code: 'version_conflict' });
    expect(geofences.get(geozone_id)).toMatchObject({ name: 'Depot', geometry: yard.geometry });
  });

  it('a change of a geofence of its name or colour alone is not checked', async () => {
    const viewer = await dealer();
    const { geofences, checks } = await openGeofences();
    const { geozone_id } = await geofences.add(yard, viewer);
    await geofences.patch(geozone_id, { name: 'Depot', color: '#112233' }, viewer, null);
    await geofences.patch(geozone_id, { geometry: yard.geometry }, viewer, null);
    expect(checks).toHaveLength(1);
  });
});
