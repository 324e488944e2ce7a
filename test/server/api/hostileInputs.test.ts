import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { apiRoutes } from '../../../server/contract/api.ts';
import { rightNames } from '../../../server/contract/rights.ts';
import type { Route } from '../../../server/contract/route.ts';
import { pathOf } from '../../support/caller.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { goodCalls, type Depot } from './goodCalls.ts';
import { hostileValues } from './hostileValues.ts';
import { seedWorld } from './world.ts';

/** Of each operation; to send all that there are takes half a minute. */
const runs = Number(process.env['FLEETDECK_HOSTILE_RUNS'] ?? 10);
const seed = Number(process.env['FLEETDECK_HOSTILE_SEED'] ?? 14);

let host: TestHost;
let dealer: Caller;
let depot: Depot;
beforeAll(async () => {
  const rights = Object.fromEntries(rightNames.map((name) => [name, 'write']));
  host = await startTestHost({ users: [{ login: 'owner', rights }] });
  dealer = await host.login();
  const owner = await host.login('owner');
  const world = await seedWorld({ dealer, owner, mark: 'MINE1', now: Date.now });
  depot = { dealer, owner, world, now: Date.now };
});
afterAll(() => host.close());

/** They end the caller's session, or last as long as the caller says, or call servers of others. */
const leftOut = new Set(['logout', 'openStream', 'testRule', 'getVideoTask']);
/** What they change all others are measured by. */
const last = ['patchVideoProfile', 'patchChannels', 'patchSettings'];

const asked = apiRoutes
  .filter((it) => !leftOut.has(it.id) && (it.body !== undefined || it.query !== undefined))
  .sort((a, b) => last.indexOf(a.id) - last.indexOf(b.id));

/** An unknown login costs as much work as a known one. */
const costly: Partial<Record<string, { max: number }>> = { login: { max: 3 } };

function validOf(schema: z.ZodType | undefined, good: unknown, ids: readonly string[]): unknown[] {
  if (schema === undefined) return [];
  return hostileValues(schema, good, ids).filter((it) => schema.safeParse(it).success);
}

async function faultOf(route: Route, input: { query?: unknown; body?: unknown }, params: unknown) {
  const path = pathOf(route, { params, query: input.query });
  const body = route.body === undefined || input.body === undefined ? undefined : JSON.stringify(input.body);
  const { status, text, code } = await dealer.call(route.method, path, body);
  // A terminal that is off line is an answer, and so is a camera that nobody can reach.
  const isFault = status >= 500 && code !== 'terminal_offline' && code !== 'terminal_refused';
  return isFault ? `${status} ${text} to ${route.method} ${path} ${body ?? ''}`.slice(0, 1_500) : null;
}

describe('a call that its contract accepts', () => {
  it.each(asked.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
    '$name answers without a server error',
    async ({ route }) => {
      const ids = Object.values(depot.world);
      const faults: string[] = [];
      const { params, query = {}, body } = await (goodCalls[route.id]?.(depot) ?? {});
      const { body: bodyType, query: queryType } = route;
      const inputs = [
        ...validOf(bodyType, body, ids).map((odd) => ({ query, body: odd })),
        ...validOf(queryType, query, ids).map((odd) => ({ query: odd, body })),
      ];
      const { max = runs } = costly[route.id] ?? {};
      const chosen = fc.sample(fc.shuffledSubarray(inputs, { minLength: inputs.length }), {
        seed,
        numRuns: 1,
      })[0];
      for (const input of chosen?.slice(0, max) ?? []) {
        const fault = await faultOf(route, input, params);
        if (fault !== null) faults.push(fault);
      }
      expect(faults).toEqual([]);
      expect(inputs.length).toBeGreaterThan(0);
    },
  );
});
