import { describe, expect, it } from 'vitest';
import { newGeofence } from '../../../server/contract/geofences.ts';
import { newRule, rulePreview, type RulePreview } from '../../../server/contract/rules.ts';
import { groups, viewerOf, type Login } from '../notifications/depot.ts';
import { day_ms, openPreviewDepot, period, yard, yardAt, type PreviewDepot } from './previewDepot.ts';

const dayMinutes = 24 * 60;

function minuteOf(time: string): number {
  return (Date.parse(time) - day_ms) / 60_000;
}

async function preview(depot: PreviewDepot, rule: object, as: Login = 'dora'): Promise<RulePreview> {
  const wanted = { name: 'Tried', scope: { all: true }, ...rule };
  const { body, text } = await depot.ask(as, 'POST /notifications/rules/preview', {
    ...period,
    rule: wanted,
  });
  const parsed = rulePreview.safeParse(body);
  if (!parsed.success) throw new Error(text);
  return parsed.data;
}

function firstMinutes({ items }: RulePreview): number[] {
  return items.map((it) => minuteOf(it.first_time));
}

async function depotWithVan() {
  const depot = await openPreviewDepot();
  const van = await depot.addVehicle('van', [groups.north]);
  const geofence = await depot.geofences.add(newGeofence.parse(yard), viewerOf(depot.users.dora));
  return { depot, van, geofence };
}

describe('the preview of a rule', () => {
  it('the preview of a rule counts how often it would have fired, as if it and its geofences had always been there', async () => {
    const { depot, van, geofence } = await depotWithVan();
    await depot.drive(van.vehicle_id, [
      { minute: -2 },
      { minute: 10, ...yardAt },
      { minute: 12 },
      { minute: 13, ...yardAt },
      { minute: 15 },
      { minute: 60, ...yardAt },
    ]);
    const found = await preview(depot, { event_kind: 'geofence_enter', cooldown_s: 600 });
    expect(found).toMatchObject({ vehicles: 1, positions: 5, events: 3, notifications: 2, truncated: false });
    expect(firstMinutes(found)).toEqual([10, 60]);
    expect(found.items[0]).toMatchObject({
      vehicle_id: van.vehicle_id,
      geozone_id: geofence.geozone_id,
      count: 2,
      late: false,
      ...yardAt,
    });
    expect(minuteOf(found.items[0]?.last_time ?? '')).toBe(13);
  });

  it('the preview of a rule counts nothing from before the period, whose state it knows all the same', async () => {
    const { depot, van } = await depotWithVan();
    await depot.drive(van.vehicle_id, [
      { minute: -20 },
      { minute: -10, ...yardAt },
      { minute: -9, ...yardAt, alarms: ['sos'] },
      { minute: 1, ...yardAt },
      { minute: 2 },
    ]);
    expect(await preview(depot, { event_kind: 'geofence_enter' })).toMatchObject({ events: 0 });
    expect(firstMinutes(await preview(depot, { event_kind: 'geofence_exit' }))).toEqual([2]);
    expect(await preview(depot, { event_kind: 'sos' })).toMatchObject({ notifications: 0, positions: 2 });
  });

  it('the preview of a rule takes each position at its own time: the order and lateness of what came changes no answer', async () => {
    const { depot, van } = await depotWithVan();
    await depot.drive(van.vehicle_id, [{ minute: 10 }]);
    await depot.drive(van.vehicle_id, [
      { minute: 1 },
      { minute: 5, ...yardAt, delay_s: 86_400, alarms: ['sos'] },
    ]);
    expect(firstMinutes(await preview(depot, { event_kind: 'geofence_enter' }))).toEqual([5]);
    expect(firstMinutes(await preview(depot, { event_kind: 'geofence_exit' }))).toEqual([10]);
    const alarms = await preview(depot, { event_kind: 'sos' });
    expect(alarms.items).toMatchObject([{ late: false, count: 1, ...yardAt }]);
  });

  it('the preview of a rule lets time pass where no position comes, and no farther than until now', async () => {
    const { depot, van } = await depotWithVan();
    await depot.drive(van.vehicle_id, [{ minute: 1 }, { minute: 100 }, { minute: dayMinutes - 5 }]);
    const silent = { event_kind: 'offline', params: { min_duration_s: 600 } };
    expect(firstMinutes(await preview(depot, silent)).map(Math.round)).toEqual([11, 110]);
    const until = new Date(depot.clock.now()).toISOString();
    const last = { minute: (depot.clock.now() - day_ms) / 60_000 - 5 };
    await depot.drive(van.vehicle_id, [last]);
    const body = { from: period.from, to: new Date(depot.clock.now() + 86_400_000).toISOString() };
    const rule = { name: 'Tried', scope: { all: true }, ...silent };
    const asked = await depot.ask('dora', 'POST /notifications/rules/preview', { ...body, rule });
    const found = rulePreview.parse(asked.body);
    expect(found.items.every((it) => it.first_time <= until)).toBe(true);
    expect(found.notifications).toBe(3);
  });

  it('the preview of a rule measures by the numbers of the rule, in its geofences and times', async () => {
    const { depot, van, geofence } = await depotWithVan();
    const fast = { speed_kmh: 70, ...yardAt };
    const minutes = [100, 100.5, 101, 700, 700.5, 701];
    await depot.drive(van.vehicle_id, [
      { minute: 99, speed_kmh: 20 },
      ...minutes.map((minute) => ({ minute, ...fast })),
      { minute: 800, speed_kmh: 90 },
      { minute: 801, speed_kmh: 90 },
    ]);
    const speed = { event_kind: 'overspeed', params: { limit_kmh: 60 }, geozone_ids: [geofence.geozone_id] };
    expect(await preview(depot, speed)).toMatchObject({ notifications: 2 });
    expect(await preview(depot, { ...speed, params: { limit_kmh: 80 } })).toMatchObject({ notifications: 0 });
    const schedule = { timezone: 'UTC', ranges: [{ days: [1], from: '10:00', to: '12:00' }] };
    expect(firstMinutes(await preview(depot, { ...speed, schedule }))).toHaveLength(1);
  });

  it('the preview of a rule is asked about a rule that is stored, switched on or not', async () => {
    const { depot, van } = await depotWithVan();
    await depot.drive(van.vehicle_id, [{ minute: 10, alarms: ['sos'] }]);
    const wanted = newRule.parse({ name: 'Off', event_kind: 'sos', scope: { all: true }, enabled: false });
    const { rule_id } = await depot.rules.add(wanted, viewerOf(depot.users.dora));
    const ask = (id: string) =>
      depot.ask('dora', 'POST /notifications/rules/preview', { ...period, rule_id: id });
    expect((await ask(rule_id)).body).toMatchObject({ notifications: 1 });
    expect((await ask(groups.west)).status).toBe(404);
  });

  it('the preview of a rule holds to the scope of the rule and to what the viewer sees, in its counts too', async () => {
    const { depot, van } = await depotWithVan();
    const bus = await depot.addVehicle('bus', [groups.south]);
    for (const { vehicle_id } of [van, bus]) {
      await depot.drive(vehicle_id, [{ minute: 9 }, { minute: 10, ...yardAt, alarms: ['sos'] }]);
    }
    const sos = { event_kind: 'sos' };
    expect(await preview(depot, sos)).toMatchObject({ vehicles: 2, positions: 4, notifications: 2 });
    const own = await preview(depot, sos, 'nora');
    expect(own).toMatchObject({ vehicles: 1, positions: 2, events: 1, notifications: 1 });
    expect(own.items.map((it) => it.vehicle_id)).toEqual([van.vehicle_id]);
    const scope = { vehicle_ids: [bus.vehicle_id] };
    expect(await preview(depot, { ...sos, scope })).toMatchObject({ vehicles: 1, notifications: 1 });
  });

  it('the preview of a rule asks nothing of geofences that the owner does not see', async () => {
    const { depot, van } = await depotWithVan();
    const both = await depot.addVehicle('both', [groups.north, groups.south]);
    const hidden = newGeofence.parse({ ...yard, group_ids: [groups.south] });
    await depot.geofences.add(hidden, viewerOf(depot.users.dora));
    for (const { vehicle_id } of [van, both]) {
      await depot.drive(vehicle_id, [{ minute: 9 }, { minute: 10, ...yardAt }]);
    }
    expect(await preview(depot, { event_kind: 'geofence_enter' })).toMatchObject({ notifications: 3 });
    expect(await preview(depot, { event_kind: 'geofence_enter' }, 'nora')).toMatchObject({
      notifications: 2,
    });
  });

  it('the preview of a rule refuses a rule that could not be added, and kinds that no track shows', async () => {
    const { depot } = await depotWithVan();
    const ask = (rule: object) =>
      depot.ask('nora', 'POST /notifications/rules/preview', {
        ...period,
        rule: { name: 'Tried', event_kind: 'sos', scope: { all: true }, ...rule },
      });
    expect((await ask({ name: 'not allowed' })).status).toBe(400);
    expect((await ask({ event_kind: 'video_done' })).status).toBe(400);
    expect((await ask({ event_kind: 'nothing' })).status).toBe(400);
  });
});
