import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GeofencePreview } from '../../../../server/contract/geofences.ts';
import { createApi } from '../../../../renderer/api/client.ts';
import { createTransport } from '../../../../renderer/api/transport.ts';
import { createTokens } from '../../../../renderer/auth/tokens.ts';
import {
  createGeofencePreview,
  type FencePreview,
} from '../../../../renderer/geofences/preview/geofencePreview.ts';
import type { PastState } from '../../../../renderer/preview/previewStore.ts';
import { createFakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { grantedJwt } from '../grantedJwt.ts';

const ID = '0e0f6f3c-1c52-4d3f-8c49-9d0a0d3f0a3b';
const OTHER = '1e0f6f3c-1c52-4d3f-8c49-9d0a0d3f0a3b';

const result = (visits: number): GeofencePreview => ({
  from: '2026-11-14T12:00:00.000Z',
  to: '2026-11-21T12:00:00.000Z',
  vehicles: 3,
  positions: 1_000,
  visits,
  visitors: 1,
  items: [],
  truncated: false,
});

interface Asked {
  body: { from: string; to: string; geozone_id?: string };
  response: ServerResponse;
  closed: Promise<void>;
}

let asked: Asked[];
let hear: (call: Asked) => void;
let clock: FakeClock;
let preview: FencePreview;
let close: () => Promise<void>;

async function bodyOf(request: IncomingMessage): Promise<Asked['body']> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Asked['body'];
}

beforeEach(async () => {
  asked = [];
  hear = () => undefined;
  const server = createServer((request, response) => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    void bodyOf(request).then((body) => {
      const call = { body, response, closed };
      asked.push(call);
      hear(call);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  clock = createFakeClock();
  const transport = createTransport({ fetch, clock, baseUrl: `http://127.0.0.1:${port}` });
  const tokens = createTokens({ transport, clock, onEnd: () => undefined });
  tokens.grant(grantedJwt(clock));
  preview = createGeofencePreview({ api: createApi({ transport, tokens }), clock, now: () => clock.now() });
  close = () =>
    new Promise((resolve) => {
      preview.stop();
      server.closeAllConnections();
      server.close(() => resolve());
    });
});
afterEach(() => close());

const nextCall = () =>
  new Promise<Asked>((resolve) => {
    hear = resolve;
  });
const reached = (is: (state: PastState<GeofencePreview>) => boolean) =>
  new Promise<PastState<GeofencePreview>>((resolve) => {
    if (is(preview.store.getState())) resolve(preview.store.getState());
    const stop = preview.store.subscribe((state) => {
      if (!is(state)) return;
      stop();
      resolve(state);
    });
  });
const lines = (response: ServerResponse, ...texts: object[]) => {
  if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
  for (const text of texts) response.write(`${JSON.stringify(text)}\n`);
};

describe('trying a geofence on the past', () => {
  it('trying a geofence on the past asks 600 ms after the last change, once', async () => {
    const coming = nextCall();
    preview.want({ subject: { geozone_id: ID }, period: 7 });
    clock.advance(599);
    preview.want({ subject: { geozone_id: OTHER }, period: 7 });
    clock.advance(599);
    expect(preview.store.getState().phase).toBe('waiting');
    clock.advance(1);
    const { body, response } = await coming;
    expect(body).toEqual({
      from: '2026-11-14T12:00:01.199Z',
      to: '2026-11-21T12:00:01.199Z',
      geozone_id: OTHER,
    });
    lines(response, { progress: 0.4 });
    expect((await reached((state) => state.share > 0)).share).toBe(0.4);
    lines(response, { result: result(41) });
    response.end();
    expect(await reached((state) => state.phase === 'done')).toMatchObject({
      resultPeriod: 7,
      result: { visits: 41 },
    });
    expect(asked).toHaveLength(1);
  });

  it('trying a geofence on the past does not ask again for what it has', async () => {
    const coming = nextCall();
    preview.want({ subject: { geozone_id: ID }, period: 7 });
    clock.advance(600);
    const { response } = await coming;
    lines(response, { result: result(1) });
    response.end();
    await reached((state) => state.phase === 'done');
    preview.want({ subject: { geozone_id: ID }, period: 7 });
    expect(preview.store.getState().phase).toBe('done');
  });

  it('trying a geofence on the past calls off what is under way when the shape changes, and shows the old result until the new one is there', async () => {
    const first = nextCall();
    preview.want({ subject: { geozone_id: ID }, period: 7 });
    clock.advance(600);
    const before = await first;
    lines(before.response, { result: result(1) });
    before.response.end();
    await reached((state) => state.phase === 'done');

    const second = nextCall();
    preview.want({ subject: { geozone_id: ID }, period: 30 });
    clock.advance(600);
    const under = await second;
    lines(under.response, { progress: 0.1 });
    await reached((state) => state.share === 0.1);
    const third = nextCall();
    preview.want({ subject: { geozone_id: OTHER }, period: 30 });
    await under.closed;
    expect(preview.store.getState()).toMatchObject({
      phase: 'waiting',
      result: { visits: 1 },
      resultPeriod: 7,
    });
    clock.advance(600);
    const { response } = await third;
    lines(response, { result: result(3) });
    response.end();
    expect(await reached((state) => state.phase === 'done')).toMatchObject({
      result: { visits: 3 },
      resultPeriod: 30,
    });
  });

  it('trying a geofence on the past is cancelled by the operator, and asked again at a word', async () => {
    const first = nextCall();
    preview.want({ subject: { geozone_id: ID }, period: 7 });
    clock.advance(600);
    const { response, closed } = await first;
    lines(response, { progress: 0.1 });
    await reached((state) => state.share === 0.1);
    preview.cancel();
    await closed;
    expect(preview.store.getState().phase).toBe('cancelled');
    const again = nextCall();
    preview.again();
    expect((await again).body.geozone_id).toBe(ID);
  });

  it('trying a geofence on the past says what went wrong, and forgets it all when nothing is wanted', async () => {
    const first = nextCall();
    preview.want({ subject: { geozone_id: ID }, period: 7 });
    clock.advance(600);
    (await first).response.destroy();
    expect((await reached((state) => state.phase === 'failed')).error).toMatchObject({ name: 'Unreachable' });
    preview.want(null);
    expect(preview.store.getState()).toMatchObject({ phase: 'idle', result: null });
  });
});
