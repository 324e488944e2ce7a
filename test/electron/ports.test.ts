import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { choosePort, isDatagramPortFree, isPortFree } from '../../electron/ports.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-ports-'));
  file = join(folder, 'ports.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function choose(...taken: number[]) {
  return choosePort(file, (port) => Promise.resolve(!taken.includes(port)));
}

describe('the port of the console', () => {
  it('the port of the console is the standard one at the first start', async () => {
    expect(await choose()).toEqual({ port: 8471, insteadOf: null });
  });

  it('the port of the console is reported as another one at a first start that cannot have the standard one', async () => {
    expect(await choose(8471)).toEqual({ port: 8472, insteadOf: 8471 });
  });

  it('the port of the console stays that of the first start, which the videos are stored under', async () => {
    await choose(8471, 8472);
    expect(await choose()).toEqual({ port: 8473, insteadOf: null });
  });

  it('the port of the console is the usual one again as soon as the other program has let it go', async () => {
    await choose();
    expect(await choose(8471)).toEqual({ port: 8472, insteadOf: 8471 });
    expect(await choose()).toEqual({ port: 8471, insteadOf: null });
  });

  it('the port of the console has the same stand-in each time the usual one is taken', async () => {
    await choose();
    await choose(8471, 8472, 8473);
    expect(await choose(8471)).toEqual({ port: 8474, insteadOf: 8471 });
  });

  it.each(['', '{', '[]', '{"ports":"8471"}', '{"ports":[0,-1,"80",70000,1.5,null]}'])(
    'the port of the console is the standard one when what was remembered reads %j',
    async (text) => {
      writeFileSync(file, text);
      expect(await choose()).toEqual({ port: 8471, insteadOf: null });
    },
  );

  it('the port of the console is not written again when nothing has changed', async () => {
    await choose();
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, ` ${before}`);
    await choose();
    expect(readFileSync(file, 'utf8')).toBe(` ${before}`);
  });

  it('the port of the console is looked for no further when every port is taken', async () => {
    await expect(choosePort(file, () => Promise.resolve(false))).rejects.toThrow('8471 to 8491');
  });
});

describe('a port', () => {
  it('a port is free until a program listens on it, and free again afterwards', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await isPortFree(port)).toBe(false);
    server.close();
    await once(server, 'close');
    expect(await isPortFree(port)).toBe(true);
    expect(await isPortFree(port)).toBe(true);
  });

  it('a port is free for datagrams until a socket waits for some there, even when TCP listens on it', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await isDatagramPortFree(port)).toBe(true);
    const socket = createSocket('udp4');
    socket.bind(port, '127.0.0.1');
    await once(socket, 'listening');
    expect(await isDatagramPortFree(port)).toBe(false);
    socket.close();
    await once(socket, 'close');
    server.close();
    await once(server, 'close');
    expect(await isDatagramPortFree(port)).toBe(true);
    expect(await isDatagramPortFree(port)).toBe(true);
  });

  it('a port of an address that this machine lacks is an error, not a taken port', async () => {
    await expect(isPortFree(0, '192.0.2.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
    await expect(isDatagramPortFree(0, '192.0.2.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
  });
});
