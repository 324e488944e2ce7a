import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { kindsWithGeofences } from '../../../server/contract/rules.ts';
import { groups, openDepot, startText, viewerOf, type Depot, type Login } from './depot.ts';

const sos = { name: 'Button', event_kind: 'sos', scope: { all: true } };
const rulesPath = '/notifications/rules';
/** As the settings of the depot have it. */
const usual = { before_s: 20, after_s: 10 };

async function made(depot: Depot, as: Login, more: object = {}): Promise<string> {
  const { status, body } = await depot.call(as, `POST ${rulesPath}`, { ...sos, ...more });
  expect(status).toBe(201);
  return String(body.rule_id);
}

async function faultOf(depot: Depot, as: Login, more: object): Promise<string | undefined> {
  const { status, body } = await depot.call(as, `POST ${rulesPath}`, { ...sos, ...more });
  expect(status).toBe(400);
  return body.errors?.[0]?.path;
}

async function names(depot: Depot, as: Login): Promise<string[]> {
  const { body } = await depot.call(as, `GET ${rulesPath}`);
  return (body.items ?? []).map((it) => String(it.name));
}

async function madeGeofence(depot: Depot, group_ids: string[]): Promise<string> {
  const geofence = {
    name: 'Yard',
    shape: 'circle',
    geometry: { type: 'Point', coordinates: [1, 2] },
    radius_m: 9,
    group_ids,
  };
  return String((await depot.call('dora', 'POST /geozones', geofence)).body.geozone_id);
}

function inScope(depot: Depot, ruleId: string, vehicleId: string): boolean {
  const rule = depot.rules.get(ruleId);
  if (rule === undefined) throw new Error('no such rule');
  return depot.rules.inScope(rule, vehicleId);
}

describe('rules', () => {
  it('rules of 10,000 names each are listed two on a page, and all of them page by page', async () => {
    const depot = await openDepot();
    for (const { rule_id } of depot.rules.all()) await depot.call('dora', `DELETE ${rulesPath}/${rule_id}`);
    const { vehicle_id } = await depot.addVehicle('North 1', [groups.north]);
    const vehicle_ids = Array.from({ length: 10_000 }, () => vehicle_id);
    for (let at = 0; at < 5; at += 1)
      await made(depot, 'dora', { name: `Big ${at}`, scope: { vehicle_ids, group_ids: [] } });
    const pages: string[][] = [];
    let cursor = '';
    do {
      const { body } = await depot.call('dora', `GET ${rulesPath}?limit=1000${cursor}`);
      pages.push((body.items ?? []).map((it) => String(it.name)));
      cursor = typeof body.next_cursor === 'string' ? `&cursor=${body.next_cursor}` : '';
    } while (cursor !== '');
    expect(pages).toEqual([['Big 0', 'Big 1'], ['Big 2', 'Big 3'], ['Big 4']]);
  });

  it('rules of a new depot are five, for every vehicle and for the host', async () => {
    const depot = await openDepot();
    expect(
      depot.rules.all().map((it) => [it.event_kind, it.severity, it.enabled, it.scope, it.owner_id]),
    ).toEqual([
      ['sos', 'alarm', true, { all: true }, null],
      ['overspeed', 'warning', true, { all: true }, null],
      ['geofence_enter', 'warning', true, { all: true }, null],
      ['offline', 'warning', true, { all: true }, null],
      ['host_trouble', 'alarm', true, { all: true }, null],
    ]);
    expect(depot.rules.all().map((it) => it.video)).toEqual([
      { before_s: 15, after_s: 15 },
      ...[null, null, null, null],
    ]);
    for (const { rule_id } of depot.rules.all()) await depot.call('dora', `DELETE ${rulesPath}/${rule_id}`);
    expect(depot.rules.all()).toEqual([]);
  });

  it('rules are added with their defaults, and answered as they were added', async () => {
    const depot = await openDepot();
    const { status, body, headers } = await depot.call('dora', `POST ${rulesPath}`, sos);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/v1${rulesPath}/${String(body.rule_id)}`);
    expect(body).toEqual({
      ...sos,
      rule_id: body.rule_id,
      geozone_ids: [],
      params: {},
      schedule: null,
      severity: 'warning',
      quiet: false,
      sound: 'default',
      channels: ['desktop'],
      webhook_url: null,
      email_to: [],
      video: null,
      escalation: null,
      cooldown_s: 300,
      opens_incident: false,
      enabled: true,
      disabled_reason: null,
      disabled_causes: [],
      owner_id: null,
      version: 1,
      created_at: startText,
      updated_at: startText,
    });
  });

  it('rules of severity alarm order the video of the settings, unless they say otherwise', async () => {
    const depot = await openDepot();
    const videoOf = async (as: Login, more: object) => depot.rules.get(await made(depot, as, more))?.video;
    const alarm = { severity: 'alarm' };
    expect(await videoOf('dora', alarm)).toEqual(usual);
    expect(await videoOf('dora', { ...alarm, video: null })).toBeNull();
    expect(await videoOf('dora', { ...alarm, video: { before_s: 1, after_s: 2 } })).toEqual({
      before_s: 1,
      after_s: 2,
    });
    expect(await videoOf('dora', { severity: 'warning' })).toBeNull();
    for (const event_kind of ['video_done', 'video_failed']) {
      expect(await videoOf('dora', { ...alarm, event_kind })).toBeNull();
    }
    // Nora may not order video: her alarm is one without.
    expect(await videoOf('nora', alarm)).toBeNull();
  });

  it('rules that are there keep their video as it is, whatever else is changed', async () => {
    const depot = await openDepot();
    const id = await made(depot, 'dora', {});
    const patched = async (patch: object) => {
      expect((await depot.call('dora', `PATCH ${rulesPath}/${id}`, patch)).status).toBe(200);
      return depot.rules.get(id)?.video;
    };
    expect(await patched({ severity: 'alarm' })).toBeNull();
    expect(await patched({ video: { before_s: 3, after_s: 4 } })).toEqual({ before_s: 3, after_s: 4 });
    expect(await patched({ name: 'Renamed' })).toEqual({ before_s: 3, after_s: 4 });
    expect(await patched({ video: null })).toBeNull();
    expect(await patched({ name: 'Again' })).toBeNull();
  });

  it('rules know only the parameters of their kind', async () => {
    const depot = await openDepot();
    expect(await faultOf(depot, 'dora', { params: { limit_kmh: 50 } })).toBe('params.limit_kmh');
    await made(depot, 'dora', { event_kind: 'overspeed', params: { limit_kmh: 50, tolerance_kmh: 0 } });
    const short = { event_kind: 'offline', params: { min_duration_s: 9 } };
    expect(await faultOf(depot, 'dora', short)).toBe('params.min_duration_s');
    await made(depot, 'dora', { ...short, params: { min_duration_s: 10 } });
    const id = await made(depot, 'dora', { event_kind: 'overspeed', params: { min_duration_s: 5 } });
    const patched = await depot.call('dora', `PATCH ${rulesPath}/${id}`, { event_kind: 'sos' });
    expect(patched.body.errors?.[0]?.path).toBe('params.min_duration_s');
  });

  it('rules name geofences only where the kind has to do with them', async () => {
    const depot = await openDepot();
    const geozone_ids = [await madeGeofence(depot, [])];
    for (const event_kind of kindsWithGeofences) {
      await made(depot, 'dora', { event_kind, geozone_ids });
    }
    for (const event_kind of ['sos', 'terminal_alarm']) {
      expect(await faultOf(depot, 'dora', { event_kind, geozone_ids })).toBe('geozone_ids');
    }
  });

  it('rules name only what is there, and what their user sees', async () => {
    const depot = await openDepot();
    const north = await depot.addVehicle('North 1', [groups.north]);
    const south = await depot.addVehicle('South 1', [groups.south]);
    const [northGeofence, southGeofence] = [
      await madeGeofence(depot, [groups.north]),
      await madeGeofence(depot, [groups.south]),
    ];
    const kind = { event_kind: 'geofence_enter' };
    const vehicles = (...vehicle_ids: string[]) => ({ scope: { vehicle_ids, group_ids: [] } });
    const inGroups = (...group_ids: string[]) => ({ scope: { group_ids } });
    expect(await faultOf(depot, 'dora', vehicles(north.vehicle_id, randomUUID()))).toBe(
      'scope.vehicle_ids.1',
    );
    expect(await faultOf(depot, 'nora', vehicles(north.vehicle_id, south.vehicle_id))).toBe(
      'scope.vehicle_ids.1',
    );
    expect(await faultOf(depot, 'dora', inGroups(randomUUID()))).toBe('scope.group_ids.0');
    expect(await faultOf(depot, 'nora', inGroups(groups.south))).toBe('scope.group_ids.0');
    expect(await faultOf(depot, 'dora', { ...kind, geozone_ids: [randomUUID()] })).toBe('geozone_ids.0');
    expect(await faultOf(depot, 'nora', { ...kind, geozone_ids: [southGeofence] })).toBe('geozone_ids.0');
    expect(await faultOf(depot, 'dora', inGroups())).toBe('scope');
    expect(await faultOf(depot, 'nora', { video: { before_s: 5, after_s: 5 } })).toBe('video');
    await made(depot, 'nora', {
      ...kind,
      scope: { vehicle_ids: [north.vehicle_id], group_ids: [groups.north] },
      geozone_ids: [northGeofence],
    });
    await made(depot, 'dora', {
      ...kind,
      ...vehicles(north.vehicle_id, south.vehicle_id),
      video: { before_s: 5, after_s: 5 },
    });
  });

  it('rules keep what they name already when the sight of it was lost', async () => {
    const depot = await openDepot();
    const vehicle = await depot.addVehicle('North 1', [groups.north]);
    const id = await made(depot, 'nora', { scope: { vehicle_ids: [vehicle.vehicle_id] } });
    await depot.vehicles.setGroup(vehicle.vehicle_id, groups.north, false);
    expect((await depot.call('nora', `PATCH ${rulesPath}/${id}`, { name: 'Still mine' })).status).toBe(200);
    expect(inScope(depot, id, vehicle.vehicle_id)).toBe(false);
  });

  it('rules are seen and changed by dealers all, by users their own', async () => {
    const depot = await openDepot();
    for (const { rule_id } of depot.rules.all()) await depot.call('dora', `DELETE ${rulesPath}/${rule_id}`);
    const north = await depot.addVehicle('North 1', [groups.north]);
    const depots = await made(depot, 'dora', { name: 'All' });
    await made(depot, 'dora', { name: 'South group', scope: { group_ids: [groups.south] } });
    await made(depot, 'dora', { name: 'North car', scope: { vehicle_ids: [north.vehicle_id] } });
    const noras = await made(depot, 'nora', { name: 'Nora’s' });
    expect(depot.rules.get(noras)?.owner_id).toBe(depot.users.nora.user_id);

    expect(await names(depot, 'dora')).toEqual(['All', 'Nora’s', 'North car', 'South group']);
    expect(await names(depot, 'nora')).toEqual(['All', 'Nora’s', 'North car']);
    expect(await names(depot, 'rita')).toEqual(['All', 'North car']);
    // Saul sees no vehicle yet, so no rule holds for one that he sees.
    expect(await names(depot, 'saul')).toEqual([]);
    await depot.addVehicle('South 1', [groups.south]);
    expect(await names(depot, 'saul')).toEqual(['All', 'South group']);

    const patch = { name: 'Changed' };
    expect((await depot.call('nora', `PATCH ${rulesPath}/${depots}`, patch)).body.code).toBe('forbidden');
    expect((await depot.call('nora', `DELETE ${rulesPath}/${depots}`)).body.code).toBe('forbidden');
    expect((await depot.call('saul', `PATCH ${rulesPath}/${noras}`, patch)).body.code).toBe('not_found');
    expect((await depot.call('saul', `GET ${rulesPath}/${noras}`)).body.code).toBe('not_found');
    expect((await depot.call('rita', `POST ${rulesPath}`, sos)).body.code).toBe('forbidden');
    expect((await depot.call('nora', `PATCH ${rulesPath}/${noras}`, patch)).body.name).toBe('Changed');
    const byDealer = await depot.call('dora', `PATCH ${rulesPath}/${noras}`, { name: 'Seen to' });
    expect(byDealer.body.owner_id).toBe(depot.users.nora.user_id);
    expect((await depot.call('nora', `DELETE ${rulesPath}/${noras}`)).status).toBe(204);
  });

  it('rules are changed only at the version that the caller has seen, and their scope as a whole', async () => {
    const depot = await openDepot();
    const id = await made(depot, 'dora', { scope: { group_ids: [groups.north] } });
    const path = `PATCH ${rulesPath}/${id}`;
    const changed = await depot.call('dora', path, { scope: { all: true } }, { 'if-match': '"1"' });
    expect(changed.body).toMatchObject({ version: 2, scope: { all: true } });
    expect((await depot.call('dora', path, { name: 'Late' }, { 'if-match': '"1"' })).status).toBe(412);
    expect(
      (await depot.call('dora', `DELETE ${rulesPath}/${id}`, undefined, { 'if-match': '"1"' })).status,
    ).toBe(412);
    expect((await depot.call('dora', path, { owner_id: null })).status).toBe(400);
  });
});

describe('the scope of a rule', () => {
  it('the scope of a rule is every vehicle, those named, and those of the groups named, as they are in them now', async () => {
    const depot = await openDepot();
    const [a, b, c] = [
      (await depot.addVehicle('A', [groups.north])).vehicle_id,
      (await depot.addVehicle('B', [groups.south])).vehicle_id,
      (await depot.addVehicle('C', [])).vehicle_id,
    ];
    const all = await made(depot, 'dora');
    const some = await made(depot, 'dora', { scope: { vehicle_ids: [a], group_ids: [groups.south] } });
    expect([a, b, c].map((id) => inScope(depot, all, id))).toEqual([true, true, true]);
    expect([a, b, c].map((id) => inScope(depot, some, id))).toEqual([true, true, false]);
    await depot.vehicles.setGroup(c, groups.south, true);
    await depot.vehicles.setGroup(b, groups.south, false);
    expect([a, b, c].map((id) => inScope(depot, some, id))).toEqual([true, false, true]);
    expect(inScope(depot, all, randomUUID())).toBe(false);
  });

  it('the scope of a rule ends where the rights of its owner end, at this moment', async () => {
    const depot = await openDepot();
    const { nora } = depot.users;
    const [a, b] = [
      (await depot.addVehicle('A', [groups.north])).vehicle_id,
      (await depot.addVehicle('B', [groups.south])).vehicle_id,
    ];
    const id = await made(depot, 'nora');
    const held = () => [a, b].map((vehicle) => inScope(depot, id, vehicle));
    expect(held()).toEqual([true, false]);
    nora.group_ids = [groups.south];
    expect(held()).toEqual([false, true]);
    nora.blocked = true;
    expect(held()).toEqual([false, false]);
    nora.blocked = false;
    nora.rights = { ...nora.rights, notifications: 'none' };
    expect(held()).toEqual([false, false]);
    nora.role = 'dealer';
    expect(held()).toEqual([true, true]);
    nora.user_id = randomUUID();
    expect(held()).toEqual([false, false]);
  });

  it('the scope of a rule loses a vehicle or group that is deleted; left with none, the rule is disabled and says why', async () => {
    const depot = await openDepot();
    const [a, b] = [
      (await depot.addVehicle('Truck 1', [])).vehicle_id,
      (await depot.addVehicle('Truck 2', [])).vehicle_id,
    ];
    const all = await made(depot, 'dora');
    const both = await made(depot, 'dora', { scope: { vehicle_ids: [a, b], group_ids: [groups.north] } });
    const one = await made(depot, 'dora', { scope: { vehicle_ids: [a] } });
    const group = await made(depot, 'dora', { scope: { group_ids: [groups.north] } });
    const published: string[] = [];
    depot.rules.onChange((changes) => published.push(...changes.map((it) => String(it.after?.rule_id))));

    await depot.vehicles.archive(a, null);
    expect(published.sort()).toEqual([both, one].sort());
    expect(depot.rules.get(one)).toMatchObject({
      enabled: false,
      disabled_reason: 'The last of its vehicles, Truck 1, was deleted.',
      disabled_causes: [{ code: 'rule.vehicle_deleted', values: { name: 'Truck 1' } }],
      scope: { vehicle_ids: [], group_ids: [] },
      version: 2,
    });
    expect(depot.rules.get(both)).toMatchObject({ enabled: true, scope: { vehicle_ids: [b] } });
    await depot.acts.run(() => depot.rules.groupGone(groups.north, 'North'));
    expect(depot.rules.get(group)).toMatchObject({
      enabled: false,
      disabled_reason: 'The last of its groups, North, was deleted.',
    });
    expect(depot.rules.get(both)).toMatchObject({
      enabled: true,
      scope: { vehicle_ids: [b], group_ids: [] },
    });
    expect(depot.rules.get(all)).toMatchObject({ enabled: true, version: 1 });

    const path = `PATCH ${rulesPath}/${one}`;
    expect((await depot.call('dora', path, { name: 'Renamed' })).body.disabled_reason).toContain('Truck 1');
    expect((await depot.call('dora', path, { enabled: true })).body.errors?.[0]?.path).toBe('scope');
    const revived = await depot.call('dora', path, { enabled: true, scope: { vehicle_ids: [b] } });
    expect(revived.body).toMatchObject({ enabled: true, disabled_reason: null });
  });

  it('the scope of a rule names the rule that holds on to a geofence', async () => {
    const depot = await openDepot();
    const geofence = await madeGeofence(depot, []);
    expect(depot.rules.naming(geofence)).toBeNull();
    await depot.rules.add(
      {
        ...(depot.rules.all()[0] ?? expect.fail()),
        name: 'Gate',
        event_kind: 'geofence_exit',
        geozone_ids: [geofence],
      },
      viewerOf(depot.users.dora),
    );
    expect(depot.rules.naming(geofence)?.nameFor(viewerOf(depot.users.dora))).toBe('Gate');
  });
});
