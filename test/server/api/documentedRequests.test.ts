import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiRoutes } from '../../../server/contract/api.ts';
import { rightNames } from '../../../server/contract/rights.ts';
import type { Route } from '../../../server/contract/route.ts';
import { startTestHost, type Answer, type Caller, type TestHost } from '../../support/testHost.ts';
import { faultsBy, type Faults } from './documented.ts';
import {
  arbitraryOf,
  beyondSchemas,
  isAmong,
  mutationOf,
  sourcesOf,
  type Sources,
} from './schemaArbitrary.ts';
import { seedWorld, type World } from './world.ts';

/** Another seed, and more runs, for whoever looks for more; fast-check names the seed of what fails. */
const seed = Number(process.env['FLEETDECK_API_SEED'] ?? 13);
const numRuns = Number(process.env['FLEETDECK_API_RUNS'] ?? 8);

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Record<string, unknown>;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, unknown> }>;
  requestBody?: { required: boolean; content: Record<string, { schema: Record<string, unknown> }> };
}

let host: TestHost;
let dealer: Caller;
let world: World;
let faultsOf: Faults;
let document: { paths: Record<string, Record<string, Operation>> };
beforeAll(async () => {
  const rights = Object.fromEntries(rightNames.map((name) => [name, 'write']));
  host = await startTestHost({ users: [{ login: 'owner', rights }] });
  dealer = await host.login();
  world = await seedWorld({ dealer, owner: await host.login('owner'), mark: 'MINE1', now: Date.now });
  document = (await host.anybody.get('/openapi.json')).body as typeof document;
  faultsOf = faultsBy(document);
});
afterAll(() => host.close());

const sources = (): Sources => sourcesOf(document, Object.values(world));

const operationOf = ({ path, method }: Route): Operation => {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not in the document`);
  return operation;
};

const bodyOf = (route: Route): fc.Arbitrary<unknown> => {
  const schema = operationOf(route).requestBody?.content['application/json']?.schema;
  return schema === undefined ? fc.constant(undefined) : arbitraryOf(schema, sources());
};

/** They end the caller's session, last as long as they are read, or call servers of others. */
const leftOut = new Set([
  ...['logout', 'openStream', 'testRule', 'addOnlineMap', 'testOnlineMap', 'estimateMapRegion'],
]);
/** Whoever asks to wait, waits. */
const plain: Record<string, readonly string[]> = { getVideoTask: ['wait'] };

interface Call {
  path: string;
  body: unknown;
}

/** A request as the document describes it, for resources that are there or are not. */
function callOf(route: Route): fc.Arbitrary<Call> {
  const { parameters = [] } = operationOf(route);
  const chosen = parameters.filter((it) => !plain[route.id]?.includes(it.name));
  const valueOf = ({ name, schema, in: where }: Parameter) => {
    const there = (world as unknown as Record<string, string | undefined>)[name];
    const any = arbitraryOf(schema, sources());
    return where === 'path' && there !== undefined
      ? fc.oneof({ weight: 4, arbitrary: fc.constant(there) }, { weight: 1, arbitrary: any })
      : any;
  };
  const values = (where: string) => {
    const own = chosen.filter((it) => it.in === where);
    const needed = own.filter((it) => it.required === true).map((it) => it.name);
    return fc.record(Object.fromEntries(own.map((it) => [it.name, valueOf(it)])), { requiredKeys: needed });
  };
  return fc.tuple(values('path'), values('query'), bodyOf(route)).map(([path, query, body]) => {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((it): [string, string] => [name, String(it)]),
    );
    const search = new URLSearchParams(pairs).toString();
    const filled = Object.entries(path).reduce(
      (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
      route.path,
    );
    return { path: search === '' ? filled : `${filled}?${search}`, body };
  });
}

/** The same, with one thing of it that the document does not describe. */
function mutatedCallOf(route: Route): fc.Arbitrary<Call> {
  return callOf(route).chain(({ path, body }) => {
    const odd = fc.constantFrom('unknown=1', 'limit=-1', 'from=%00', 'format=', 'cursor=%F0%9F%9A%9A');
    const query = odd.map((it) => ({ path: `${path}${path.includes('?') ? '&' : '?'}${it}`, body }));
    return body === undefined
      ? query
      : fc.oneof(
          { weight: 1, arbitrary: query },
          { weight: 3, arbitrary: mutationOf(body).map((it) => ({ path, body: it })) },
        );
  });
}

async function answerTo(route: Route, { path, body }: Call): Promise<Answer> {
  // Requests may take longer to be made up than the server, in the same thread, keeps a connection without any.
  const headers = { Connection: 'close' };
  return dealer.call(route.method, path, body === undefined ? undefined : JSON.stringify(body), headers);
}

function faultsIn(route: Route, answer: Answer): string[] {
  const mayBe = answer.code === 'terminal_offline' || answer.code === 'terminal_refused';
  const isFault = answer.status >= 500 && !mayBe;
  return [...(isFault ? [`${answer.status}: ${answer.text}`] : []), ...faultsOf(route, answer)];
}

/** Why a body that the document allows is refused all the same: what the depot holds, and what values mean together. */
const beyondDocument = [
  ...beyondSchemas,
  'lies in the future',
  /^is not (a user|later than the step before)$/,
  /^is not (a group|a vehicle|a geofence|an event of this vehicle|a channel of this video profile)$/,
  /^is not the terminal of this vehicle/,
  /^is not the first corner again: the ring is not closed$/,
  /^is (past|not after from|more than \d+ s after from|more than 7 days ahead|an address of this host itself)$/,
  /^concerns what tracks do not contain$/,
  /^is needed, with|^needs two different points$|^spans more than 180 degrees/,
  /^The (GeoJSON|CSV) file cannot be imported[.]/,
  // Of an incident, and of its snapshots.
  /^is not a JPEG of 8 bits|^a map has none$|^is needed for video$/,
  /^(may not handle this incident|is not in the list of the settings|is in the future)$/,
  // Of the path of a map file.
  /^is not absolute$|^cannot be read: |^is no file$/,
  /^makes more than \d+ days of all vehicles together$/,
  // Of the area of a map.
  /^its (west|south) is not (west of its east|south of its north)$/,
  // Of the query of a report that is run later, and of the folder of one.
  'is set by when the report is due',
  /^The folder .* (is not an absolute path|does not exist, or its disk is not connected)\.$/,
  /^is not as the report [a-z-]+ takes it: /,
  // Of whom a shift is handed over to.
  /^(may not be on duty|is you)$/,
  // These bodies are JSON.
  'belongs to CSV',
  // Of a list in a query; those of bodies are stated.
  'Invalid UUID',
];

/** A patch is relative to what it changes; of queries a list's items are read after its text. */
function unstatedIn(route: Route, { body, code }: Answer): string[] {
  if (code !== 'validation_failed' || route.method !== 'POST') return [];
  const { errors, detail } = body as { errors?: { message: string }[]; detail: string };
  return (errors?.map((it) => it.message) ?? [detail]).filter((reason) => !isAmong(beyondDocument, reason));
}

// What is deleted, blocked or set otherwise is needed by the others.
const order = (route: Route) => (route.method === 'DELETE' ? 2 : Number(/block|Settings/.test(route.id)));
const called = apiRoutes.filter((it) => !leftOut.has(it.id)).sort((a, b) => order(a) - order(b));

describe.each(called.map((route) => ({ name: `${route.method} ${route.path}`, route })))(
  '$name',
  ({ route }) => {
    it.each([
      ['answers documented requests as documented, and refuses none for its form', callOf],
      ['answers mutated requests as documented', mutatedCallOf],
    ] as const)('%s', async (_, requests) => {
      await fc.assert(
        fc.asyncProperty(requests(route), async (call) => {
          const answer = await answerTo(route, call);
          expect(faultsIn(route, answer)).toEqual([]);
          if (requests === callOf) expect(unstatedIn(route, answer)).toEqual([]);
        }),
        { seed, numRuns: route.id === 'login' ? 3 : numRuns, endOnFailure: true },
      );
    });
  },
);
