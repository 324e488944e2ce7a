import { createServer } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { openOwnNames } from '../../../server/app/openOwnNames.ts';
import { createFront } from '../../../server/http/frontServer.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { fakeMachine } from '../../support/fakeMachine.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';

const undo: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function open(config: { host: string; tlsSelf?: boolean; allowHosts?: string[] }) {
  const machine = fakeMachine({ hostname: 'Depot', addresses: ['192.168.1.5', '10.8.0.2', 'fd00::5'] });
  const clock = createFakeClock();
  const renewed: { cert: string | Buffer; key: string | Buffer }[] = [];
  const names = await openOwnNames({
    config: { tlsSelf: false, allowHosts: [], ...config },
    folder: await temporaryFolder(),
    machine,
    givenTls: null,
    onRenewed: (it) => void renewed.push(it),
    clock,
    log: pino({ level: 'silent' }),
    undo,
  });
  names.ownNames.setPort(8471);
  const isAllowed = (host: string) => {
    try {
      names.ownNames.check({ headers: { host }, rawHeaders: ['Host', host], url: '/' });
      return true;
    } catch {
      return false;
    }
  };
  return { ...names, machine, clock, isAllowed, renewed };
}

describe('a host that listens at all addresses', () => {
  it('a host that listens at all addresses prints all of them, and its name', async () => {
    const { urls } = await open({ host: '0.0.0.0' });
    expect(urls(8471)).toEqual([
      'http://127.0.0.1:8471',
      'http://192.168.1.5:8471',
      'http://10.8.0.2:8471',
      'http://depot:8471',
    ]);
    expect((await open({ host: '::', tlsSelf: true })).urls(443)).toContain('https://[fd00::5]:443');
    expect((await open({ host: '192.168.1.5' })).urls(8471)).toEqual(['http://192.168.1.5:8471']);
  });

  it('a host that listens at all addresses may be called by the machine’s addresses and names without --allow-host', async () => {
    const { isAllowed, ownNames } = await open({ host: '0.0.0.0' });
    for (const host of ['192.168.1.5', '10.8.0.2', 'depot', 'DEPOT.local', '127.0.0.1', 'localhost'])
      expect([host, isAllowed(`${host}:8471`)]).toEqual([host, true]);
    for (const host of ['192.168.1.6', '0.0.0.0', 'depot.lan', '[fd00::5]', 'evil.test'])
      expect([host, isAllowed(`${host}:8471`)]).toEqual([host, false]);
    expect(ownNames.isOwnOrigin('http://192.168.1.5:8471')).toBe(true);
    expect((await open({ host: '::' })).isAllowed('[fd00::5]:8471')).toBe(true);
  });

  it('a host that listens at all addresses follows an address that changes while it runs', async () => {
    const { isAllowed, machine, clock, urls } = await open({ host: '0.0.0.0' });
    machine.setAddresses(['192.168.7.9']);
    clock.advance(10_000);
    expect(isAllowed('192.168.7.9:8471')).toBe(true);
    expect(isAllowed('192.168.1.5:8471')).toBe(false);
    expect(urls(8471)).toEqual(['http://127.0.0.1:8471', 'http://192.168.7.9:8471', 'http://depot:8471']);
  });
});

describe('a host that listens at one address', () => {
  it('a host that listens at its loopback address is not called by any other name', async () => {
    const { isAllowed, urls } = await open({ host: '127.0.0.1' });
    expect(isAllowed('192.168.1.5:8471')).toBe(false);
    expect(isAllowed('depot:8471')).toBe(false);
    expect(urls(8471)).toEqual(['http://127.0.0.1:8471']);
  });

  it('a host that listens at one address on the network is called by that and by the machine’s name', async () => {
    const { isAllowed } = await open({ host: '192.168.1.5' });
    expect(['192.168.1.5', 'depot', '10.8.0.2'].map((it) => isAllowed(`${it}:8471`))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('a certificate that is renewed while the host runs', () => {
  it('a certificate that is renewed while the host runs is shown to those who connect from then on', async () => {
    const names = await open({ host: '0.0.0.0', tlsSelf: true });
    const tls = names.certificate?.();
    if (tls === undefined || tls === null) throw new Error('there is no certificate');
    const front = createFront(createServer(), { tls });
    const { port } = await front.listen(0, '127.0.0.1');
    undo.push(() => front.close(0));
    const seen = async () => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { fingerprint256, subjectaltname } = socket.getPeerCertificate();
      socket.destroy();
      return { fingerprint256, subjectaltname };
    };
    const first = names.fingerprint();
    expect((await seen()).fingerprint256).toBe(first);
    names.machine.setAddresses(['192.168.7.9']);
    names.clock.advance(10_000);
    await expect.poll(() => names.renewed).toHaveLength(1);
    const [renewed] = names.renewed;
    if (renewed !== undefined) front.setCertificate(renewed);
    const second = await seen();
    expect(second.fingerprint256).toBe(names.fingerprint());
    expect(second.fingerprint256).not.toBe(first);
    expect(second.subjectaltname).toContain('IP Address:192.168.7.9');
  });
});
