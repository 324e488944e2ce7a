import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newRule } from '../../../server/contract/rules.ts';
import { createRecentNotifications } from '../../../server/notifications/recentNotifications.ts';
import { applyRules } from '../../../server/notifications/ruleEngine.ts';
import { everybody } from '../../../server/store/telemetry/changesTable.ts';
import { changeItem, userAlone } from '../../../server/stream/streamItems.ts';
import { addGeofence, groups, openDepot, viewerOf, type Depot, type Login } from './depot.ts';
import { eventRow } from './rows.ts';

function addRule(depot: Depot, as: Login, geozone_ids: string[] = []) {
  const wanted = { name: `Gate of ${as}`, event_kind: 'geofence_enter', scope: { all: true }, geozone_ids };
  return depot.rules.add(newRule.parse(wanted), viewerOf(depot.users[as]));
}

describe('the rule of a user', () => {
  it('the rule of a user asks nothing of geofences that the user does not see', async () => {
    const depot = await openDepot();
    const { vehicle_id } = await depot.addVehicle('Truck', [groups.north, groups.south]);
    const [north, south, all] = [
      await addGeofence(depot, [groups.north]),
      await addGeofence(depot, [groups.south]),
      await addGeofence(depot, []),
    ];
    const [noras, depots] = [await addRule(depot, 'nora'), await addRule(depot, 'dora')];
    const held = (rule: typeof noras) =>
      [north, south, all, null].map((id) => depot.rules.inScope(rule, vehicle_id, id));
    expect(held(noras)).toEqual([true, false, true, true]);
    expect(held(depots)).toEqual([true, true, true, true]);
    expect(depot.rules.inScope(noras, vehicle_id)).toBe(true);

    const news = [north, south, all].map((geozone_id) => ({
      event: eventRow({ event_id: randomUUID(), kind: 'geofence_enter', vehicle_id, geozone_id }),
      isNew: true,
    }));
    const { fired } = applyRules({
      updates: news,
      rules: [noras],
      inScope: (rule, vehicleId, geozoneId) => depot.rules.inScope(rule, vehicleId, geozoneId),
      snoozedUntil: () => null,
      recent: createRecentNotifications([], depot.clock),
      newId: randomUUID,
      now_ms: depot.clock.now(),
    });
    expect(fired.map((it) => it.row.geozone_id)).toEqual([north, all]);
  });

  it('the rule of a user is not named to others who delete its geofence', async () => {
    const depot = await openDepot();
    const north = await addGeofence(depot, [groups.north]);
    await addRule(depot, 'rita', [north]);
    const refused = async (as: Login) => {
      const { status, body } = await depot.call(as, `DELETE /geozones/${north}`);
      return [status, body.detail];
    };
    expect(await refused('nora')).toEqual([409, 'A rule names it.']);
    expect(await refused('dora')).toEqual([409, 'The rule Gate of rita names this geofence.']);
    await addRule(depot, 'nora', [north]);
    expect(await refused('nora')).toEqual([409, 'The rule Gate of nora names this geofence.']);
  });

  it('the end of a user’s rule is published to the user and dealers, that of the depot to all users who read rules', async () => {
    const { users } = await openDepot();
    const published = (visible_to: string[]) => {
      const change = { seq: 1, topic: 'rule' as const, resource_id: 'r', at_ms: 0, visible_to };
      const { gone } = changeItem(change, undefined);
      return Object.values(users)
        .filter((user) => gone?.saw(viewerOf(user)) === true)
        .map((user) => user.login);
    };
    expect(published([userAlone(users.nora.user_id)])).toEqual(['dora', 'nora']);
    expect(published([everybody])).toEqual(['dora', 'nora', 'saul', 'rita']);
  });
});
