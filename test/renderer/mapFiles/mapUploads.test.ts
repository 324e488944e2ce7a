import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApi } from '../../../renderer/api/client.ts';
import { isProblem } from '../../../renderer/api/errors.ts';
import { createTransport } from '../../../renderer/api/transport.ts';
import { createMapUploads, type UploadState } from '../../../renderer/mapFiles/mapUploads.ts';
import { mapRoutes, maxUploadPart } from '../../../server/contract/maps.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { makeMbtiles, street, tileOf } from '../../support/mapFiles.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let dealer: Caller;
let bytes: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  host = await startTestHost();
  dealer = await host.login();
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-maps-'));
  // Beyond one part: what no program takes for a part of the database lies behind it.
  const path = makeMbtiles(join(folder, 'riga.mbtiles'), {
    tiles: [tileOf(6, 36, 19, [street('Elm Street')])],
    bounds: '23,56,25,57',
    more: `CREATE TABLE padding (bytes blob); INSERT INTO padding VALUES (zeroblob(${maxUploadPart}))`,
  });
  bytes = new Uint8Array(readFileSync(path));
  await rm(folder, { recursive: true });
});
afterAll(() => host.close());
beforeEach(async () => {
  for (const { map_id } of (await dealer.ask(mapRoutes.list)).items)
    await dealer.ask(mapRoutes.remove, { params: { map_id } });
});

/** The console's uploads, whose network can be lost; what is sent to the address `held` never arrives. */
function openUploads(held: string | null = null) {
  const clock = createFakeClock();
  let isLost = false;
  const sent: string[] = [];
  const transport = createTransport({
    clock,
    baseUrl: host.url,
    fetch: (address, init) => {
      const url = address instanceof Request ? address.url : address.toString();
      sent.push(`${init?.method ?? ''} ${url.replace(/^.*\/maps/, '').replace(/[0-9a-f-]{36}/, 'ID')}`);
      if (held !== null && url.endsWith(held)) return untilAborted(init?.signal);
      return isLost ? Promise.reject(new TypeError('the network is gone')) : fetch(address, init);
    },
  });
  const never = () => Promise.reject(new Error('is not needed'));
  const tokens = {
    ...{ current: () => Promise.resolve(dealer.jwt), renew: never, resume: never },
    ...{ grant: () => undefined, end: () => undefined, sessionId: () => null },
  };
  let added = 0;
  const uploads = createMapUploads({ api: createApi({ transport, tokens }), clock, onAdded: () => added++ });
  onTestFinished(() => uploads.stop());
  return {
    ...{ uploads, clock, sent },
    added: () => added,
    lose: (lost: boolean) => (isLost = lost),
    until: (phase: UploadState['phase'] | null) =>
      vi.waitFor(() => expect(uploads.store.getState().upload?.phase ?? null).toBe(phase), 5_000),
  };
}
function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
const riga = () => new File([bytes], 'riga.mbtiles');

describe('an upload of a map file', () => {
  it('a file is sent in parts, is a map then, and the list is read anew', async () => {
    const { uploads, until, sent, added } = openUploads();
    uploads.start(riga());
    await until(null);
    expect(sent).toEqual([
      'GET /uploads',
      'POST /uploads',
      'PUT /uploads/ID?from=0',
      `PUT /uploads/ID?from=${maxUploadPart}`,
    ]);
    expect(added()).toBe(1);
    const { items } = await dealer.ask(mapRoutes.list);
    expect(items.map((it) => [it.name, it.bytes])).toEqual([['riga', bytes.length]]);
  });

  it('an upload waits for a server that cannot be reached, and goes on where it was', async () => {
    const { uploads, until, lose, clock, sent } = openUploads();
    lose(true);
    uploads.start(riga());
    await until('waiting');
    lose(false);
    clock.advance(60_000);
    await until(null);
    expect(sent.slice(0, 2)).toEqual(['GET /uploads', 'GET /uploads']);
  });

  it('an upload that was begun by another page goes on where that one ended', async () => {
    const begun = await dealer.ask(mapRoutes.startUpload, {
      body: { name: 'riga.mbtiles', bytes: bytes.length },
    });
    await dealer.call('PUT', `/api/v1/maps/uploads/${begun.upload_id}?from=0`, bytes.slice(0, 1_000), {
      'Content-Type': 'application/octet-stream',
    });
    const { uploads, until, sent } = openUploads();
    uploads.start(riga());
    await until(null);
    expect(sent).toEqual(
      ['GET /uploads', 'PUT /uploads/ID?from=1000', `PUT /uploads/ID?from=${maxUploadPart + 1_000}`].slice(
        0,
        sent.length,
      ),
    );
    expect((await dealer.ask(mapRoutes.list)).items).toHaveLength(1);
  });

  it('an upload that is paused sends nothing until it is resumed', async () => {
    const { uploads, until, sent } = openUploads();
    uploads.start(riga());
    uploads.pause();
    await until('paused');
    const before = sent.length;
    uploads.resume();
    await until(null);
    expect(before).toBeLessThanOrEqual(1);
    expect((await dealer.ask(mapRoutes.list)).items).toHaveLength(1);
  });

  it('a file that is no map fails with the reason of the server', async () => {
    const { uploads, until } = openUploads();
    uploads.start(new File(['not a map at all, sorry'], 'riga.mbtiles'));
    await until('failed');
    const error = uploads.store.getState().upload?.error;
    expect(isProblem(error, 'validation_failed') && error.problem.detail).toContain(
      'neither PMTiles nor MBTiles',
    );
  });

  it('an upload that is cancelled is deleted on the server', async () => {
    const second = `?from=${maxUploadPart}`;
    const { uploads, until, sent } = openUploads(second);
    uploads.start(riga());
    await vi.waitFor(() => expect(sent).toContain(`PUT /uploads/ID${second}`), 5_000);
    expect((await dealer.ask(mapRoutes.listUploads)).items).toHaveLength(1);
    await uploads.cancel();
    await until(null);
    expect((await dealer.ask(mapRoutes.listUploads)).items).toEqual([]);
    expect((await dealer.ask(mapRoutes.list)).items).toEqual([]);
  });
});
