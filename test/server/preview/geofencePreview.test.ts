import { describe, expect, it } from 'vitest';
import { geofencePreview, newGeofence } from '../../../server/contract/geofences.ts';
import { progressLine } from '../../../server/contract/preview.ts';
import { groups, viewerOf } from '../notifications/depot.ts';
import { away, day_ms, openPreviewDepot, period, yard, yardAt } from './previewDepot.ts';

const path = 'POST /geozones/preview';

function at(minute: number): string {
  return new Date(day_ms + minute * 60_000).toISOString();
}

describe('the preview of a geofence', () => {
  it('the preview of a geofence lists the visits that a shape, saved or not, would have had', async () => {
    const depot = await openPreviewDepot();
    const van = await depot.addVehicle('van', [groups.north]);
    await depot.drive(van.vehicle_id, [
      { minute: -1 },
      { minute: 10, ...yardAt },
      { minute: 11, ...yardAt },
      { minute: 15 },
      { minute: 30, ...yardAt, valid: false },
    ]);
    const { status, body } = await depot.ask('dora', path, { ...period, geofence: yard });
    expect(status).toBe(200);
    const preview = geofencePreview.parse(body);
    expect(preview).toEqual({
      ...period,
      vehicles: 1,
      positions: 3,
      visits: 1,
      visitors: 1,
      truncated: false,
      items: [
        {
          vehicle_id: van.vehicle_id,
          enter_time: at(10),
          exit_time: at(15),
          open_start: false,
          open_end: false,
          duration_s: 300,
          ...yardAt,
        },
      ],
    });
    const saved = await depot.geofences.add(newGeofence.parse(yard), viewerOf(depot.users.dora));
    const again = await depot.ask('dora', path, { ...period, geozone_id: saved.geozone_id });
    expect(again.body).toEqual(body);
  });

  it('the preview of a geofence looks at the vehicles that the viewer sees and the geofence holds for, and counts no others', async () => {
    const depot = await openPreviewDepot();
    const seen = await depot.addVehicle('seen', [groups.north]);
    const hidden = await depot.addVehicle('hidden', [groups.south]);
    for (const { vehicle_id } of [seen, hidden]) {
      await depot.drive(vehicle_id, [{ minute: 10, ...yardAt }, { minute: 12 }]);
    }
    const ask = async (as: 'dora' | 'nora' | 'rita', geofence: object) => {
      const { body } = await depot.ask(as, path, { ...period, geofence: { ...yard, ...geofence } });
      const { vehicles, positions, visits, items } = geofencePreview.parse(body);
      return { vehicles, positions, visits, ids: items.map((it) => it.vehicle_id) };
    };
    const one = { vehicles: 1, positions: 2, visits: 1 };
    expect(await ask('nora', {})).toEqual({ ...one, ids: [seen.vehicle_id] });
    expect((await ask('dora', {})).vehicles).toBe(2);
    expect(await ask('dora', { group_ids: [groups.south] })).toEqual({ ...one, ids: [hidden.vehicle_id] });
    depot.users.rita.rights = { ...depot.users.rita.rights, vehicles: 'none' };
    expect(await ask('rita', {})).toEqual({ vehicles: 0, positions: 0, visits: 0, ids: [] });
  });

  it('the preview of a geofence refuses a shape that could not be added, groups of others, and what is not there', async () => {
    const depot = await openPreviewDepot();
    const refused = (body: object) => depot.ask('nora', path, { ...period, ...body });
    expect((await refused({ geofence: { ...yard, radius_m: null } })).status).toBe(400);
    expect((await refused({ geofence: { ...yard, group_ids: [groups.south] } })).status).toBe(400);
    expect((await refused({ geozone_id: groups.west })).status).toBe(404);
    expect((await refused({})).status).toBe(400);
  });

  it('the preview of a geofence reports its progress, which rises', async () => {
    const depot = await openPreviewDepot();
    for (const name of ['a', 'b', 'c']) {
      const { vehicle_id } = await depot.addVehicle(name, [groups.north]);
      await depot.drive(vehicle_id, [
        { minute: 10, ...yardAt },
        { minute: 12, ...away },
      ]);
    }
    const lines = { Accept: 'application/x-ndjson' };
    const { text } = await depot.ask('dora', path, { ...period, geofence: yard }, lines);
    const published = text
      .trimEnd()
      .split('\n')
      .map((line) => progressLine(geofencePreview).parse(JSON.parse(line)));
    const shares = published.flatMap((it) => ('progress' in it ? [it.progress] : []));
    expect(shares.length).toBeGreaterThan(0);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(published.at(-1)).toMatchObject({ result: { visits: 3 } });
  });
});

describe('the thread of previews', () => {
  it('the thread of previews is ended by a cancel, and the next order has a new one', async () => {
    const depot = await openPreviewDepot();
    const van = await depot.addVehicle('van', [groups.north]);
    const fixes = Array.from({ length: 20_000 }, (_, second) => ({ minute: second / 60, ...yardAt }));
    await depot.drive(van.vehicle_id, fixes);
    const geofence = await depot.geofences.draft(newGeofence.parse(yard), viewerOf(depot.users.dora));
    // So many that it cannot come to its end before the cancel does.
    const vehicle_ids = Array.from({ length: 5_000 }, () => van.vehicle_id);
    const order = {
      geofence,
      vehicle_ids,
      period: { from_ms: day_ms, to_ms: day_ms + 86_400_000 },
      crossing_max_gap_s: 300,
    };
    const cancel = new AbortController();
    const shares: number[] = [];
    const running = depot.work.visits(() => order, {
      user_id: 'dora',
      signal: cancel.signal,
      onProgress(share) {
        shares.push(share);
        cancel.abort(new Error('not wanted'));
      },
    });
    await expect(running).rejects.toThrow('not wanted');
    const publishedUntilThen = shares.length;
    const next = await depot.work.visits(() => ({ ...order, vehicle_ids: [van.vehicle_id] }), {
      user_id: 'dora',
      signal: new AbortController().signal,
    });
    expect(next).toMatchObject({ visits: 1, positions: 20_000 });
    // Nothing of the first came after its end.
    expect(shares).toHaveLength(publishedUntilThen);
  });
});
