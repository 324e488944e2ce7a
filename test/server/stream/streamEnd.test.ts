import { afterAll, beforeAll, describe, it } from 'vitest';
import { authRoutes } from '../../../server/contract/auth.ts';
import { geofenceRoutes } from '../../../server/contract/geofences.ts';
import { groupRoutes } from '../../../server/contract/groups.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openRaw } from '../../support/rawConnection.ts';
import { openStream, type StreamReader } from '../../support/streamReader.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
let user_id: string;
beforeAll(async () => {
  host = await startTestHost({ clock, users: [{ login: 'anna' }] });
  dealer = await host.login();
  ({ user_id } = await (await host.login('anna')).ask(userRoutes.me));
});
afterAll(() => host.close());

const listen = async (login: string) => openStream(host.url, await host.login(login));

/** Makes a change that everybody sees and waits until this stream has heard of it; a millisecond passes. */
async function expectAlive(stream: StreamReader): Promise<void> {
  const geometry = { type: 'Point' as const, coordinates: [24, 57] as [number, number] };
  const body = { name: 'alive', shape: 'circle' as const, geometry, radius_m: 50 };
  const { geozone_id } = await dealer.ask(geofenceRoutes.create, { body });
  clock.advance(1);
  await stream.next('geofence', (it) => it.geozone_id === geozone_id);
}

describe('a stream ends', () => {
  it('a stream ends at the exp of its JWT, to the millisecond, and no other does', async () => {
    const stream = await listen('anna');
    clock.advance(1_800_000 - 2);
    dealer = await host.login();
    const later = await openStream(host.url, dealer);
    await expectAlive(stream);
    clock.advance(1);
    await stream.ended;
    await expectAlive(later);
    later.close();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['when its session is revoked', () => dealer.ask(userRoutes.revokeSessions, { params: { user_id } })],
    [
      'when its user is blocked',
      async () => {
        await dealer.ask(userRoutes.block, { params: { user_id } });
        await dealer.ask(userRoutes.unblock, { params: { user_id } });
      },
    ],
    [
      'when its user gets other rights',
      () => dealer.ask(userRoutes.patch, { params: { user_id }, body: { rights: { video: 'read' } } }),
    ],
    [
      'when its user becomes a dealer',
      () => dealer.ask(userRoutes.patch, { params: { user_id }, body: { role: 'dealer' } }),
    ],
    [
      'when its user is no dealer any more',
      () => dealer.ask(userRoutes.patch, { params: { user_id }, body: { role: 'user' } }),
    ],
    [
      'when its user is put into a group',
      async () => {
        const { group_id } = await dealer.ask(groupRoutes.create, { body: { name: 'more to see' } });
        await dealer.ask(groupRoutes.addUser, { params: { group_id, user_id } });
      },
    ],
    [
      'when a group of its user is deleted',
      async () => {
        const { items } = await dealer.ask(groupRoutes.list);
        const group_id = items.find((it) => it.name === 'more to see')?.group_id ?? '';
        await dealer.ask(groupRoutes.remove, { params: { group_id } });
      },
    ],
    [
      'when its user gets a new password',
      () =>
        dealer.ask(userRoutes.patch, { params: { user_id }, body: { password: 'a dealer of the depot' } }),
    ],
  ])('a stream ends at once %s', async (_, act) => {
    const [stream, other] = [await listen('anna'), await openStream(host.url, dealer)];
    await act();
    await stream.ended;
    await expectAlive(other);
    other.close();
  });

  it('a stream ends at once when its user logs out, and the other sessions of the user go on', async () => {
    const [leaving, staying] = [await host.login(), await host.login()];
    const [ending, other] = [await openStream(host.url, leaving), await openStream(host.url, staying)];
    await leaving.ask(authRoutes.logout);
    await ending.ended;
    await expectAlive(other);
    other.close();
  });

  it('a stream ends not when only the name of its user changes', async () => {
    const stream = await openStream(host.url, await host.login());
    const { user_id: dealerId } = await dealer.ask(userRoutes.me);
    await dealer.ask(userRoutes.patch, { params: { user_id: dealerId }, body: { name: 'The Boss' } });
    await expectAlive(stream);
    stream.close();
  });

  it('a stream ends when its user is deleted', async () => {
    const stream = await listen('anna');
    await dealer.ask(userRoutes.remove, { params: { user_id } });
    await stream.ended;
  });
});

describe('a listener that takes nothing in', () => {
  it('a listener that takes nothing in is cut off when a minute has passed, and the others go on', async () => {
    const slow = openRaw(host.url);
    slow.pause();
    slow.write(
      [
        'GET /api/v1/stream HTTP/1.1',
        `Host: ${new URL(host.url).host}`,
        `Authorization: JWT ${dealer.jwt}`,
        '',
        '',
      ].join('\r\n'),
    );
    const quick = await openStream(host.url, dealer);
    const attributes = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`note ${at}`, 'x'.repeat(2_000)]),
    );
    // More than the buffers of both ends of the socket hold: 16 MB.
    for (let round = 0; round < 16; round += 1) {
      const name = (at: number) => `heavy-${round}-${at}`;
      const rows = Array.from({ length: 64 }, (_, at) => ({
        terminal_id: name(at),
        name: name(at),
        attributes,
      }));
      await dealer.post(vehicleRoutes.import.path, rows);
      await quick.next('vehicle', (it) => 'name' in it && it.name === name(63));
    }
    clock.advance(65_000);
    slow.resume();
    await slow.ended;
    await expectAlive(quick);
    quick.close();
  });
});

describe('a stream at the end of the host', () => {
  it('a stream ends with its host', async () => {
    const stream = await openStream(host.url, dealer);
    await host.stop();
    await stream.ended;
  });
});
