import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApi, type Api } from '../../../renderer/api/client.ts';
import { createTransport } from '../../../renderer/api/transport.ts';
import { createTokens } from '../../../renderer/auth/tokens.ts';
import { exportGeofences, formatOf, importGeofences } from '../../../renderer/geofences/geofenceFiles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { grantedJwt } from './grantedJwt.ts';

const GROUP = '0e0f6f3c-1c52-4d3f-8c49-9d0a0d3f0a3b';
const KML = '<?xml version="1.0"?><kml/>';

let calls: { url: string; type: string | undefined; body: string }[];
let answer: { type: string; body: string };
let api: Api;
let clock: ReturnType<typeof createFakeClock>;
let close: () => Promise<void>;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

beforeEach(async () => {
  calls = [];
  answer = { type: 'application/json', body: '{"created":1,"invalid":0,"results":[]}' };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      calls.push({ url: request.url ?? '', type: request.headers['content-type'], body });
      response.writeHead(200, { 'Content-Type': answer.type }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  clock = createFakeClock();
  const transport = createTransport({ fetch, clock, baseUrl: `http://127.0.0.1:${port}` });
  const tokens = createTokens({ transport, clock, onEnd: () => undefined });
  tokens.grant(grantedJwt(clock));
  api = createApi({ transport, tokens });
  close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
});
afterEach(() => close());

describe('the format of a file', () => {
  it('the format of a file is detected by its first character, whatever its name', () => {
    expect(formatOf(`\uFEFF\n ${KML}`)).toBe('kml');
    expect(formatOf('{"type":"Feature"}')).toBe('geojson');
    expect(formatOf('name;lat;lon')).toBeNull();
    expect(formatOf('')).toBeNull();
  });
});

describe('an import', () => {
  const none = { groupIds: [], radiusM: null, widthM: null };

  it('an import sends the file as it is, under its own content type, and is a trial at first', async () => {
    const published = await importGeofences({ api }, `\uFEFF${KML}`, 'kml', none, true);
    expect(published).toEqual({ created: 1, invalid: 0, results: [] });
    expect(calls).toEqual([
      {
        url: '/api/v1/geozones/import?dry_run=1',
        type: 'application/vnd.google-earth.kml+xml',
        body: KML,
      },
    ]);
  });

  it('an import names groups and sizes for the shapes that bear none', async () => {
    const options = { groupIds: [GROUP], radiusM: 50, widthM: 12.5 };
    await importGeofences({ api }, '{"type":"Feature"}', 'geojson', options, false);
    expect(calls[0]).toEqual({
      url: `/api/v1/geozones/import?dry_run=0&group_ids=${GROUP}&radius_m=50&width_m=12.5`,
      type: 'application/geo+json',
      body: '{"type":"Feature"}',
    });
  });
});

describe('an export', () => {
  it('an export hands over a file that is named after its day and format', async () => {
    answer = { type: 'application/geo+json', body: '{"type":"FeatureCollection","features":[]}' };
    const saved: { name: string; text: string }[] = [];
    const app = {
      api,
      serverTime: { now: () => clock.now() },
      platform: {
        saveFile: async (name: string, content: Blob) => {
          saved.push({ name, text: await content.text() });
          return true;
        },
      },
    };
    await exportGeofences(app, 'geojson', null);
    await exportGeofences(app, 'kml', [GROUP, GROUP]);
    expect(calls.map(({ url }) => url)).toEqual([
      '/api/v1/geozones/export?format=geojson',
      `/api/v1/geozones/export?format=kml&ids=${GROUP}%2C${GROUP}`,
    ]);
    expect(saved[0]).toEqual({ name: 'geofences-2026-11-21.geojson', text: answer.body });
    expect(saved[1]?.name).toBe('geofences-2026-11-21.kml');
  });
});
