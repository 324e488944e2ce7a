import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDealer } from '../../../server/app.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { startProgram } from '../../support/program.ts';
import { startTestHost } from '../../support/testHost.ts';

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'fleetdeck-'));
});
afterAll(() => rm(data, { recursive: true, force: true }));

async function dealer(args: string[], options: { password?: string; input?: string } = {}) {
  const program = startProgram('server/commands/fleetdeck.cjs', ['dealer', ...args], {
    environment: options.password === undefined ? {} : { FLEETDECK_PASSWORD: options.password },
    ...(options.input === undefined ? {} : { input: options.input }),
  });
  const { code } = await program.ended;
  expect(program.stdout()).toBe('');
  return { code, said: program.stderr() };
}
const host = () => startTestHost({ data });

/** As the change log has them. */
function changesBy(actor_name: string) {
  const db = new DatabaseSync(join(data, 'telemetry.db'), { readOnly: true });
  try {
    const select = 'SELECT topic, resource_id, address FROM change_log WHERE actor_name = ? ORDER BY seq';
    return db.prepare(select).all(actor_name);
  } finally {
    db.close();
  }
}

describe('fleetdeck dealer', () => {
  it('fleetdeck dealer makes a dealer in a new folder', async () => {
    const { code, said } = await dealer(['--data', data, '--login', 'boss'], { password: 'the boss of all' });
    expect({ code, said }).toEqual({ code: 0, said: 'Dealer boss is made.\n' });
    const started = await host();
    expect(started.setupCode).toBeNull();
    const boss = await started.login('boss', 'the boss of all');
    expect((await boss.ask(userRoutes.me)).role).toBe('dealer');
    const made = await boss.ask(userRoutes.create, { body: { login: 'anna', password: '0123456789' } });
    await boss.ask(userRoutes.block, { params: { user_id: made.user_id } });
    await started.stop();
  });

  it('fleetdeck dealer sets a new password by what is typed in, whatever the letter case, and ends the sessions', async () => {
    const before = await host();
    const { jwt } = await before.login('boss', 'the boss of all');
    await before.stop();
    const { code, said } = await dealer(['--data', data, '--login', 'BOSS'], { input: 'a new password\n' });
    expect(code).toBe(0);
    expect(said).toContain('has a new password; its sessions are ended.');
    expect(said).not.toContain('a new password\n');
    const after = await host();
    const old = await after.anybody.get('/api/v1/me', { Authorization: `JWT ${jwt}` });
    expect(old).toMatchObject({ status: 401, code: 'session_revoked' });
    await expect(after.login('boss', 'the boss of all')).rejects.toThrow('credentials_invalid');
    await expect(after.login('boss', 'a new password')).resolves.toBeDefined();
    await after.stop();
  });

  it('fleetdeck dealer makes a blocked user a dealer who can log in', async () => {
    expect(await makeDealer(data, 'anna', 'anna is the boss')).toBe('changed');
    const started = await host();
    const anna = await started.login('anna', 'anna is the boss');
    expect(await anna.ask(userRoutes.me)).toMatchObject({ role: 'dealer', blocked: false });
    await started.stop();
  });

  it('fleetdeck dealer --reset gives a dealer of a running host a new password, ends its sessions at once, and is logged', async () => {
    const started = await host();
    const boss = await started.login('boss', 'a new password');
    const stream = await fetch(`${started.url}/api/v1/stream`, {
      headers: { Authorization: `JWT ${boss.jwt}` },
    });
    const { code, said } = await dealer(['--data', data, '--reset', 'boss'], { password: 'the third one' });
    expect({ code, said }).toEqual({
      code: 0,
      said: 'Dealer boss has a new password; its sessions are ended.\n',
    });
    expect(await boss.outcome(userRoutes.me)).toBe('401 session_revoked');
    // It ends only because the session has.
    await stream.text();
    await expect(started.login('boss', 'a new password')).rejects.toThrow('credentials_invalid');
    const again = await started.login('boss', 'the third one');
    expect(changesBy('host machine').at(-1)).toEqual({
      topic: 'user',
      resource_id: (await again.ask(userRoutes.me)).user_id,
      address: 'local',
    });
    await started.stop();
  });

  it('fleetdeck dealer --login adds a dealer to a running host', async () => {
    const started = await host();
    const { code, said } = await dealer(['--data', data, '--login', 'late'], { password: 'the late dealer' });
    expect({ code, said }).toEqual({ code: 0, said: 'Dealer late is made.\n' });
    expect((await (await started.login('late', 'the late dealer')).ask(userRoutes.me)).role).toBe('dealer');
    await started.stop();
  });

  it('fleetdeck dealer --reset works without a host, and is logged as well', async () => {
    const { code } = await dealer(['--data', data, '--reset', 'late'], { password: 'the later dealer' });
    expect(code).toBe(0);
    const added = changesBy('host machine').at(-1);
    const started = await host();
    const late = await started.login('late', 'the later dealer');
    expect(added?.resource_id).toBe((await late.ask(userRoutes.me)).user_id);
    await started.stop();
  });

  it('fleetdeck dealer --reset adds and promotes nobody, with a host and without', async () => {
    const refused = async (login: string) => {
      const { code, said } = await dealer(['--data', data, '--reset', login], { password: 'the third one' });
      expect(code).toBe(1);
      return said;
    };
    const started = await host();
    const boss = await started.login('boss', 'the third one');
    await boss.ask(userRoutes.create, { body: { login: 'carl', password: '0123456789' } });
    const withHost = [await refused('nobody'), await refused('carl')];
    await started.stop();
    const without = [await refused('nobody'), await refused('carl')];
    expect(withHost).toEqual(['nobody', 'carl'].map((it) => `fleetdeck: There is no dealer ${it}.\n`));
    expect(without).toEqual(withHost);
    const nowhere = await dealer(['--data', join(data, 'nowhere'), '--reset', 'boss'], {
      password: 'the third one',
    });
    expect(nowhere.said).toMatch(/^fleetdeck: .*nowhere is not a data folder of Fleetdeck\.\n$/);
    expect(existsSync(join(data, 'nowhere'))).toBe(false);
  });

  it('a host starts without its control socket where none can be made, and fleetdeck dealer does not touch its folder', async () => {
    await writeFile(join(data, 'control'), 'of somebody else');
    const started = await host();
    expect(started.logged.map(({ msg }) => msg)).toContain(
      'control socket could not be opened; commands cannot reach this host',
    );
    const { code, said } = await dealer(['--data', data, '--login', 'late'], { password: 'the boss of all' });
    expect(code).toBe(1);
    expect(said).toMatch(/^fleetdeck: The data folder .* is in use by another host\.\n$/);
    await started.stop();
    await rm(join(data, 'control'));
  });

  it('fleetdeck dealer refuses what it cannot do anything with, in words', async () => {
    const refusals: [string[], string][] = [
      [['--data', '', '--login', 'x'], '--data DIR --login NAME'],
      [['--data', data, '--login', 'boss', '--reset', 'boss'], '--data DIR --reset NAME'],
      [['--data', data, '--login', 'two words'], '--login takes 1 to 64 letters'],
      [['--data', data, '--login', 'boss'], 'The password is at least 10 characters.'],
    ];
    const answers = await Promise.all(refusals.map(([args]) => dealer(args, { input: 'too short\n' })));
    for (const [at, { code, said }] of answers.entries()) {
      expect(code).toBe(1);
      expect(said).toContain(`fleetdeck: `);
      expect(said).toContain(refusals[at]?.[1]);
    }
  });
});
