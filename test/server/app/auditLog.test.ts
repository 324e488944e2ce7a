import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { apiTokenRoutes } from '../../../server/contract/apiTokens.ts';
import { apiRoutes } from '../../../server/contract/api.ts';
import { auditRoutes, type AuditEntry } from '../../../server/contract/audit.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { parseCsv } from '../../support/parseCsv.ts';
import { callerFor, startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
const dayMs = 86_400_000;
const secrets = {
  user: 'a password of Berta',
  smtp: 'hush of the mail server',
  webhook: 'sixteen characters',
};
const geometry: { type: 'Point'; coordinates: [number, number] } = {
  type: 'Point',
  coordinates: [24.1, 56.95],
};
const period = () => ({
  from: new Date(clock.now() - dayMs).toISOString(),
  to: new Date(clock.now() + dayMs).toISOString(),
});

let host: TestHost;
let dealer: Caller;
let dealerId: string;
beforeAll(async () => {
  const rights = { vehicles: 'write', geofences: 'write', notifications: 'write', reports: 'read' } as const;
  host = await startTestHost({ clock, settings: { jwtTtlS: 86_400 }, users: [{ login: 'anna', rights }] });
  dealer = await host.login();
  dealerId = (await dealer.ask(userRoutes.me)).user_id;
});
afterAll(() => host.close());

const entries = async (query: Record<string, string | number> = {}): Promise<AuditEntry[]> =>
  (await dealer.ask(auditRoutes.list, { query: { limit: 1_000, ...query } })).items;

it('the audit log says who created, changed and deleted what of each kind, from where, before and after', async () => {
  const { user_id } = await dealer.ask(userRoutes.create, {
    body: { login: 'berta', password: secrets.user },
  });
  await dealer.ask(userRoutes.patch, { params: { user_id }, body: { rights: { vehicles: 'write' } } });
  await dealer.ask(userRoutes.patch, { params: { user_id }, body: { password: `${secrets.user}!` } });
  const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'North' } });
  const { vehicle_id } = await dealer.ask(vehicleRoutes.create, {
    body: { terminal_id: 'V1', name: 'Van', group_ids: [group_id] },
  });
  await dealer.ask(vehicleRoutes.patch, { params: { vehicle: vehicle_id }, body: { name: 'Lorry' } });
  const { geozone_id } = await dealer.ask(geofenceRoutes.create, {
    body: { name: 'Yard', shape: 'circle', geometry, radius_m: 100 },
  });
  await dealer.ask(geofenceRoutes.patch, { params: { geozone_id }, body: { radius_m: 200 } });
  await dealer.ask(geofenceRoutes.remove, { params: { geozone_id } });
  const { rule_id } = await dealer.ask(ruleRoutes.create, {
    body: { name: 'Silent', event_kind: 'offline', severity: 'warning', scope: { all: true } },
  });
  await dealer.ask(ruleRoutes.remove, { params: { rule_id } });
  await dealer.ask(serviceRoutes.patchSettings, { body: { idle_s: 400 } });
  const smtp = {
    host: 'mail.example',
    from: 'depot@mail.example',
    username: 'depot',
    password: secrets.smtp,
  };
  await dealer.ask(notificationRoutes.patchChannels, { body: { smtp, webhook_secret: secrets.webhook } });
  const { token, jwt } = await dealer.ask(apiTokenRoutes.create, {
    body: {
      name: 'ERP',
      rights: { vehicles: 'write' },
      expires_at: new Date(clock.now() + dayMs).toISOString(),
    },
  });
  await callerFor(host.url, jwt).ask(vehicleRoutes.patch, {
    ...{ params: { vehicle: vehicle_id }, body: { plate: 'AL 1' } },
  });
  await dealer.ask(apiTokenRoutes.revoke, { params: { token_id: token.token_id } });

  await dealer.post('/service/vsvc/api/profiles', {
    ...{ vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'Front' }] },
  });

  const log = await entries();
  for (const entry of log) {
    expect(entry).toMatchObject({ actor: { user_id: dealerId, login: 'dealer' }, address: '127.0.0.1' });
  }
  const of = async (entity_id: string) =>
    (await entries({ entity_id })).toReversed().map((it) => [it.action, it.before, it.after] as const);
  expect(await of(user_id)).toMatchObject([
    ['created', null, { login: 'berta', password_hash: 'changed' }],
    ['changed', { rights: { vehicles: 'read' } }, { rights: { vehicles: 'write' } }],
    ['changed', { password_hash: 'changed' }, { password_hash: 'changed' }],
  ]);
  expect(await of(vehicle_id)).toMatchObject([
    ['created', null, { name: 'Van' }],
    ['changed', { name: 'Van' }, { name: 'Lorry' }],
    ['changed', { plate: null }, { plate: 'AL 1' }],
  ]);
  // A video profile has no name: it is called by its vehicle.
  expect((await entries({ kind: 'profile' })).map((it) => it.entity_name)).toEqual(['Lorry']);
  expect(await of(geozone_id)).toMatchObject([
    ['created', null, { name: 'Yard', radius_m: 100 }],
    ['changed', { radius_m: 100 }, { radius_m: 200 }],
    ['deleted', { name: 'Yard', radius_m: 200 }, null],
  ]);
  expect((await of(rule_id)).map(([action]) => action)).toEqual(['created', 'deleted']);
  expect(await of('settings')).toMatchObject([['changed', { idle_s: 300 }, { idle_s: 400 }]]);
  expect(await of('channels')).toMatchObject([
    ['changed', { webhook_secret: null }, { webhook_secret: 'changed' }],
  ]);
  expect((await of(token.token_id)).map(([action]) => action)).toEqual(['created', 'deleted']);
  const [byToken] = await entries({ entity_id: vehicle_id, action: 'changed' });
  expect(byToken).toMatchObject({
    token: { token_id: token.token_id, name: 'ERP' },
    ...{ entity_name: 'Lorry', before: { plate: null }, after: { plate: 'AL 1' } },
  });
  const text = JSON.stringify(log);
  expect(Object.values(secrets).filter((secret) => text.includes(secret))).toEqual([]);
  expect(text).not.toContain(jwt);
});

it('the audit log is paged from new to old and narrowed down by period, actor, kind and action', async () => {
  const all = await entries();
  const paged: AuditEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: object = { limit: 3, ...(cursor !== '' && { cursor }) };
    const page: { items: AuditEntry[]; next_cursor: string | null } = await dealer.ask(auditRoutes.list, {
      query,
    });
    paged.push(...page.items);
    cursor = page.next_cursor;
  }
  expect(paged).toEqual(all);
  expect(all.map((it) => it.audit_id)).toEqual(all.map((it) => it.audit_id).toSorted((a, b) => b - a));

  for (const [query, matches] of [
    [{ kind: 'user' }, (it: AuditEntry) => it.kind === 'user'],
    [{ action: 'deleted' }, (it: AuditEntry) => it.action === 'deleted'],
    [
      { kind: 'geofence', action: 'created' },
      (it: AuditEntry) => it.kind === 'geofence' && it.action === 'created',
    ],
    [{ actor: dealerId }, () => true],
    [{ actor: 'nobody' }, () => false],
    [period(), () => true],
    [{ to: period().from }, () => false],
  ] as const) {
    expect(await entries(query)).toEqual(all.filter(matches));
  }
});

it('a user without the right is answered 403 for the audit log and its CSV, and a stranger 401', async () => {
  const anna = await host.login('anna');
  expect(await anna.outcome(auditRoutes.list)).toBe('403 forbidden');
  expect(await anna.outcome(auditRoutes.export, { query: period() })).toBe('403 forbidden');
  expect(await host.anybody.outcome(auditRoutes.list)).toBe('401 jwt_missing');
});

it('no operation adds to the audit log, changes it or deletes from it', async () => {
  const operations = apiRoutes.filter((it) => it.path.startsWith('/api/v1/audit'));
  expect(operations.map((it) => it.method)).toEqual(['GET', 'GET']);
  const before = await entries();
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    expect((await dealer.call(method, '/api/v1/audit')).status).toBeGreaterThanOrEqual(404);
    expect((await dealer.call(method, `/api/v1/audit/${before[0]?.audit_id}`)).status).toBeGreaterThanOrEqual(
      404,
    );
  }
  expect(await entries()).toEqual(before);
});

it('the CSV of the audit log holds what its filters name, in lines with before and after', async () => {
  const query = { ...period(), kind: 'geofence' } as const;
  const search = new URLSearchParams(query).toString();
  const answer = await dealer.get(`/api/v1/audit/csv?${search}`);
  expect(answer.headers.get('content-disposition')).toContain('audit_');
  const listed = await entries({ kind: 'geofence' });
  expect(listed).toHaveLength(3);
  expect(parseCsv(answer.text)).toEqual(
    listed.map((it) =>
      expect.objectContaining({
        ...{ time: it.time, user: 'dealer', address: '127.0.0.1', action: it.action, kind: 'geofence' },
        ...{ entity_id: it.entity_id },
        ...(it.entity_name !== null && { entity_name: it.entity_name }),
        ...(it.before && { before: JSON.stringify(it.before) }),
        ...(it.after && { after: JSON.stringify(it.after) }),
      }),
    ),
  );
  const tooLong = { from: '2024-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };
  expect(await dealer.outcome(auditRoutes.export, { query: tooLong })).toBe('400 validation_failed');
});

it('each export is in the audit log with what was asked for; what the console shows or what is refused is not', async () => {
  const anna = await host.login('anna');
  const { user_id, group_ids } = await anna.ask(userRoutes.me);
  await dealer.ask(vehicleRoutes.create, { body: { terminal_id: 'A1', name: 'Of Anna', group_ids } });
  const { from, to } = period();
  const paths = {
    getVehicleTrack: `/api/v1/vehicles/A1/track?from=${from}&to=${to}&format=gpx`,
    getFleetTracks: `/api/v1/tracks?from=${from}&to=${to}`,
    getTripsReport: `/api/v1/reports/trips?from=${from}&to=${to}&format=csv`,
    exportGeofences: '/api/v1/geozones/export?format=kml',
  };
  for (const path of [
    `/api/v1/vehicles/A1/track?from=${from}&to=${to}`,
    `/api/v1/reports/trips?from=${from}&to=${to}`,
    `/api/v1/vehicles/Z9/track?from=${from}&to=${to}&format=gpx`,
    `/api/v1/audit/csv?from=${from}&to=${to}`,
    ...Object.values(paths),
  ]) {
    await anna.get(path);
  }
  const exported = await vi.waitFor(async () => {
    const items = await entries({ actor: user_id, action: 'exported' });
    expect(items).toHaveLength(4);
    return items;
  });
  expect(Object.fromEntries(exported.map((it) => [it.entity_id, it.after]))).toEqual({
    getVehicleTrack: { vehicle: 'A1', from, to, format: 'gpx' },
    getFleetTracks: { from, to },
    getTripsReport: expect.objectContaining({ from, to, format: 'csv' }) as unknown,
    exportGeofences: { format: 'kml' },
  });
  expect(exported[0]).toMatchObject({
    kind: 'export',
    actor: { login: 'anna' },
    address: '127.0.0.1',
    before: null,
  });
  const ofFiles = apiRoutes.filter((it) => it.exports === true).map((it) => it.id);
  expect(ofFiles).toEqual(
    expect.arrayContaining([...Object.keys(paths), 'exportVideoEvidence', 'exportAuditLog']),
  );
});
