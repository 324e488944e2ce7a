import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const program = startProgram('server/commands/dealer.ts', args, {
    environment: options.password === undefined ? {} : { FLEETDECK_PASSWORD: options.password },
    ...(options.input === undefined ? {} : { input: options.input }),
  });
  const { code } = await program.ended;
  expect(program.stdout()).toBe('');
  return { code, said: program.stderr() };
}
const host = () => startTestHost({ data });

describe('npm run dealer', () => {
  it('npm run dealer makes a dealer in a new folder', async () => {
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

  it('npm run dealer sets a new password by what is typed in, whatever the letter case, and ends the sessions', async () => {
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

  it('npm run dealer makes a blocked user a dealer who can log in', async () => {
    expect(await makeDealer(data, 'anna', 'anna is the boss')).toBe('changed');
    const started = await host();
    const anna = await started.login('anna', 'anna is the boss');
    expect(await anna.ask(userRoutes.me)).toMatchObject({ role: 'dealer', blocked: false });
    await started.stop();
  });

  it('npm run dealer does not touch a folder that a host holds', async () => {
    const started = await host();
    const { code, said } = await dealer(['--data', data, '--login', 'late'], { password: 'the boss of all' });
    expect(code).toBe(1);
    expect(said).toMatch(/^fleetdeck: The data folder .* is in use by another host\.\n$/);
    await started.stop();
  });

  it('npm run dealer refuses what it cannot do anything with, in words', async () => {
    const refusals: [string[], string][] = [
      [['--data', '', '--login', 'x'], '--data DIR --login NAME'],
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
