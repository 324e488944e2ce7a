import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makeDealer } from '../../server/app.ts';
import { temporaryFolder } from '../server/store/temporaryFolder.ts';
import { logIn } from '../support/caller.ts';
import { callerFor, dealerLogin, dealerPassword } from '../support/testHost.ts';
import { addVehicle } from './depot.ts';
import { openEventStream } from './eventStream.ts';
import { startHostProcess } from './hostProcess.ts';
import { createTerminal } from './terminal.ts';

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s, also twice, ends the host cleanly while clients hold connections; acknowledged data is there afterwards',
  async (signal) => {
    const data = await temporaryFolder();
    await makeDealer(data, dealerLogin, dealerPassword);
    const host = startHostProcess(data);
    onTestFinished(async () => {
      await host.end('SIGKILL');
    });
    const { url, intakeUrl } = await host.ready;
    const dealer = await logIn(url, dealerLogin, dealerPassword);
    await addVehicle(dealer, '7');

    const stream = await openEventStream(url, dealer.jwt);
    const kept = createTerminal(intakeUrl);
    onTestFinished(() => kept.close());
    expect(await kept.send({ id: '7', lat: 1, lon: 2 })).toBe(200);
    for (const bytes of [
      '',
      'GET /?id=7',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60\r\n\r\nid=7&lat=1',
    ]) {
      const socket = connect(Number(new URL(intakeUrl).port), '127.0.0.1').on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      socket.write(bytes);
    }
    // The host has read all of it by the time that it answers this.
    expect(await kept.send({ id: '7', lat: 1, lon: 3 })).toBe(200);
    void host.end(signal);
    expect(await host.end(signal)).toEqual([0, null]);
    await stream.close();

    const again = startHostProcess(data);
    onTestFinished(async () => {
      await again.end('SIGKILL');
    });
    const latest = await callerFor((await again.ready).url, dealer.jwt).get('/api/v1/positions/latest');
    expect(latest.body.positions).toMatchObject([{ terminal_id: '7', lat: 1, lon: 3 }]);
  },
);
