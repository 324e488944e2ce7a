import { X509Certificate } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  openOwnCertificate,
  ownCertificateName,
  type Certificate,
} from '../../../server/http/ownCertificate.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { temporaryFolder } from '../store/temporaryFolder.ts';

const dayMs = 86_400_000;
const standard = ['depot', 'depot.local', 'localhost', '127.0.0.1', '::1', '192.168.1.5', 'fd00::5'];

async function open({ names = standard, clock = createFakeClock(), folder = '' } = {}) {
  const given = { names };
  const at = folder === '' ? await temporaryFolder() : folder;
  const renewed: Certificate[] = [];
  const logged: unknown[] = [];
  const log = (...line: unknown[]) => void logged.push(line);
  const own = await openOwnCertificate({
    folder: at,
    names: () => given.names,
    clock,
    log: { info: log, warn: log, error: log },
    onRenewed: (it) => void renewed.push(it),
  });
  const setNames = (next: string[]) => {
    given.names = next;
  };
  return { own, renewed, logged, clock, folder: at, setNames };
}

const parsed = ({ cert }: Certificate) => new X509Certificate(cert);

describe('the certificate that a host signs itself', () => {
  it('the certificate that a host signs itself covers its names and addresses and no other', async () => {
    const { own } = await open();
    const certificate = parsed(own.now());
    expect(
      ['depot', 'DEPOT.local', 'localhost'].map((it) => certificate.checkHost(it) !== undefined),
    ).toEqual([true, true, true]);
    for (const it of ['127.0.0.1', '::1', '192.168.1.5', 'fd00::5'])
      expect([it, certificate.checkIP(it) !== undefined]).toEqual([it, true]);
    expect(certificate.checkHost('other')).toBeUndefined();
    expect(certificate.checkIP('192.168.1.6')).toBeUndefined();
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
  });

  it('the certificate that a host signs itself is in the data folder for its owner alone, and is found again', async () => {
    const { own, folder, clock } = await open();
    for (const name of [ownCertificateName, 'tls-self.crt'])
      if (process.platform !== 'win32') expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, 'tls-self.crt'), 'utf8')).not.toContain('PRIVATE KEY');
    const again = await open({ folder, clock });
    expect(again.own.now()).toEqual(own.now());
    expect(again.logged).toEqual([]);
  });

  it('the certificate that a host signs itself is renewed 30 days before it expires, while the host runs', async () => {
    const { own, clock, renewed } = await open();
    const first = own.now();
    clock.advance(366 * dayMs);
    await own.check();
    expect([renewed, own.now()]).toEqual([[], first]);
    clock.advance(2 * dayMs);
    await own.check();
    expect(renewed).toHaveLength(1);
    expect(own.now()).toBe(renewed[0]);
    expect(own.now().fingerprint).not.toBe(first.fingerprint);
    expect((parsed(own.now()).validToDate.getTime() - clock.now()) / dayMs).toBeGreaterThan(395);
    await own.stop();
  });

  it('the certificate that a host signs itself is renewed when an address comes, and keeps those of before', async () => {
    const { own, renewed, setNames } = await open({ names: ['depot', '192.168.1.5'] });
    setNames(['depot', '192.168.7.9']);
    await own.check();
    expect(renewed).toHaveLength(1);
    setNames(['depot', '192.168.1.5']);
    await own.check();
    expect(renewed).toHaveLength(1);
  });

  it('the certificate that a host signs itself is not renewed for a new IPv6 address where there is IPv4', async () => {
    const { own, renewed, setNames } = await open();
    setNames([...standard, 'fd00::77']);
    await own.check();
    expect(renewed).toEqual([]);
    setNames(['depot', '127.0.0.1', 'fd00::77']);
    await own.check();
    expect(renewed).toHaveLength(1);
  });

  it('the certificate that a host signs itself has a bounded number of names, however many addresses come', async () => {
    const { own, setNames } = await open({ names: ['depot'] });
    for (let at = 1; at <= 50; at += 1) {
      setNames(['depot', `10.0.0.${at}`]);
      await own.check();
    }
    const names = (parsed(own.now()).subjectAltName ?? '').split(', ');
    expect(names.length).toBeLessThanOrEqual(34);
    expect(names).toContain('IP Address:10.0.0.50');
  });

  it.each(['', 'nonsense', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])(
    'the certificate that a host signs itself is made anew when its file cannot be read: %j',
    async (text) => {
      const folder = await temporaryFolder();
      await writeFile(join(folder, ownCertificateName), text);
      const { own, logged } = await open({ folder });
      expect(parsed(own.now()).checkHost('depot')).toBe('depot');
      expect(logged).toHaveLength(2);
    },
  );
});
