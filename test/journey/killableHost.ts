import { expect, onTestFinished } from 'vitest';
import { makeDealer } from '../../server/app.ts';
import { logIn, type ApiClient } from '../support/caller.ts';
import { callerFor, dealerLogin, dealerPassword } from '../support/testHost.ts';
import { temporaryFolder } from '../server/store/temporaryFolder.ts';
import { startHostProcess, type HostProcess } from './hostProcess.ts';

/** A host in a process of its own that is killed, and started again over the same data. */
export interface KillableHost {
  /** Of the process that was started last. */
  ready(): HostProcess['ready'];
  /** Calls in the dealer's name to the process that was started last. */
  dealer(): Promise<ApiClient>;
  /** As when the machine loses its power; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it once more after a kill. */
  restart(): void;
  /** Asks it to end, which it does cleanly. */
  end(): Promise<void>;
}

/** A new one with a vehicle for each of these terminals; it is gone with the running test. */
export async function startKillableHost(terminals: readonly string[]): Promise<KillableHost> {
  const data = await temporaryFolder();
  await makeDealer(data, dealerLogin, dealerPassword);
  let host = startHostProcess(data);
  onTestFinished(async () => {
    await host.end('SIGKILL');
  });
  const first = await logIn((await host.ready).url, dealerLogin, dealerPassword);
  const rows = terminals.map((terminal_id) => ({ terminal_id, name: terminal_id }));
  const imported = await first.post('/api/v1/vehicles/import', rows);
  expect(imported.body).toMatchObject({ created: terminals.length });
  return {
    ready: () => host.ready,
    dealer: async () => callerFor((await host.ready).url, first.jwt),
    async kill() {
      expect(await host.end('SIGKILL')).toEqual([null, 'SIGKILL']);
    },
    restart() {
      host = startHostProcess(data);
    },
    async end() {
      expect(await host.end('SIGTERM')).toEqual([0, null]);
    },
  };
}
