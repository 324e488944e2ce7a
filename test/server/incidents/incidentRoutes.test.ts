import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { auditRoutes } from '../../../server/contract/audit.ts';
import { causeOf, said } from '../../../server/contract/causeTexts.ts';
import type { EventKind } from '../../../server/contract/events.ts';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { openDatabase } from '../../../server/store/telemetry/database.ts';
import { pathOf } from '../../support/caller.ts';
import { openStream } from '../../support/streamReader.ts';
import { startIncidentDepot, type IncidentDepot } from './incidentDepot.ts';

let depot: IncidentDepot;
beforeAll(async () => {
  depot = await startIncidentDepot();
});
afterAll(() => depot.host.close());

let vehicles = 0;
const nextTerminal = () => `${100 + vehicles++}`;

async function pressedSos() {
  const terminal = nextTerminal();
  const vehicle_id = await depot.addVehicle(terminal);
  await depot.press(terminal);
  const [incident] = await depot.incidentsOf(vehicle_id);
  if (incident === undefined) throw new Error('the SOS opened no incident');
  return { terminal, vehicle_id, incident, params: { incident_id: incident.incident_id } };
}

describe('an SOS', () => {
  it('an SOS opens an incident with vehicle, place, checklist and the driver of that time', async () => {
    const { vehicle_id, incident, terminal, params } = await pressedSos();
    const [alarm] = await depot.alarmsOf(vehicle_id);
    expect(incident).toMatchObject({
      ...{ title: 'SOS', status: 'open', severity: 'alarm', opened_by: 'sos', event_kind: 'sos' },
      ...{ vehicle_id, lat: 56.9, lon: 24.1, owner_id: null, created_by: null, version: 1 },
      notification_ids: [alarm?.notification_id],
    });
    expect(incident.checklist[0]).toEqual({ item_id: 1, text: 'Call the driver', done: null });
    await expect
      .poll(async () => (await depot.dealer.ask(incidentRoutes.get, { params })).driver)
      .toMatchObject({ name: `Driver ${terminal}`, phone: `+371 2000 ${terminal}` });
    const { timeline } = await depot.dealer.ask(incidentRoutes.get, { params });
    expect(timeline.items.map((it) => [it.action, it.user, it.text])).toEqual([
      ['alarm_added', null, 'SOS'],
      ['created', null, 'SOS'],
    ]);
  });

  it('an SOS that is pressed forty times is one incident until it is closed, and a new one after', async () => {
    const { vehicle_id, terminal, params, incident } = await pressedSos();
    for (let at = 0; at < 40; at++) await depot.press(terminal);
    expect(await depot.incidentsOf(vehicle_id)).toHaveLength(1);

    await depot.dealer.ask(incidentRoutes.close, { params, body: { reason: 'Test' } });
    expect((await depot.alarmsOf(vehicle_id)).map((it) => [it.state, it.ack?.note])).toEqual([
      ['acknowledged', `#${incident.number}: Test`],
    ]);
    await depot.press(terminal);
    const [newer, older] = await depot.incidentsOf(vehicle_id);
    expect([newer?.status, older?.status]).toEqual(['open', 'closed']);
    expect(newer?.number).toBeGreaterThan(incident.number);
  });

  it('an SOS of two rules with video is one incident of both alarms, as bad as the worse', async () => {
    const { dealer } = depot;
    const { items } = await dealer.ask(ruleRoutes.list, { query: { limit: 1_000 } });
    const rule = items.find((it) => it.event_kind === 'sos');
    const params = { rule_id: rule?.rule_id ?? '' };
    await dealer.ask(ruleRoutes.patch, { params, body: { severity: 'info' } });
    const { rule_id } = await dealer.ask(ruleRoutes.create, {
      body: { name: 'SOS of the port', event_kind: 'sos', severity: 'alarm', scope: { all: true } },
    });
    onTestFinished(async () => {
      await dealer.ask(ruleRoutes.patch, { params, body: { severity: 'alarm' } });
      await dealer.ask(ruleRoutes.remove, { params: { rule_id } });
    });
    const terminal = nextTerminal();
    const vehicle_id = await depot.addVehicle(terminal);
    await dealer.ask(videoRoutes.createProfile, {
      body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
    });
    await depot.press(terminal);
    const found = await depot.incidentsOf(vehicle_id);
    expect(found.map((it) => [it.title, it.severity])).toEqual([['SOS of the port', 'alarm']]);
    const alarms = await depot.alarmsOf(vehicle_id);
    expect(alarms).toHaveLength(2);
    expect(new Set(found[0]?.notification_ids)).toEqual(new Set(alarms.map((it) => it.notification_id)));
    const { items: tasks } = await dealer.ask(videoRoutes.tasks, { query: { terminal_id: terminal } });
    expect(tasks.length).toBeGreaterThan(0);
    expect(new Set(found[0]?.task_ids)).toEqual(new Set(tasks.map((it) => it.task_id)));
  });

  it('an SOS that no rule covers opens an incident all the same, unless the settings say otherwise', async () => {
    const { items } = await depot.dealer.ask(ruleRoutes.list, { query: { limit: 1_000 } });
    const rule = items.find((it) => it.event_kind === 'sos');
    const params = { rule_id: rule?.rule_id ?? '' };
    await depot.dealer.ask(ruleRoutes.patch, { params, body: { enabled: false } });
    onTestFinished(async () => {
      await depot.dealer.ask(ruleRoutes.patch, { params, body: { enabled: true } });
      await depot.dealer.ask(serviceRoutes.patchSettings, { body: { sos_opens_incident: true } });
    });
    const { vehicle_id, incident, terminal } = await pressedSos();
    expect(incident).toMatchObject({ title: 'SOS', opened_by: 'sos', notification_ids: [], rule_id: null });
    await depot.press(terminal);
    expect(await depot.incidentsOf(vehicle_id)).toHaveLength(1);

    await depot.dealer.ask(serviceRoutes.patchSettings, { body: { sos_opens_incident: false } });
    const other = nextTerminal();
    const otherId = await depot.addVehicle(other);
    await depot.press(other);
    expect(await depot.incidentsOf(otherId)).toEqual([]);
  });

  it('a rule opens incidents when it says so, one for a rule and vehicle, and none while it is snoozed', async () => {
    const rule = (name: string, opens_incident: boolean) =>
      depot.dealer.ask(ruleRoutes.create, {
        body: { name, event_kind: 'power_cut', scope: { all: true }, cooldown_s: 0, opens_incident },
      });
    const { rule_id } = await rule('Cut with incident', true);
    const { rule_id: silent } = await rule('Cut without', false);
    const terminal = nextTerminal();
    const vehicle_id = await depot.addVehicle(terminal);
    const { snooze_id } = await depot.dealer.ask(notificationRoutes.snooze, {
      body: { rule_id, duration_s: 3_600 },
    });
    const cut = async () => {
      await depot.press(terminal, 'powerCut');
      await depot.press(terminal, '');
    };
    await cut();
    expect(await depot.incidentsOf(vehicle_id)).toEqual([]);
    await depot.dealer.ask(notificationRoutes.unsnooze, { params: { snooze_id } });
    await cut();
    await cut();
    const found = await depot.incidentsOf(vehicle_id);
    expect(found.map((it) => [it.title, it.opened_by, it.rule_id])).toEqual([
      ['Cut with incident', 'rule', rule_id],
    ]);
    const alarms = await depot.alarmsOf(vehicle_id);
    const ofRule = alarms.filter((it) => it.rule_id === rule_id).map((it) => it.notification_id);
    expect(new Set(found[0]?.notification_ids)).toEqual(new Set(ofRule.slice(0, 2)));
    for (const id of [rule_id, silent])
      await depot.dealer.ask(ruleRoutes.remove, { params: { rule_id: id } });
  });

  it('an incident that a rule of a user opens is counted for that user, and an SOS for nobody', async () => {
    const rule = (event_kind: EventKind) =>
      depot.anna.ask(ruleRoutes.create, {
        body: { name: event_kind, event_kind, scope: { all: true }, opens_incident: true },
      });
    const rules = [await rule('power_cut'), await rule('sos')];
    const terminal = nextTerminal();
    const vehicle_id = await depot.addVehicle(terminal);
    await depot.press(terminal, 'powerCut');
    await depot.press(terminal);
    expect(await depot.incidentsOf(vehicle_id)).toHaveLength(2);
    const db = openDatabase(join(depot.host.data, 'telemetry.db'), { readOnly: true });
    expect(
      db.all('SELECT event_kind, rule_owner FROM incidents WHERE vehicle_id = ? ORDER BY number', [
        vehicle_id,
      ]),
    ).toEqual([
      { event_kind: 'power_cut', rule_owner: rules[0]?.owner_id },
      { event_kind: 'sos', rule_owner: null },
    ]);
    db.close();
    expect(rules[0]?.owner_id).toEqual(expect.any(String));
    for (const { rule_id } of rules) await depot.anna.ask(ruleRoutes.remove, { params: { rule_id } });
  });
});

describe('an incident', () => {
  it('an incident is opened of alarms, of a vehicle and a moment, and of a point, once for one key', async () => {
    const { anna } = depot;
    const terminal = nextTerminal();
    const vehicle_id = await depot.addVehicle(terminal);
    await depot.dealer.ask(serviceRoutes.patchSettings, { body: { sos_opens_incident: false } });
    await depot.press(terminal);
    await depot.dealer.ask(serviceRoutes.patchSettings, { body: { sos_opens_incident: true } });
    const [alarm] = await depot.alarmsOf(vehicle_id);
    const notification_ids = [alarm?.notification_id ?? ''];
    const me = (await anna.ask(userRoutes.me)).user_id;

    const ofAlarm = await anna.ask(incidentRoutes.create, { body: { notification_ids, owner_id: me } });
    expect(ofAlarm).toMatchObject({
      ...{ title: 'SOS', severity: 'alarm', opened_by: 'user', vehicle_id, created_by: me },
      ...{ owner_id: me, owner_name: 'anna', time: alarm?.first_time, notification_ids },
    });
    expect(await anna.outcome(incidentRoutes.create, { body: { notification_ids } })).toBe('409 in_use');

    const ofVehicle = await anna.ask(incidentRoutes.create, {
      body: { title: 'Flat tyre', vehicle_id, note: 'Rear left' },
    });
    expect(ofVehicle).toMatchObject({ vehicle_id, lat: 56.9, lon: 24.1, notes: 1, severity: 'warning' });

    const headers = { 'Idempotency-Key': 'oil on the road' };
    const body = { title: 'Oil on the road', lat: 57, lon: 24 };
    const ofPoint = await anna.ask(incidentRoutes.create, { body, headers });
    expect(ofPoint).toMatchObject({ vehicle_id: null, lat: 57, lon: 24, event_kind: null });
    const again = await anna.ask(incidentRoutes.create, { body, headers });
    expect([again.incident_id, again.number]).toEqual([ofPoint.incident_id, ofPoint.number]);
    for (const wrong of [{}, { title: 'x' }, { title: 'x', lat: 1 }, { vehicle_id }])
      expect(await anna.outcome(incidentRoutes.create, { body: wrong })).toBe('400 validation_failed');
  });

  it('an incident is seen by who sees its vehicle, and one of a point by its author, owner and who sees all', async () => {
    const { anna, reader, boris, dealer } = depot;
    const { params } = await pressedSos();
    const { incident_id } = await anna.ask(incidentRoutes.create, {
      body: { title: 'Oil', lat: 57, lon: 24 },
    });
    const point = { params: { incident_id } };
    const outcomes = (caller: typeof anna) =>
      Promise.all([
        caller.outcome(incidentRoutes.get, { params }),
        caller.outcome(incidentRoutes.get, point),
        caller.outcome(incidentRoutes.note, { params, body: { text: 'seen' } }),
      ]);
    expect(await outcomes(anna)).toEqual([200, 200, 201]);
    // All vehicles are in Anna's group.
    expect(await outcomes(reader)).toEqual([200, 200, '403 forbidden']);
    expect(await outcomes(boris)).toEqual(['404 not_found', '404 not_found', '404 not_found']);
    expect((await boris.ask(incidentRoutes.list)).items).toEqual([]);
    const user_id = (await boris.ask(userRoutes.me)).user_id;
    await dealer.ask(incidentRoutes.patch, { ...point, body: { owner_id: user_id } });
    expect(await boris.outcome(incidentRoutes.get, point)).toBe(200);
    expect((await boris.ask(incidentRoutes.list)).items.map((it) => it.incident_id)).toEqual([incident_id]);
    expect(await dealer.outcome(incidentRoutes.patch, { params, body: { owner_id: user_id } })).toBe(
      '400 validation_failed',
    );
    const { items } = await anna.ask(incidentRoutes.owners, { params });
    expect(items.map((it) => it.name)).toEqual(['anna', 'dealer']);
  });

  it('an incident of a point is given to nobody of another group, and names nobody of one', async () => {
    const { anna, boris } = depot;
    const { user_id } = await anna.ask(userRoutes.me);
    const body = { title: 'Ice', lat: 57, lon: 24 };
    const { incident_id } = await boris.ask(incidentRoutes.create, { body });
    const params = { incident_id };
    const { items } = await boris.ask(incidentRoutes.owners, { params });
    expect(items.map((it) => it.name)).toEqual(['boris', 'dealer']);
    const given = [
      boris.outcome(incidentRoutes.patch, { params, body: { owner_id: user_id } }),
      boris.outcome(incidentRoutes.create, { body: { ...body, owner_id: user_id } }),
    ];
    expect(await Promise.all(given)).toEqual(['400 validation_failed', '400 validation_failed']);
  });

  it('an incident is changed by its version, closed for a reason of the list, and reopened', async () => {
    const { anna } = depot;
    const { params } = await pressedSos();
    const stale = { 'If-Match': '"1"' };
    const patched = await anna.ask(incidentRoutes.patch, {
      ...{ params, headers: stale },
      body: { status: 'in_progress', title: 'Help on the quay' },
    });
    expect(patched).toMatchObject({ status: 'in_progress', title: 'Help on the quay', version: 2 });
    const body = { status: 'waiting' as const };
    expect(await anna.outcome(incidentRoutes.patch, { params, body, headers: stale })).toBe(
      '412 version_conflict',
    );
    expect(await anna.outcome(incidentRoutes.close, { params, body: { reason: 'Because' } })).toBe(
      '400 validation_failed',
    );
    const closed = await anna.ask(incidentRoutes.close, {
      ...{ params, body: { reason: 'Resolved', note: 'Driver is well' } },
    });
    expect(closed).toMatchObject({ status: 'closed', close_reason: 'Resolved', version: 3 });
    expect(closed.closed_at).not.toBeNull();
    const refused = [
      anna.outcome(incidentRoutes.patch, { params, body }),
      anna.outcome(incidentRoutes.tick, { params: { ...params, item_id: 1 }, body: { done: true } }),
      anna.outcome(incidentRoutes.close, { params, body: { reason: 'Resolved' } }),
    ];
    expect(await Promise.all(refused)).toEqual(['409 in_use', '409 in_use', '409 in_use']);
    expect(await anna.call('PATCH', pathOf(incidentRoutes.patch, { params }), body)).toMatchObject({
      body: said(causeOf('incident.closed')),
    });
    expect(await anna.outcome(incidentRoutes.note, { params, body: { text: 'Later' } })).toBe(201);
    expect(await anna.ask(incidentRoutes.reopen, { params })).toMatchObject({
      ...{ status: 'open', close_reason: null, closed_at: null },
    });
    const { timeline } = await anna.ask(incidentRoutes.get, { params });
    expect(timeline.items.map((it) => [it.action, it.user?.name ?? null, it.from, it.to])).toEqual([
      ['reopened', 'anna', 'Resolved', null],
      ['note_added', 'anna', null, null],
      ['closed', 'anna', 'in_progress', 'Resolved'],
      ['status_changed', 'anna', 'open', 'in_progress'],
      ['renamed', 'anna', 'SOS', 'Help on the quay'],
      ['alarm_added', null, null, null],
      ['created', null, null, null],
    ]);
  });

  it('an incident says by whom its alarms were acknowledged while they are attached', async () => {
    const { params, incident } = await pressedSos();
    const [notification_id = ''] = incident.notification_ids;
    await depot.anna.ask(notificationRoutes.ack, { params: { notification_id }, body: { note: 'on it' } });
    const { timeline, status } = await depot.dealer.ask(incidentRoutes.get, { params });
    expect(timeline.items[0]).toMatchObject({
      ...{ action: 'alarm_acknowledged', text: 'on it', notification_id, user: { name: 'anna' } },
    });
    expect(status).toBe('open');
    await depot.anna.ask(incidentRoutes.detachAlarm, { params: { ...params, notification_id } });
    await depot.anna.ask(incidentRoutes.attachAlarm, { params: { ...params, notification_id } });
    const after = await depot.dealer.ask(incidentRoutes.get, { params });
    expect(after.notification_ids).toEqual([notification_id]);
  });

  it('an alarm that was taken off an incident stays off when it repeats, until somebody attaches it again', async () => {
    const { params, incident, terminal, vehicle_id } = await pressedSos();
    const [notification_id = ''] = incident.notification_ids;
    const alarm = { params: { ...params, notification_id } };
    const attached = async () => (await depot.dealer.ask(incidentRoutes.get, { params })).notification_ids;
    await depot.anna.ask(incidentRoutes.detachAlarm, alarm);
    await depot.press(terminal);
    expect(await attached()).toEqual([]);
    expect(await depot.incidentsOf(vehicle_id)).toHaveLength(1);
    await depot.anna.ask(incidentRoutes.attachAlarm, alarm);
    await depot.press(terminal);
    expect(await attached()).toEqual([notification_id]);
  });

  it('an incident of a vehicle with the alarm of another one says nothing of where that was', async () => {
    const { dealer } = depot;
    const { params, incident } = await pressedSos();
    const [notification_id = ''] = incident.notification_ids;
    await dealer.ask(incidentRoutes.detachAlarm, { params: { ...params, notification_id } });
    const vehicle_id = await depot.addVehicle(nextTerminal());
    const body = { vehicle_id, notification_ids: [notification_id] };
    const made = await dealer.ask(incidentRoutes.create, { body });
    expect(made).toMatchObject({ vehicle_id, lat: null, lon: null, notification_ids: [notification_id] });
  });

  it('an incident that is closed leaves alarms open that its closer does not see', async () => {
    const { dealer, anna } = depot;
    const { params, vehicle_id } = await pressedSos();
    const terminal_id = nextTerminal();
    const body = { terminal_id, name: 'Of another customer', group_ids: [] };
    const other = (await dealer.ask(vehicleRoutes.create, { body })).vehicle_id;
    await depot.press(terminal_id);
    const [elsewhere] = await depot.incidentsOf(other);
    const [notification_id = ''] = elsewhere?.notification_ids ?? [];
    await dealer.ask(incidentRoutes.detachAlarm, {
      params: { incident_id: elsewhere?.incident_id ?? '', notification_id },
    });
    await dealer.ask(incidentRoutes.attachAlarm, { params: { ...params, notification_id } });
    await anna.ask(incidentRoutes.close, { params, body: { reason: 'Test' } });
    const states = async (id: string) => (await depot.alarmsOf(id)).map((it) => it.state);
    expect(await Promise.all([vehicle_id, other].map(states))).toEqual([['acknowledged'], ['open']]);
  });

  it('an incident is found by number, title, driver, vehicle and filters, page by page', async () => {
    const { dealer } = depot;
    const { incident, params, terminal } = await pressedSos();
    await dealer.ask(incidentRoutes.patch, { params, body: { title: 'Übung am Kai' } });
    const find = async (query: object) =>
      (await dealer.ask(incidentRoutes.list, { query })).items.map((it) => it.number);
    for (const q of [`#${incident.number}`, 'ubung kai', `van ${terminal}`, `AL${terminal}`])
      expect(await find({ q })).toContain(incident.number);
    await expect.poll(() => find({ q: `driver ${terminal}` })).toEqual([incident.number]);
    expect(await find({ q: 'nobody has this' })).toEqual([]);
    // Who may not see vehicles finds by nothing of them.
    const finds = async (caller: typeof dealer, q: string) =>
      (await caller.ask(incidentRoutes.list, { query: { q } })).items.map((it) => it.number);
    expect(await finds(depot.reader, 'ubung kai')).toEqual([incident.number]);
    for (const q of [`driver ${terminal}`, `2000 ${terminal}`, `AL${terminal}`]) {
      expect(await finds(dealer, q)).toEqual([incident.number]);
      expect(await finds(depot.reader, q)).toEqual([]);
    }
    expect(await find({ status: 'closed', q: 'ubung' })).toEqual([]);
    expect(await find({ status: 'open,waiting', owner: 'nobody', q: 'ubung' })).toEqual([incident.number]);
    expect(await find({ owner: 'me', q: 'ubung' })).toEqual([]);
    const all = await find({});
    const first = await dealer.ask(incidentRoutes.list, { query: { limit: 2 } });
    const second = await dealer.ask(incidentRoutes.list, {
      query: { limit: 2, cursor: first.next_cursor ?? '' },
    });
    expect([...first.items, ...second.items].map((it) => it.number)).toEqual(all.slice(0, 4));
  });

  it('an incident comes by the stream as each viewer may see it, and what was missed comes again', async () => {
    const { host, anna, boris } = depot;
    const stream = await openStream(host.url, anna, { query: 'topics=incident' });
    const other = await openStream(host.url, boris, { query: 'topics=incident,notification' });
    onTestFinished(() => [stream, other].forEach((it) => it.close()));
    const { params, incident } = await pressedSos();
    const opened = await stream.next('incident', (it) => 'number' in it && it.number === incident.number);
    expect(opened.data).toMatchObject({ status: 'open', title: 'SOS' });
    const lastId = stream.lastId();
    stream.close();
    await anna.ask(incidentRoutes.note, { params, body: { text: 'Called twice' } });
    const later = await openStream(host.url, anna, { query: 'topics=incident', lastId });
    onTestFinished(() => later.close());
    const noted = await later.next('incident', (it) => 'notes' in it && it.notes === 1);
    expect(noted.data).toMatchObject({ last_entry: { action: 'note_added', text: 'Called twice' } });
    expect(other.messages.filter((it) => it.topic === 'incident')).toEqual([]);
  });

  it('an incident has its clips and says when they are there; they are for who may see video', async () => {
    const { dealer, anna, reader, clock } = depot;
    const { params, vehicle_id } = await pressedSos();
    const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
      body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
    });
    const iso = (ms: number) => new Date(ms).toISOString();
    const { task_id } = await anna.ask(videoRoutes.createTask, {
      body: { profile_id, channel: 1, from: iso(clock.now() - 3_000), to: iso(clock.now() - 1_000) },
    });
    const clip = { params: { ...params, task_id } };
    expect(await anna.ask(incidentRoutes.attachClip, clip)).toMatchObject({ task_ids: [task_id] });
    expect(await anna.ask(incidentRoutes.attachClip, clip)).toMatchObject({ task_ids: [task_id] });
    const seen = await reader.ask(incidentRoutes.get, { params });
    expect([seen.task_ids, seen.timeline.items.some((it) => it.task_id !== null)]).toEqual([[], false]);
    await expect
      .poll(async () => (await anna.ask(incidentRoutes.get, { params })).last_entry?.action, {
        timeout: 60_000,
      })
      .toBe('clip_done');
    expect(await anna.ask(incidentRoutes.detachClip, clip)).toMatchObject({ task_ids: [] });
  }, 240_000);

  it('an incident’s changes stand in the audit log with who made them', async () => {
    const { dealer, anna } = depot;
    const { params, incident } = await pressedSos();
    await anna.ask(incidentRoutes.tick, { params: { ...params, item_id: 1 }, body: { done: true } });
    await anna.ask(incidentRoutes.note, { params, body: { text: 'No answer' } });
    await anna.ask(incidentRoutes.close, { params, body: { reason: 'Test' } });
    const { items } = await dealer.ask(auditRoutes.list, {
      query: { kind: 'incident', entity_id: params.incident_id },
    });
    expect(items.map((it) => [it.actor.login, it.action, it.after])).toEqual([
      ['anna', 'changed', { status: 'closed', close_reason: 'Test' }],
      ['anna', 'changed', { note: 'No answer' }],
      ['anna', 'changed', { 'Call the driver': true }],
    ]);
    const name = `#${incident.number} SOS`;
    expect(items.map((it) => it.entity_name)).toEqual([name, name, name]);
    const hour = 3_600_000;
    const [from, to] = [-hour, hour].map((it) => new Date(depot.clock.now() + it).toISOString());
    const csv = await dealer.get(`/api/v1/audit/csv?kind=incident&from=${from}&to=${to}`);
    expect(csv.text).toContain(name);
  });

  it('an incident loses nothing of what several people and alarms do to it at once', async () => {
    const { anna, dealer } = depot;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('note', 'tick', 'alarm', 'status', 'title'), {
          minLength: 4,
          maxLength: 12,
        }),
        async (acts) => {
          const { params, terminal, vehicle_id } = await pressedSos();
          const [first] = await depot.alarmsOf(vehicle_id);
          await dealer.ask(notificationRoutes.ack, {
            params: { notification_id: first?.notification_id ?? '' },
          });
          const done = acts.map((act, at) => {
            const caller = at % 2 === 0 ? anna : dealer;
            switch (act) {
              case 'note':
                return caller.outcome(incidentRoutes.note, { params, body: { text: `note ${at}` } });
              case 'tick':
                return caller.outcome(incidentRoutes.tick, {
                  params: { ...params, item_id: (at % 5) + 1 },
                  body: { done: true },
                });
              case 'alarm':
                return depot.press(terminal);
              case 'status':
                return caller.outcome(incidentRoutes.patch, {
                  params,
                  body: { status: at % 2 === 0 ? 'waiting' : 'in_progress' },
                });
              default:
                return caller.outcome(incidentRoutes.patch, { params, body: { title: `title ${at}` } });
            }
          });
          expect((await Promise.all(done)).filter((it) => typeof it === 'string')).toEqual([]);
          const after = await dealer.ask(incidentRoutes.get, { params });
          const of = (action: string) => after.timeline.items.filter((it) => it.action === action);
          const asked = (act: string) => acts.flatMap((it, at) => (it === act ? at : []));
          expect(
            of('note_added')
              .map((it) => it.text)
              .sort(),
          ).toEqual(
            asked('note')
              .map((at) => `note ${at}`)
              .sort(),
          );
          const ticked = new Set(asked('tick').map((at) => (at % 5) + 1));
          expect(new Set(after.checklist.flatMap((it) => (it.done === null ? [] : it.item_id)))).toEqual(
            ticked,
          );
          expect(
            of('renamed')
              .map((it) => it.to)
              .sort(),
          ).toEqual(
            asked('title')
              .map((at) => `title ${at}`)
              .sort(),
          );
          const alarms = await depot.alarmsOf(vehicle_id);
          expect(new Set(after.notification_ids)).toEqual(new Set(alarms.map((it) => it.notification_id)));
          expect(after.notes).toBe(asked('note').length);
        },
      ),
      { numRuns: 6 },
    );
  });
});
