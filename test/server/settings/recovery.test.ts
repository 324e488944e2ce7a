import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { healthRoutes } from '../../../server/contract/health.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { dealerPassword, startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let dealer: Caller;
beforeAll(async () => {
  let before = await startTestHost({ users: [{ login: 'anna' }, { login: 'boris' }] });
  const copy = join(before.data, 'depot-copy.json');
  await before.stop();
  await copyFile(copy, `${copy}.kept`);
  before = await startTestHost({ data: before.data });
  const { user_id } = await (await before.login('anna')).ask(userRoutes.me);
  dealer = await before.login();
  // The block is the last write of all: the copy was made before it.
  await dealer.ask(userRoutes.block, { params: { user_id } });
  await before.stop();
  await copyFile(`${copy}.kept`, copy);
  await writeFile(join(before.data, 'telemetry.db'), 'torn, and long enough to be no database at all');
  host = await startTestHost({ data: before.data });
});
afterAll(() => host.close());

const login = async (name: string) => {
  const answer = await host.anybody.post('/auth/login?jwt=1', { login: name, password: dealerPassword });
  return answer.code ?? answer.status;
};

describe('users that were read from the copy of the depot', () => {
  it('users that were read from the copy of the depot are blocked except dealers, since a block may be missing in it', async () => {
    expect(await login('anna')).toBe('user_blocked');
    expect(await login('boris')).toBe('user_blocked');
    expect((await host.anybody.ask(healthRoutes.health)).status).toBe('degraded');
    dealer = await host.login();
    expect(await dealer.ask(serviceRoutes.status)).toMatchObject({
      users_blocked_until_confirmed: true,
      store: {
        recoveries: expect.arrayContaining([
          { document: 'users', restored_from: 'bak', quarantined_as: [], at: expect.any(String) },
          {
            document: 'telemetry.db',
            restored_from: 'initial',
            quarantined_as: [expect.stringContaining('telemetry.db.broken-')],
            at: expect.any(String),
          },
        ]),
      },
    });
  });

  it('users that were read from the copy of the depot stay blocked after a restart', async () => {
    await host.stop();
    host = await startTestHost({ data: host.data });
    expect(await login('boris')).toBe('user_blocked');
  });

  it('users that were read from the copy of the depot are as they stand once a dealer has confirmed them', async () => {
    dealer = await host.login();
    const { store } = await dealer.ask(serviceRoutes.status);
    const documents = store.recoveries.map((it) => it.document);
    const confirmed = await dealer.ask(serviceRoutes.confirmRecoveries, { body: { documents } });
    expect(confirmed).toMatchObject({ users_blocked_until_confirmed: false, store: { recoveries: [] } });
    expect(await login('boris')).toBe(200);
    expect((await host.anybody.ask(healthRoutes.health)).status).toBe('ok');
  });
});
