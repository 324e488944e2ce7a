import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost } from '../../support/testHost.ts';

/** A data folder as 0.1.0 left it: a dealer, two users, four vehicles (one archived), rules with recipients, a clip. */
async function unpacked(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'fleetdeck-'));
  const bytes = await readFile(new URL('../../fixtures/data-0.1.0.zip', import.meta.url));
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const file = join(data, entry.fileName);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await zip.openReadStreamPromise(entry));
  }
  return data;
}

test('a host starts on a data folder of 0.1.0 and finds everything that is in it', async () => {
  // Some minutes after it was made: what is kept for days only is still there.
  const clock = createFakeClock(Date.parse('2026-11-22T21:05:00Z'));
  const host = await startTestHost({ data: await unpacked(), clock });
  onTestFinished(() => host.close());
  const dealer = await host.login();
  await host.login('anna', 'anna on the night shift');
  const namesOf = async (path: string) => {
    const { body } = await dealer.get(path);
    return (body.items as { name: string }[]).map((it) => it.name).sort();
  };

  expect(await namesOf('/api/v1/vehicles')).toEqual(['Truck 1', 'Truck 2', 'Truck 3']);
  expect(await namesOf('/api/v1/geozones')).toEqual(['Quay 4', 'Ring road', 'Yard']);
  expect(await namesOf('/api/v1/notifications/rules')).toContain('Quay at night');
  const events = (await dealer.get('/api/v1/events?limit=1000')).body.items as { kind: string }[];
  expect(events.filter((it) => it.kind !== 'offline')).toHaveLength(8);

  const tasks = (await dealer.get('/service/vsvc/api/tasks?status=done')).body.items as { task_id: string }[];
  const clip = await dealer.get(`/service/vsvc/api/tasks/file/${tasks[0]?.task_id ?? ''}`);
  expect(clip.status).toBe(200);

  const recipients = (await dealer.get('/api/v1/notifications/recipients')).body.items as {
    address: string;
    state: string;
  }[];
  expect(recipients.map((it) => [it.address, it.state]).sort()).toEqual([
    ['duty@depot.invalid', 'to_review'],
    ['friend@private.invalid', 'to_review'],
    ['http://hooks.depot.invalid', 'to_review'],
    ['partner@elsewhere.invalid', 'to_review'],
  ]);
});
