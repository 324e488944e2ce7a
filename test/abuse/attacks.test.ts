import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiRoutes } from '../../server/contract/api.ts';
import type { Route } from '../../server/contract/route.ts';
import { contractLimits } from '../../server/http/rateLimit.ts';
import { dealerPassword, startTestHost, type Caller, type TestHost } from '../support/testHost.ts';
import { allAttacks, operationAttacks } from './attacks.ts';
import { bodyOf, nameOf, type Call, type Field, type OperationAttack } from './attack.ts';
import { keeperLogin, makeDepot, type StoredDepot } from './depot.ts';
import { attackerOf, meetsTarget, percentiles, routeOf, runAttack, type Outcome } from './runAttack.ts';
import { headLine, rowOf } from './table.ts';

let depot: StoredDepot;
beforeAll(async () => {
  depot = await makeDepot({
    ...{ vehicles: 3, monthOld: 1, every_s: 3_600 },
    ...{ geofences: 20, calls: 3, clips: 1, leavers: 2 },
  });
});
afterAll(() => depot.remove());

it('every operation of the contract has its attack', () => {
  const attacked = new Set(operationAttacks.map((it) => it.operation));
  expect([...attacked].sort()).toEqual(apiRoutes.map(({ id }) => id).sort());
});

it('no two attacks bear the same name', () => {
  const names = allAttacks.map(nameOf);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

it('an attacker has no more rights than its operation asks for', () => {
  const attackers = Object.fromEntries(apiRoutes.map((route) => [route.id, attackerOf(route)]));
  expect(attackers).toMatchObject({
    getMe: 'powerless',
    listVehicles: 'vehicles-read',
    createGeofence: 'geofences-write',
    listUsers: 'dealer',
  });
});

describe('every call of an attack', () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startTestHost({ data: depot.folder, checkReplies: false });
  });
  afterAll(() => host.stop());

  it('every call of an attack is accepted by the contract, or refused where the attack says so', async () => {
    const keeper = await host.login(keeperLogin);
    const callers = new Map<string, Promise<Caller>>();
    const login = (name: string) => {
      const caller = callers.get(name) ?? host.login(name, dealerPassword);
      callers.set(name, caller);
      return caller;
    };
    const made: { attack: OperationAttack; call: (at: number) => Call }[] = [];
    // One after the other: some take seconds of this thread, in which connections of the others would time out.
    for (const attack of operationAttacks) {
      const attacker = await login(attackerOf(routeOf(attack)));
      const field: Field = { url: host.url, intake: host.intake, depot, keeper, attacker, login };
      made.push({ attack, call: await attack.calls(field) });
    }
    const wrong = made.flatMap(({ attack, call }) => {
      const faults = faultsOf(routeOf(attack), call(0));
      return faults.length > 0 === (attack.refused === true) ? [] : [`${nameOf(attack)}: ${faults.join()}`];
    });
    expect(wrong).toEqual([]);
    // The largest bodies of all operations are made, and read by the contract.
  }, 240_000);
});

/** What the contract has against a call; its texts of other kinds are files, which the domains read. */
function faultsOf(route: Route, call: Call): string[] {
  const body = bodyOf(route, call);
  const parts = [
    ['path', route.params, call.params],
    ['query', route.query, call.query ?? {}],
    ['body', body === null ? undefined : route.body, body],
  ] as const;
  const text = typeof call.body === 'string' ? call.body : JSON.stringify(call.body ?? '');
  const bodyLimit = route.bytesBody?.most ?? route.bodyLimit ?? 1_048_576;
  const tooLong = Buffer.byteLength(text) > bodyLimit ? [`body: is longer than ${bodyLimit} bytes`] : [];
  const wrong = parts.flatMap(([where, schema, value]) => {
    if (schema === undefined) return value === undefined || where !== 'path' ? [] : [`${where}: takes none`];
    const parsed = schema.safeParse(value);
    return parsed.success ? [] : [`${where}: ${parsed.error.message}`];
  });
  return [...tooLong, ...wrong];
}

describe('an attack on a host of its own', () => {
  const run = (name: string, seconds: number) => {
    const attack = allAttacks.find((it) => nameOf(it) === name);
    if (attack === undefined) throw new Error(`there is no attack ${name}`);
    return runAttack(depot, attack, seconds);
  };

  it('an attack on a host of its own sends as many calls as a user may, none of which is refused for its rate', async () => {
    // It ends once all are answered, which takes a busy machine more than a second.
    const outcome = await run('getMe', 60);
    expect(outcome).toMatchObject({
      calls: contractLimits.authorized_calls,
      statuses: { 200: contractLimits.authorized_calls },
      death: null,
    });
  });

  it('an attack on a host of its own holds connections whose requests never end', async () => {
    const outcome = await run('halfSent:osmand', 1);
    expect(outcome).toMatchObject({
      during: { connections: 500 },
      after: { connections: 0 },
      death: null,
    });
  });
});

describe('an outcome', () => {
  const good: Outcome = {
    ...{ name: 'getMe', does: '', calls: 1, statuses: { 200: 1 }, quietP99Ms: 1, p50_ms: 1, p99_ms: 249 },
    ...{ memory_MB: 299, mainThreadS: 1, delay_ms: 1, during: null, after: null, death: null },
  };

  it('an outcome misses the target by its time, by its memory, or by the death of the host', () => {
    expect(meetsTarget(good)).toBe(true);
    expect(meetsTarget({ ...good, p99_ms: 250 })).toBe(false);
    expect(meetsTarget({ ...good, memory_MB: 300 })).toBe(false);
    expect(meetsTarget({ ...good, death: 'SIGKILL' })).toBe(false);
  });

  it('an outcome is a row whose columns stand below their titles', () => {
    const row = rowOf({ ...good, death: 'out of memory' });
    expect(row.indexOf('DIED: out of memory')).toBe(headLine.indexOf('verdict'));
    expect(row.indexOf('200×1')).toBe(headLine.indexOf('answers'));
  });

  it('an outcome counts the slowest hundredth of what others waited for', () => {
    expect(percentiles(Array.from({ length: 200 }, (_, at) => at))).toEqual({ p50: 100, p99: 198 });
  });
});
