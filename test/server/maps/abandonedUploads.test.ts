import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { mapRoutes } from '../../../server/contract/maps.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost } from '../../support/testHost.ts';

const dayMs = 86_400_000;

it('an upload that nobody goes on with for 7 days is deleted while the host runs, and one that goes on stays', async () => {
  const clock = createFakeClock();
  const host = await startTestHost({ clock });
  onTestFinished(() => host.close());
  let dealer = await host.login();
  const start = async () => {
    const { upload_id } = await dealer.ask(mapRoutes.startUpload, { body: { name: 'Riga', bytes: 100 } });
    return upload_id;
  };
  const part = (uploadId: string, from: number) =>
    dealer.call('PUT', `/api/v1/maps/uploads/${uploadId}?from=${from}`, new Uint8Array(10), {
      'Content-Type': 'application/octet-stream',
    });
  const abandoned = await start();
  const slow = await start();
  await part(abandoned, 0);
  await part(slow, 0);

  clock.advance(6 * dayMs);
  dealer = await host.login();
  expect((await dealer.ask(mapRoutes.listUploads)).items).toHaveLength(2);
  expect((await part(slow, 10)).status).toBe(200);
  // At most six days more, which the one that goes on outlives.
  await vi.waitFor(
    async () => {
      clock.advance(dayMs / 16);
      expect(await readdir(join(host.data, 'maps'))).not.toContain(`${abandoned}.part`);
    },
    { interval: 100, timeout: 9_000 },
  );
  const left = await readdir(join(host.data, 'maps'));
  expect(left.sort()).toEqual([`${slow}.part`, `${slow}.upload.json`]);
});
