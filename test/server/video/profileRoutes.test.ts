import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addProfile, api, fragment, order, startVideoFixture, startCamera } from './videoBench.ts';

const channels = [{ channel: 1, name: 'Front' }];
const profiles = `${api}/profiles`;

describe('video profiles', () => {
  it('video profiles are found by the terminal ID, by users who may see the vehicle and video', async () => {
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, {}, { kind: 'simulated' });
    for (const name of ['dealer', 'writer', 'reader']) {
      const found = await bench.as(name).get(`${profiles}?terminal_id=700`);
      expect(found.status).toBe(200);
      expect(found.body).toMatchObject({
        profile_id,
        terminal_id: '0700',
        kind: 'simulated',
        connection: {},
      });
    }
    expect((await bench.as('outsider').get(`${profiles}?terminal_id=0700`)).status).toBe(404);
    expect((await bench.as('stranger').get(`${profiles}?terminal_id=0700`)).status).toBe(403);
    expect((await bench.as('nobody at all').get(profiles)).status).toBe(401);
    expect((await bench.as('dealer').get(`${profiles}?terminal_id=0800`)).status).toBe(404);
    expect((await bench.as('dealer').get(`${profiles}?terminal_id=none`)).status).toBe(404);
  });

  it('video profiles are listed in pages of what the caller may see, without those of archived vehicles', async () => {
    const bench = await startVideoFixture();
    for (const terminal_id of ['0700', '0800', '0900']) {
      await addProfile(bench, {}, { kind: 'simulated', terminal_id });
      bench.clock.advance(1000);
    }
    const first = await bench.as('dealer').get(`${profiles}?limit=2`);
    const rest = await bench.as('dealer').get(`${profiles}?limit=2&cursor=${first.body.next_cursor}`);
    const terminals = [...first.body.items, ...rest.body.items].map((it) => it.terminal_id);
    expect(terminals).toEqual(['0700', '0800', '0900']);
    expect(rest.body.next_cursor).toBeNull();
    await bench.vehicles.archive(bench.vehicles.byTerminal('0800')?.vehicle_id ?? '', null);
    const mine = await bench.as('reader').get(profiles);
    expect(mine.body.items.map((it: { terminal_id: string }) => it.terminal_id)).toEqual(['0700']);
    expect((await bench.as('dealer').get(profiles)).body.items).toHaveLength(2);
  });

  it('video profiles are one for each vehicle, also when two come at once', async () => {
    const bench = await startVideoFixture();
    const wanted = {
      terminal_id: '0700',
      kind: 'http',
      channels,
      connection: { url: 'http://cam/', password: 'x' },
    };
    const answers = await Promise.all([1, 2].map(() => bench.as('dealer').post(profiles, wanted)));
    expect(answers.map((it) => it.status).sort()).toEqual([201, 409]);
    const secrets = JSON.parse(await readFile(join(bench.data, 'secrets.json'), 'utf8'));
    expect(Object.keys(secrets.data.secrets)).toHaveLength(1);
    const again = await bench.as('dealer').post(profiles, {
      ...wanted,
      terminal_id: undefined,
      vehicle_id: answers.find((it) => it.status === 201)?.body.vehicle_id,
    });
    expect(again.body.code).toBe('already_exists');
  });

  it('video profiles are made by dealers alone, for vehicles that are there', async () => {
    const bench = await startVideoFixture();
    const wanted = { terminal_id: '0700', kind: 'simulated', channels };
    expect((await bench.as('writer').post(profiles, wanted)).status).toBe(403);
    expect((await bench.as('dealer').post(profiles, { ...wanted, terminal_id: '0701' })).status).toBe(404);
    expect(
      (await bench.as('dealer').post(profiles, { kind: 'simulated', channels })).body.errors[0].path,
    ).toBe('terminal_id');
    const made = await bench.as('dealer').post(profiles, wanted);
    expect(made.headers.get('location')).toBe(`${profiles}/${made.body.profile_id}`);
    expect((await bench.as('dealer').get(made.headers.get('location') ?? '')).body).toEqual(made.body);
  });

  it('video profiles never show a secret, which lies in a file of its own for its owner alone', async () => {
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, {
      url: 'http://cam/{from}',
      username: 'u',
      password: 'top secret',
    });
    const shown = await bench.as('dealer').get(`${profiles}/${profile_id}`);
    expect(shown.body.connection).toEqual({
      url: 'http://cam/{from}',
      auth: 'basic',
      username: 'u',
      has_password: true,
    });
    expect(shown.text).not.toContain('top secret');
    for (const name of ['telemetry.db', 'telemetry.db-wal'])
      expect((await readFile(join(bench.data, name))).includes('top secret')).toBe(false);
    expect(await readFile(join(bench.data, 'secrets.json'), 'utf8')).toContain('top secret');
    expect((await stat(join(bench.data, 'secrets.json'))).mode & 0o777).toBe(0o600);
    await bench.as('dealer').call('DELETE', `${profiles}/${profile_id}`);
    expect(await readFile(join(bench.data, 'secrets.json'), 'utf8')).not.toContain('top secret');
  });

  it('video profiles keep their password through a change, but not for another address', async () => {
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, {
      url: 'http://cam/a',
      username: 'u',
      password: 'old secret',
    });
    const patch = (connection: unknown) =>
      bench.as('dealer').call('PATCH', `${profiles}/${profile_id}`, { connection });
    const secret = () => bench.video.profiles.secretOf(bench.video.profiles.get(profile_id) ?? fail());
    expect((await patch({ url: 'http://cam/b' })).body.connection).toEqual({
      url: 'http://cam/b',
      auth: 'basic',
      username: 'u',
      has_password: true,
    });
    expect(secret()).toBe('old secret');
    expect((await patch({ url: 'http://thief/' })).body.errors[0].path).toBe('connection.password');
    expect((await patch({ url: 'http://cam2/', password: 'new secret' })).body.connection.has_password).toBe(
      true,
    );
    expect(secret()).toBe('new secret');
    expect(await readFile(join(bench.data, 'secrets.json'), 'utf8')).not.toContain('old secret');
    expect((await patch({ url: 'http://cam2/', auth: 'none' })).body.connection.has_password).toBe(false);
    expect((await patch({ url: 'http://cam2/', password: 'third' })).body.connection.auth).toBe('basic');
    expect((await patch(null)).body.errors[0].path).toBe('connection.url');
  });

  it.each([
    [{ kind: 'http' }, 'connection.url'],
    [{ kind: 'http', connection: { url: 'http://cam:99999/' } }, 'connection.url'],
    [{ kind: 'http', connection: { url: 'http://cam/', auth: 'bearer' } }, 'connection.password'],
    [{ kind: 'http', connection: { url: 'http://cam/', username: 'a\nb' } }, 'connection.username'],
    [{ kind: 'simulated', connection: { url: 'http://cam/' } }, 'connection'],
    [{ kind: 'simulated', channels: [] }, 'channels'],
    [{ kind: 'tape' }, 'kind'],
  ])('video profiles refuse %o and name the field', async (wrong, path) => {
    const bench = await startVideoFixture();
    const answer = await bench.as('dealer').post(profiles, { terminal_id: '0700', channels, ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].path).toBe(path);
  });

  it('video profiles refuse an address of the host itself, also in a change', async () => {
    const bench = await startVideoFixture({ ownPorts: [8471] });
    for (const url of [
      'http://127.0.0.1:8471/',
      'http://localhost:8471/x',
      'http://2130706433:8471/',
      'http://[::1]:8471/',
    ]) {
      const answer = await bench
        .as('dealer')
        .post(profiles, { terminal_id: '0700', kind: 'http', channels, connection: { url } });
      expect(answer.body.errors[0]).toEqual({
        path: 'connection.url',
        message: 'is an address of this host itself',
        kind: 'own_address',
      });
    }
    const profile_id = await addProfile(bench, { url: 'http://127.0.0.1:8470/' });
    const patched = await bench
      .as('dealer')
      .call('PATCH', `${profiles}/${profile_id}`, { connection: { url: 'http://127.0.0.1:8471/' } });
    expect(patched.status).toBe(400);
  });

  it('video profiles take a change for the version that the caller saw, and no other', async () => {
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, {}, { kind: 'simulated' });
    const path = `${profiles}/${profile_id}`;
    const first = await bench.as('dealer').call('PATCH', path, { name: 'Cab' }, { 'If-Match': '"1"' });
    expect(first.body).toMatchObject({ name: 'Cab', version: 2 });
    expect((await bench.as('dealer').call('PATCH', path, { name: 'X' }, { 'If-Match': '"1"' })).status).toBe(
      412,
    );
    expect((await bench.as('dealer').call('DELETE', path, undefined, { 'If-Match': '"1"' })).status).toBe(
      412,
    );
    expect((await bench.as('dealer').call('DELETE', path, undefined, { 'If-Match': '"2"' })).status).toBe(
      204,
    );
    expect((await bench.as('dealer').call('DELETE', path)).status).toBe(404);
  });

  it('video profiles cancel their unfinished tasks when they are deleted', async () => {
    const camera = await startCamera(() => undefined);
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, { url: camera.url });
    const under = await order(bench, profile_id);
    const queued = await order(bench, profile_id, { channel: 2 });
    await camera.asked(1);
    const hungUp = new Promise((resolve) => camera.requested[0]?.socket.once('close', resolve));
    expect((await bench.as('dealer').call('DELETE', `${profiles}/${profile_id}`)).status).toBe(204);
    for (const { task_id } of [under, queued]) {
      expect((await bench.as('reader').get(`${api}/tasks/${task_id}`)).body.status).toBe('cancelled');
    }
    await hungUp;
    const retried = await bench.as('writer').post(`${api}/tasks/${under.task_id}/retry`);
    expect(retried.status).toBe(404);
    const again = await bench.as('writer').post(`${api}/tasks`, fragment(bench, profile_id));
    expect(again.status).toBe(404);
  });
});

function fail(): never {
  throw new Error('it is not there');
}
