import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Key of whoever publishes, and as the setting has its public half. */
export function newKey(): { privateKey: KeyObject; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { privateKey, publicKey: Buffer.from(x, 'base64url').toString('base64') };
}

/** A server of updates on a free port: files by their names, each a body or what answers. */
export async function startUpdateServer() {
  const files = new Map<string, Buffer | ((response: ServerResponse) => void)>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '', 'http://x').pathname.slice(1);
    asked.push(name);
    const file = files.get(name);
    if (file === undefined) response.writeHead(404).end();
    else if (typeof file === 'function') file(response);
    else response.writeHead(200, { 'content-length': file.length }).end(file);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    files,
    asked,
    /** Publishes a version: its installer, the manifest, and the manifest's signature. */
    publish(version: string, { privateKey }: { privateKey: KeyObject }, over: Partial<Published> = {}) {
      const {
        installer = appImage(version),
        more = '',
        name = `fleetdeck-${version}.AppImage`,
        ...rest
      } = over;
      const sha512 = rest.sha512 ?? createHash('sha512').update(installer).digest('base64');
      const manifest = Buffer.from(
        `version: ${version}\nfiles:\n  - url: ${name}\n    sha512: ${sha512}\n    size: ${rest.size ?? installer.length}\npath: ${name}\nsha512: ${sha512}\n${more}`,
      );
      files.set('latest-linux.yml', manifest);
      files.set(
        'latest-linux.yml.sig',
        Buffer.from(`${sign(null, manifest, privateKey).toString('base64')}\n`),
      );
      files.set(name, installer);
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Published {
  installer: Buffer;
  sha512: string;
  size: number;
  name: string;
  /** Further lines of the manifest. */
  more: string;
}

/** A program that says its version: it is run, as an AppImage is. */
export const appImage = (version: string): Buffer =>
  Buffer.from(`#!/bin/sh\necho ${version} >> "$0.started"\n`);
