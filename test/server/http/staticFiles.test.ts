import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStaticFiles } from '../../../server/http/staticFiles.ts';

const SCRIPT = 'export const answer = 42;\n'.repeat(200);

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleetdeck-'));
  const assets = join(folder, 'assets');
  await mkdir(assets);
  await Promise.all([
    writeFile(join(assets, 'page-1a.js'), SCRIPT),
    writeFile(join(assets, 'page-1a.js.gz'), gzipSync(SCRIPT)),
    writeFile(join(assets, 'plain-1a.js'), SCRIPT),
    writeFile(join(assets, 'font-1a.woff2'), 'a font'),
    writeFile(join(folder, 'page.json.gz'), 'nobody asks for it'),
  ]);
  const app = express();
  app.use(createStaticFiles({ consoleFolder: folder, openApi: () => ({}) }));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

/** With the bytes as they were sent. */
async function ask(path: string, headers: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, resolve).on('error', reject);
  });
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

describe('assets of the console', () => {
  it('are sent compressed to whoever takes gzip', async () => {
    const { status, headers, body } = await ask('/assets/page-1a.js', { 'Accept-Encoding': 'br, gzip' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(body.length).toBeLessThan(SCRIPT.length / 10);
    expect(gunzipSync(body).toString()).toBe(SCRIPT);
  });

  it.each([{}, { 'Accept-Encoding': 'identity' }, { 'Accept-Encoding': 'gzip;q=0, br' }])(
    'are sent as they are with %j',
    async (accepted) => {
      const { headers, body } = await ask('/assets/page-1a.js', accepted);
      expect(headers['content-encoding']).toBeUndefined();
      // What is kept between the two must know that there is another form.
      expect(headers.vary).toBe('Accept-Encoding');
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(body.toString()).toBe(SCRIPT);
    },
  );

  it.each([
    ['/assets/plain-1a.js', SCRIPT, 'text/javascript; charset=utf-8'],
    ['/assets/font-1a.woff2', 'a font', 'font/woff2'],
  ])('that the build has not compressed are sent as they are: %s', async (path, text, type) => {
    const { status, headers, body } = await ask(path, { 'Accept-Encoding': 'gzip' });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-type']).toBe(type);
    expect(body.toString()).toBe(text);
  });

  it('are not sent again to whoever has them', async () => {
    const accepted = { 'Accept-Encoding': 'gzip' };
    const { headers } = await ask('/assets/page-1a.js', accepted);
    const again = await ask('/assets/page-1a.js', { ...accepted, 'If-None-Match': headers.etag ?? '' });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
  });

  it.each(['/assets/none.js', '/assets/..%2Fpage.json', '/assets/%2e%2e%2fpage.json'])(
    'are all that is found below their address: %s',
    async (path) => {
      const { status, headers } = await ask(path, { 'Accept-Encoding': 'gzip' });
      expect(status).toBe(404);
      expect(headers['content-encoding']).toBeUndefined();
    },
  );
});
