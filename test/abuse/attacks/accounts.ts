import { rightNames } from '../../../server/contract/rights.ts';
import { bystanderLogins, dayMs, powerlessLogin, unknownId, type Depot } from '../depot.ts';
import { apiTokenRoutes } from '../../../server/contract/apiTokens.ts';
import { always, type Call, type OperationAttack } from '../attack.ts';

const longest = (length: number) => 'a'.repeat(length);
/** As long as headers may be together, and some bytes for the others. */
const longToken = `${longest(5_000)}.${longest(5_000)}.${longest(5_000)}`;
const ofUsers = (
  operation: string,
  does: string,
  idsOf: (depot: Depot) => readonly string[],
): OperationAttack => ({
  operation,
  does,
  calls: ({ depot }) => {
    const ids = idsOf(depot);
    return (at) => ({ params: { user_id: ids[at % ids.length] ?? '' } });
  },
});
const ofLeavers = (operation: string, does: string) => ofUsers(operation, does, (depot) => depot.leaver_ids);
const vehicleAt = ({ vehicles }: Depot, at: number) => vehicles[at % vehicles.length]?.vehicle_id ?? '';

const newTokenOf = ({ group_id }: Depot, at: number) => ({
  name: `${longest(110)}-${at}`,
  rights: Object.fromEntries(rightNames.map((name) => [name, 'none'])),
  group_ids: Array.from({ length: 1_000 }, () => group_id),
  expires_at: new Date(Date.now() + dayMs).toISOString(),
});
/** As many views as a user may have, of nearly as many characters. */
const mapViewsAt = (at: number) =>
  Array.from({ length: 50 }, (_, view) => ({
    name: `${longest(100)}-${at}-${view}`,
    lat: 0,
    lon: 0,
    zoom: 1,
    layers: {},
  }));
/** As many layouts as a user may have, of nearly as many characters. */
const reportLayoutsAt = (at: number) =>
  Object.fromEntries(
    Array.from('abcdefghijklmnopqrst').map((kind) => [
      kind,
      { columns: Array.from({ length: 14 }, (_, column) => `${longest(54)}-${at}-${column}`) },
    ]),
  );
/** Of tokens that the attacker made before, as many as it may have. */
const ofOwnTokens = (
  operation: string,
  does: string,
  callOf: (tokenId: string, at: number, depot: Depot) => Call,
): OperationAttack => ({
  operation,
  does,
  async calls({ attacker, depot }) {
    const makeOne = async (at: number) =>
      (await attacker.call('POST', '/api/v1/tokens', JSON.stringify(newTokenOf(depot, at)))).status === 201;
    for (let at = 0; await makeOne(at); at++);
    const { items } = await attacker.ask(apiTokenRoutes.list, { query: { limit: 1_000 } });
    const ids = items.map((it) => it.token_id);
    if (ids.length === 0) throw new Error('the attacker may make no token');
    return (at) => callOf(ids[at % ids.length] ?? '', at, depot);
  },
});

/** Authorization, users and groups. */
export const accountAttacks: readonly OperationAttack[] = [
  {
    operation: 'login',
    does: 'the longest password and an unknown login, from 30 addresses',
    addresses: 30,
    perAddress: 10,
    calls: always({ query: { jwt: '1' }, body: { login: longest(200), password: longest(200) } }),
  },
  {
    operation: 'login',
    variant: 'webLogin',
    does: 'right each time: sessions and cookies without end',
    addresses: 10,
    perAddress: 60,
    calls: always({ body: { login: powerlessLogin, password: 'a dealer of the depot' } }),
  },
  {
    operation: 'refresh',
    does: 'a token of 15,000 characters',
    addresses: 10,
    perAddress: 60,
    calls: always({ headers: { 'Authorization-Refresh': longToken } }),
  },
  {
    operation: 'refresh',
    variant: 'cookies',
    does: '7,000 cookies of one letter',
    addresses: 10,
    perAddress: 60,
    calls: always({ headers: { Cookie: 'a;'.repeat(7_000) } }),
  },
  {
    operation: 'logout',
    does: 'sessions that were just begun end again',
    async calls({ login }) {
      const callers = await Promise.all(Array.from({ length: 20 }, () => login(powerlessLogin)));
      return (at) => ({ headers: { Authorization: `JWT ${callers[at % callers.length]?.jwt ?? ''}` } });
    },
  },

  {
    operation: 'listUsers',
    does: 'all of them, searched for what none has',
    calls: always({ query: { limit: 1_000, q: longest(100) } }),
  },
  {
    operation: 'createUser',
    does: 'a password to hash and 1,000 groups to look up, each with a key',
    calls:
      ({ depot }) =>
      (at) => ({
        headers: { 'Idempotency-Key': `${at}`.padEnd(200, 'k') },
        body: {
          ...{ login: `new-${at}`, password: longest(200) },
          group_ids: Array.from({ length: 1_000 }, () => depot.group_id),
        },
      }),
  },
  ofUsers('getUser', 'one after another', (depot) => depot.user_ids),
  {
    operation: 'patchUser',
    does: 'a new password to hash each time',
    calls: ({ depot }) => {
      const ids = depot.leaver_ids;
      return (at) => ({
        params: { user_id: ids[at % ids.length] ?? '' },
        body: { password: `${at}`.padEnd(200, 'p') },
      });
    },
  },
  ofLeavers('deleteUser', 'one after another, then again'),
  ofLeavers('blockUser', 'one after another'),
  ofLeavers('unblockUser', 'one after another'),
  {
    operation: 'listSessions',
    does: 'of a user who logged in from everywhere',
    async calls({ depot, login }) {
      for (let at = 0; at < 30; at++) await login(bystanderLogins[at % 2] ?? '');
      const ids = depot.user_ids;
      return (at) => ({ params: { user_id: ids[at % ids.length] ?? '' }, query: { limit: 1_000 } });
    },
  },
  ofLeavers('revokeSessions', 'of one user after another'),
  { operation: 'getMe', does: 'as often as may be', calls: always({}) },
  { operation: 'getMapViews', does: 'as often as may be', calls: always({}) },
  {
    operation: 'putMapViews',
    does: '50 views, other ones each time: the user is stored with them',
    calls: () => (at) => ({ body: { views: mapViewsAt(at) } }),
  },
  { operation: 'getReportLayouts', does: 'as often as may be', calls: always({}) },
  {
    operation: 'putReportLayouts',
    does: '20 kinds of report, other columns each time: the user is stored with them',
    calls: () => (at) => ({ body: { layouts: reportLayoutsAt(at) } }),
  },
  { operation: 'getPreferences', does: 'as often as may be', calls: always({}) },
  {
    operation: 'putPreferences',
    does: 'as long as they may be, of unknown fields, other ones each time: the user is stored with them',
    calls: () => (at) => ({ body: { preferences: { [`later_${at}`]: longest(32_000) } } }),
  },
  {
    operation: 'getMe',
    variant: 'longHeaders',
    does: 'a list of 1,000 entity tags, 1,000 ranges and a long agent',
    calls: always({
      headers: {
        'If-None-Match': '"a",'.repeat(1_000),
        Range: `bytes=${'0-1,'.repeat(1_000)}`,
        'User-Agent': longest(5_000),
      },
    }),
  },

  ofOwnTokens('listApiTokens', 'all that one user may have', () => ({ query: { limit: 1_000 } })),
  {
    operation: 'createApiToken',
    does: 'of 1,000 groups, until there may be no more',
    calls:
      ({ depot }) =>
      (at) => ({ body: newTokenOf(depot, at) }),
  },
  ofOwnTokens('getApiToken', 'one after another', (token_id) => ({ params: { token_id } })),
  ofOwnTokens('patchApiToken', 'another name and 1,000 groups each time', (token_id, at, depot) => ({
    params: { token_id },
    body: { name: `${longest(110)}${at}`, group_ids: newTokenOf(depot, at).group_ids },
  })),
  ofOwnTokens('revokeApiToken', 'one after another, then again', (token_id) => ({ params: { token_id } })),

  { operation: 'listGroups', does: 'with all their vehicles', calls: always({ query: { limit: 1_000 } }) },
  {
    operation: 'createGroup',
    does: 'the longest names, each alike but for its end',
    calls: () => (at) => ({ body: { name: `${longest(110)}${at}` } }),
  },
  {
    operation: 'getGroup',
    does: 'the one with all vehicles',
    calls: always(({ depot }) => ({ params: { group_id: depot.group_id } })),
  },
  {
    operation: 'patchGroup',
    does: 'the one with all vehicles, renamed to and fro',
    calls:
      ({ depot }) =>
      (at) => ({
        params: { group_id: depot.group_id },
        body: { name: `${longest(100)}${at % 2}` },
      }),
  },
  {
    operation: 'deleteGroup',
    does: 'groups that hold all vehicles',
    max: 10,
    async calls({ depot, keeper }) {
      const ids = await Promise.all(
        Array.from({ length: 10 }, async (_, at) => {
          const group = await keeper.post('/api/v1/groups', { name: `Short-lived ${at}` });
          return (group.body as { group_id: string }).group_id;
        }),
      );
      // One call each, of a dealer's 180 in a minute.
      const body = { group_ids: [depot.group_id, ...ids] };
      const some = depot.vehicles.slice(0, 100);
      await Promise.all(
        some.map(({ vehicle_id }) => keeper.call('PATCH', `/api/v1/vehicles/${vehicle_id}`, body)),
      );
      return (at) => ({ params: { group_id: ids[at] ?? unknownId } });
    },
  },
  {
    operation: 'addVehicleToGroup',
    does: 'one vehicle after another: rights and streams follow each time',
    async calls({ depot, keeper }) {
      const made = await keeper.post('/api/v1/groups', { name: 'New' });
      const { group_id } = made.body as { group_id: string };
      return (at) => ({ params: { group_id, vehicle: vehicleAt(depot, at) } });
    },
  },
  {
    operation: 'removeVehicleFromGroup',
    does: 'one vehicle after another: rights and streams follow each time',
    calls:
      ({ depot }) =>
      (at) => ({ params: { group_id: depot.group_id, vehicle: vehicleAt(depot, at) } }),
  },
  ...(['addUserToGroup', 'removeUserFromGroup'] as const).map((operation): OperationAttack => ({
    operation,
    does: 'one user after another',
    calls:
      ({ depot }) =>
      (at) => ({
        params: { group_id: depot.group_id, user_id: depot.leaver_ids[at % depot.leaver_ids.length] ?? '' },
      }),
  })),
];

export const iso = (ms: number) => new Date(ms).toISOString();
/** So many days that end with the newest positions. */
export const lastDays = (now_ms: number, days: number) => ({
  from: iso(now_ms + 60_000 - days * dayMs),
  to: iso(now_ms + 60_000),
});
