import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../server/commands/connect.ts';
import { logIn } from '../../support/caller.ts';
import { startProgram } from '../../support/program.ts';
import { dealerLogin, dealerPassword, startTestHost, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost({ settings: { tlsSelf: true } });
});
afterAll(() => host.close());

describe('fleetdeck connect', () => {
  it('fleetdeck connect names the fingerprint that is to be confirmed, and connects by it', async () => {
    const fingerprint = host.certificateSha256 ?? '';
    await expect(run(['--url', host.url])).rejects.toThrow(
      `Compare its fingerprint with the one that the host has printed, and give it by --fingerprint if they are equal: ${fingerprint}`,
    );
    const args = ['connect', '--url', host.url, '--port', '0'];
    const program = startProgram('server/commands/fleetdeck.cjs', [
      ...args,
      // As some tools print it.
      ...['--fingerprint', fingerprint.replaceAll(':', '').toLowerCase()],
    ]);
    try {
      const ready = JSON.parse(await program.firstLine()) as { url: string };
      expect(ready).toMatchObject({ ready: true, depot: 'Depot', version: '0.1.0' });
      const dealer = await logIn(ready.url, dealerLogin, dealerPassword);
      expect((await dealer.get('/api/v1/me')).status).toBe(200);
    } finally {
      program.child.kill('SIGTERM');
    }
    expect(await program.ended).toMatchObject({ code: 0 });
  });

  it.each([
    [[], 'Give --url URL.'],
    [['--url', 'http://depot.invalid'], 'use https://, or give --insecure'],
    [['--url', 'ftp://depot.invalid'], 'is neither https:// nor http://'],
    [['--url', 'https://depot.invalid', '--fingerprint', 'AB:CD'], 'has 64 hexadecimal digits'],
    [['--url', 'https://depot.invalid', '--port', '70000'], 'is not a whole number'],
    [['--url', 'http://127.0.0.1:1'], 'cannot be connected to: it refuses the connection'],
  ])('fleetdeck connect refuses %j in one line', async (args, line) => {
    await expect(run(args)).rejects.toThrow(line);
  });
});
