import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { isPassword } from '../../../server/users/password.ts';
import { createPasswordHasher } from '../../../server/users/passwordHasher.ts';
import { apiClientFor, logIn } from '../../support/caller.ts';
import { freePorts } from '../../support/freePorts.ts';
import { startProgram, type Program } from '../../support/program.ts';
import { quickHasher } from '../../support/quickHash.ts';
import { openRaw, type RawConnection } from '../../support/rawConnection.ts';
import { dealerLogin, dealerPassword, startTestHost, type TestHost } from '../../support/testHost.ts';

const password = 'a password of the depot';
/** Of the store's own form, and so much work that no test waits for its end. */
const endlessHash = `scrypt$131072$8$2000$${randomBytes(16).toString('base64url')}$${randomBytes(32).toString('base64url')}`;

describe('the threads that hash passwords', () => {
  it('the threads that hash passwords make and check hashes of the form that the store has', async () => {
    const hasher = createPasswordHasher();
    try {
      const hash = await hasher.hash(password);
      expect(isPassword(password, hash)).toBe(true);
      const checks = [hasher.isPassword(password, hash), hasher.isPassword('another', hash)];
      expect(await Promise.all(checks)).toEqual([true, false]);
      expect(await hasher.isPassword(password, 'no hash')).toBe(false);
    } finally {
      await hasher.close();
    }
  });
});

describe.skipIf(process.platform !== 'linux')('a host with one thread for files', () => {
  let host: TestHost | undefined;
  let program: Program | undefined;
  afterEach(async () => {
    program?.child.kill('SIGKILL');
    await program?.ended;
    await host?.close();
  });

  it('a host with one thread for files stores a change while both threads for hashes are taken', async () => {
    host = await startTestHost({
      passwordHasher: { ...quickHasher, hash: () => Promise.resolve(endlessHash) },
    });
    const before = await host.login();
    await before.ask(userRoutes.create, { body: { login: 'slow', password } });
    const { vehicle_id } = await before.ask(vehicleRoutes.create, {
      body: { terminal_id: 'M1', name: 'van' },
    });
    await host.stop();

    program = startProgram('server/commands/fleetdeck.cjs', ['serve', ...freePorts(), '--data', host.data], {
      environment: { UV_THREADPOOL_SIZE: '1' },
    });
    const { url } = JSON.parse(await program.firstLine()) as { url: string };
    const dealer = apiClientFor(url, (await logIn(url, dealerLogin, dealerPassword)).jwt);
    const body = JSON.stringify({ login: 'slow', password });
    const open: RawConnection[] = [];
    const statuses: number[] = [];
    // Two run, one of each address waits, and once the other four are refused nothing can be free any more.
    await new Promise<void>((taken) => {
      for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4'].flatMap((it) => [it, it, it])) {
        const connection = openRaw(url, address);
        open.push(connection);
        const head = ['POST /auth/login?jwt=1 HTTP/1.1', `Host: ${new URL(url).host}`];
        const sizes = ['Content-Type: application/json', `Content-Length: ${body.length}`];
        connection.write([...head, ...sizes, '', body].join('\r\n'));
        connection.answer().then(
          ({ status }) => {
            statuses.push(status);
            if (statuses.length === 4) taken();
          },
          () => undefined,
        );
      }
    });
    const change = (name: string) =>
      dealer.ask(vehicleRoutes.patch, { params: { vehicle: vehicle_id }, body: { name } });
    for (const name of ['lorry', 'bus', 'tram']) expect((await change(name)).name).toBe(name);
    expect(statuses).toEqual([503, 503, 503, 503]);
    for (const connection of open) connection.close();
  });
});
