import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { openStream, type StreamReader } from '../../support/streamReader.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let dealer: Caller;
let anna: Caller;
let boris: Caller;
let annasGroup: string;
let annasVan: string;
let otherVan: string;
beforeAll(async () => {
  host = await startTestHost({
    users: [
      { login: 'anna', rights: { video: 'read' } },
      { login: 'boris', rights: { video: 'none' } },
    ],
  });
  [dealer, anna, boris] = [await host.login(), await host.login('anna'), await host.login('boris')];
  [annasGroup = ''] = (await anna.ask(userRoutes.me)).group_ids;
  const { group_ids } = await boris.ask(userRoutes.me);
  annasVan = await addVehicle('ANNA', [annasGroup, ...group_ids]);
  otherVan = await addVehicle('OTHER', []);
});
afterAll(() => host.close());

const open = new Set<StreamReader>();
afterEach(() => {
  for (const stream of open) stream.close();
  open.clear();
});
/** A stream on which all that was changed before has been: until it is recorded, a change is still to come. */
async function listen(caller: Caller, lastId?: string): Promise<StreamReader> {
  const query = 'topics=group&topics=user&topics=profile&topics=settings';
  const stream = await openStream(host.url, caller, { query, lastId });
  open.add(stream);
  if (lastId === undefined) {
    await sent('group', stream);
    stream.messages.splice(0, stream.messages.length - 1);
  }
  return stream;
}

async function addVehicle(terminal_id: string, group_ids: string[]): Promise<string> {
  const body = { terminal_id, name: terminal_id, group_ids };
  return (await dealer.ask(vehicleRoutes.create, { body })).vehicle_id;
}

let marks = 0;
/** What these streams were sent of one topic: all changes before this call. */
async function sent(topic: 'group' | 'user' | 'profile', ...streams: StreamReader[]): Promise<object[][]> {
  marks += 1;
  const depot_name = `mark ${marks}`;
  await dealer.ask(serviceRoutes.patchSettings, { body: { depot_name } });
  return Promise.all(
    streams.map(async (stream) => {
      await stream.next('settings', (it) => it.depot_name === depot_name);
      return stream.messages.filter((it) => it.topic === topic).map(({ data }) => data);
    }),
  );
}

describe('changes of what dealers administer', () => {
  it('a group comes as REST shows it without its members to those who are in it, and ends with deleted', async () => {
    const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'north' } });
    const { user_id } = await anna.ask(userRoutes.me);
    await dealer.ask(groupRoutes.addUser, { params: { group_id, user_id } });
    const streams = await Promise.all([dealer, anna, boris].map((it) => listen(it)));
    const renamed = await dealer.ask(groupRoutes.patch, { params: { group_id }, body: { name: 'west' } });
    const { vehicle_ids: _, user_ids: __, ...shown } = renamed;
    expect(await sent('group', ...streams)).toEqual([[shown], [shown], []]);
    await dealer.ask(groupRoutes.remove, { params: { group_id } });
    const [dealers = []] = await sent('group', streams[0] as StreamReader);
    expect(dealers.at(-1)).toEqual({ group_id, deleted: true });
  });

  it('a group that is deleted while a member is away is deleted for the member on its return', async () => {
    const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'empty' } });
    const stream = await listen(dealer);
    const other = await listen(boris);
    const [lastId, othersId] = [stream.lastId(), other.lastId()];
    await dealer.ask(groupRoutes.remove, { params: { group_id } });
    const again = await Promise.all([listen(dealer, lastId), listen(boris, othersId)]);
    expect(await sent('group', ...again)).toEqual([[{ group_id, deleted: true }], []]);
  });

  it('a user comes to dealers and to the user itself, without a password, and ends with deleted for dealers', async () => {
    const body = { login: 'clara', password: 'a long enough passphrase' };
    const streams = await Promise.all([dealer, anna, boris].map((it) => listen(it)));
    const clara = await dealer.ask(userRoutes.create, { body });
    const params = { user_id: clara.user_id };
    expect(await sent('user', ...streams)).toEqual([[clara], [], []]);
    const me = await anna.ask(userRoutes.me);
    const named = await dealer.ask(userRoutes.patch, {
      params: { user_id: me.user_id },
      body: { name: 'Anna' },
    });
    await dealer.ask(userRoutes.remove, { params });
    expect(await sent('user', ...streams)).toEqual([
      [clara, named, { user_id: clara.user_id, deleted: true }],
      [named],
      [],
    ]);
  });

  it('a video profile comes to those who see its vehicle and may watch video, with its present terminal ID', async () => {
    const streams = await Promise.all([dealer, anna, boris].map((it) => listen(it)));
    const add = (vehicle_id: string) =>
      dealer.ask(videoRoutes.createProfile, {
        body: { vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
      });
    const [annas, others] = [await add(annasVan), await add(otherVan)];
    expect(await sent('profile', ...streams)).toEqual([[annas, others], [annas], []]);
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle: annasVan }, body: { terminal_id: 'NEW' } });
    const moved = await dealer.ask(videoRoutes.getProfile, { params: { profile_id: annas.profile_id } });
    expect(moved.terminal_id).toBe('NEW');
    expect((await sent('profile', ...streams)).map((it) => it.at(-1))).toEqual([moved, moved, undefined]);
  });

  it('a video profile is deleted for a user whose groups its vehicle leaves, and comes again with the vehicle', async () => {
    const stream = await listen(anna);
    const params = { vehicle: annasVan };
    const found = await anna.ask(videoRoutes.profiles, {});
    const [profile] = 'items' in found ? found.items : [];
    await dealer.ask(vehicleRoutes.patch, { params, body: { group_ids: [] } });
    expect((await stream.next('profile')).data).toEqual({ profile_id: profile?.profile_id, deleted: true });
    await dealer.ask(vehicleRoutes.patch, { params, body: { group_ids: [annasGroup] } });
    expect((await stream.next('profile')).data).toEqual(profile);
  });

  it('the settings come to every user as REST shows them, replayed too', async () => {
    const streams = await Promise.all([dealer, anna].map((it) => listen(it)));
    const lastId = streams[1]?.lastId();
    const changed = await dealer.ask(serviceRoutes.patchSettings, { body: { idle_speed_kmh: 4 } });
    for (const stream of streams)
      expect((await stream.next('settings', (it) => it.version === changed.version)).data).toEqual(changed);
    const again = await listen(anna, lastId);
    expect((await again.next('settings')).data).toEqual(await anna.ask(serviceRoutes.settings));
  });

  it('the settings come to a client that returns after a restart of the host, with what its command line holds', async () => {
    const lastId = (await listen(dealer)).lastId();
    await host.stop();
    host = await startTestHost({ data: host.data, settings: { timezone: 'Asia/Almaty' } });
    dealer = await host.login();
    const again = await listen(dealer, lastId);
    expect((await again.next('settings')).data).toMatchObject({
      timezone: 'Asia/Almaty',
      overridden: ['timezone'],
    });
    expect(again.messages.map((it) => it.topic)).not.toContain('reset');
  });
});
