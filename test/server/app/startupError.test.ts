import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRefusal, startupFault } from '../../../server/app.ts';
import { ConfigError, type Config } from '../../../server/config.ts';
import { DataFolderError, DiskFull } from '../../../server/store/storeErrors.ts';
import { startTestHost } from '../../support/testHost.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the user who started it reads. */
async function refusal(data: string, settings: Partial<Config> = {}): Promise<string | null> {
  try {
    await (await startTestHost({ data, settings })).close();
    return null;
  } catch (error) {
    return error instanceof ConfigError ? error.message : startRefusal(error);
  }
}

describe('a start that fails ends with one line', () => {
  it.each(['port', 'osmandPort', 'teltonikaPort', 'wialonPort', 'jt808Port', 'jt1078Port'] as const)(
    'a start that fails ends with one line when the %s is taken, and leaves the data folder free',
    async (port) => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const address = taken.address() as AddressInfo;
      const data = join(folder, `taken ${port}`);
      expect(await refusal(data, { [port]: address.port })).toBe(
        `The port 127.0.0.1:${address.port} is in use by another program.`,
      );
      taken.close();
      expect(await refusal(data)).toBeNull();
    },
  );

  it('a start that fails ends with one line when a port is taken for datagrams alone', async () => {
    const taken = createSocket('udp4');
    taken.bind({ port: 0, address: '127.0.0.1', exclusive: true });
    await once(taken, 'listening');
    const { port } = taken.address();
    expect(await refusal(join(folder, 'datagrams'), { teltonikaPort: port })).toBe(
      `The port 127.0.0.1:${port} is in use by another program.`,
    );
    taken.close();
  });

  it('a start that fails ends with one line when the data folder cannot be made', async () => {
    const file = join(folder, 'a file');
    await writeFile(file, '');
    expect(await refusal(join(file, 'data'))).toMatch(/^The data folder .* cannot be written/);
  });

  it('a start that fails ends with one line when another host holds the data folder', async () => {
    const host = await startTestHost({ data: join(folder, 'held') });
    expect(await refusal(host.data)).toMatch(/^The data folder .*held is in use by another host\.$/);
    await host.close();
  });

  it.each(['format.json', 'users.json', 'vehicles.json'])(
    'a start that fails ends with one line when a newer version wrote %s, and leaves it as it is',
    async (name) => {
      const file = join(folder, `newer ${name}`, name);
      await mkdir(dirname(file));
      await writeFile(file, '{"schema":999}');
      expect(await refusal(dirname(file))).toMatch(
        / was written by a newer version \([^\n]*\)\. Nothing was changed: start that version, or restore a backup of the folder from before it\.$/,
      );
      expect(await readFile(file, 'utf8')).toBe('{"schema":999}');
    },
  );

  it('a start that fails ends with one line when this machine has no such address', async () => {
    const settings = { host: '192.0.2.1', insecureLan: true };
    expect(await refusal(join(folder, 'x'), settings)).toBe('This machine has no address 192.0.2.1.');
  });

  it('a start that fails ends with one line when the certificate is not there', async () => {
    const none = join(folder, 'none.pem');
    const words = await refusal(join(folder, 'x'), { tlsCert: none, tlsKey: none });
    expect(words).toMatch(/^The certificate or its key cannot be read: .*none\.pem/);
  });

  it('a start with a program error ends with none of these', () => {
    expect(startRefusal(new TypeError('x is not a function'))).toBeNull();
    expect(startRefusal('x')).toBeNull();
  });
});

it('a start that fails has a kind for each error that has a line, and none for a fault of the program', () => {
  const listen = { syscall: 'listen', address: '127.0.0.1', port: 5055 };
  const errors = [
    new DataFolderError('locked', 'in use'),
    new DiskFull(),
    Object.assign(new Error('taken'), listen, { code: 'EADDRINUSE' }),
    Object.assign(new Error('taken'), listen, { code: 'EMFILE' }),
    new TypeError('unforeseen'),
  ];
  expect(errors.map(startupFault)).toEqual(['locked', 'disk_full', 'port', null, null]);
  expect(errors.map((it) => startRefusal(it) === null)).toEqual([false, false, false, true, true]);
});
