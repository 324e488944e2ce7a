import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ruleRoutes } from '../../server/contract/rules.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import { bothClips, startFakeJt1078, type Clips } from '../support/fakeJt1078.ts';
import { hasCapture } from '../support/jt1078Packets.ts';
import { clipAnswer, hasRealClip, startCamera } from './camera.ts';
import { MIDDLE, pressSos, ROOT } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test } from './operator.ts';
import { expectToPlay } from './player.ts';
import { addTerminal, openQueue, row } from './videoSteps.ts';

/** A recorder with JT/T 1078 in a process of its own, that has logged on. */
async function startRecorder(port: number, terminal: string): Promise<ChildProcess> {
  const program = join(ROOT, 'test/support/fakeJt1078.ts');
  const child = spawn(process.execPath, [program, '--port', String(port), '--terminal', terminal], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if ((JSON.parse(line) as { ready?: boolean }).ready === true) return child;
  }
  throw new Error('the recorder ended before it was ready');
}

/** It ends by itself with the host that it is logged on to. */
async function endRecorder(recorder: ChildProcess): Promise<void> {
  if (recorder.exitCode !== null || recorder.signalCode !== null) return;
  const ended = once(recorder, 'exit');
  recorder.kill('SIGTERM');
  await ended;
}

test('the sub-stream clip of a terminal comes first, and the main-stream clip in its place when there is one', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.skip(!hasCapture, 'the real JT/T 1078 stream does not lie beside the project');
  test.slow();
  const phone = '13912345678';
  const vehicle = await depot.addVehicle({ name: 'Recorder', terminal_id: phone });
  await depot.report({ vehicle, ...MIDDLE, speed_kmh: 0, ignition: false });
  await addTerminal(depot, vehicle);
  const rules = await depot.dealer.ask(ruleRoutes.list);
  const sos = rules.items.find((it) => it.event_kind === 'sos');
  if (sos === undefined) throw new Error('a new depot has a rule of the SOS button');
  await depot.dealer.ask(ruleRoutes.patch, {
    params: { rule_id: sos.rule_id },
    body: { video: { before_s: 8, after_s: 0 } },
  });
  const clips = bothClips();
  const logOn = (has: Clips) => startFakeJt1078({ port: host.jt808Port, phone, clips: has });
  let recorder = await logOn({ sub: clips.sub });
  try {
    await pressSos(depot, vehicle);
    await operator.openLive(host.url);

    await test.step('an item with a sub-stream clip is ready, and says that there is no main-stream clip', async () => {
      await openQueue(operator);
      await expect(row(page, 'sub')).toContainText(/Recorder 1 Front.*Ready.*Rule /);
      await expect(row(page, 'main')).toContainText('This recording no longer exists');
      await expectNoFaults(page);
      await page.getByRole('link', { name: 'Events' }).click();
      const list = page.getByRole('grid', { name: 'Notifications' });
      await expect(list).toContainText('no main stream');
      await list.getByRole('button', { name: '1 of 1 ready' }).click();
      await expectToPlay(page.locator('video').first());
      const order = page.getByRole('region', { name: 'Ready' }).getByRole('listitem');
      await expect(order).toContainText('main stream: no recording');
      await expectNoFaults(page);
    });

    await test.step('a retry of the request fetches the main-stream clip alone, and leaves the sub-stream clip out of evidence', async () => {
      await recorder.close();
      recorder = await logOn(clips);
      const order = page.getByRole('region', { name: 'Ready' }).getByRole('listitem');
      await order.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Retry' }).click();
      const statuses = async () => (await depot.dealer.ask(videoRoutes.tasks)).items.map((it) => it.status);
      await expect.poll(statuses).toEqual(['done', 'done']);
      expect(recorder.playbacks.map((it) => it.stream)).toEqual([1]);
      await expect(order).not.toContainText('main stream');
      await order.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Export evidence' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export evidence' });
      await expect(dialog).toContainText(/1 video, .*One sub-stream is omitted/);
      await expectNoFaults(page);
    });
  } finally {
    await recorder.close();
  }
});

test('video of a JT/T 1078 terminal, of a network camera and of the simulator is requested, seen and replayed without the host', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.skip(!hasCapture, 'the real JT/T 1078 stream does not lie beside the project');
  test.skip(!hasRealClip, 'the recording does not lie beside the project');
  test.slow();
  const terminal = '13912345678';
  const camera = await startCamera(await clipAnswer());
  const add = async (name: string, east: number, fields: { terminal_id?: string } = {}) => {
    const vehicle = await depot.addVehicle({ name, ...fields });
    await depot.report({ vehicle, ...MIDDLE, lon: MIDDLE.lon + east, speed_kmh: 0, ignition: false });
    return vehicle;
  };
  await addTerminal(depot, await add('Recorder', 0.01, { terminal_id: terminal }));
  await depot.addCameras(await add('Network', 0.02), 1, { url: camera.url });
  await depot.addCameras(await add('Simulated', 0.03));
  await depot.dealer.call('PATCH', '/api/v1/settings', { video_before_s: 8, video_after_s: 0 });
  const recorder = await startRecorder(host.jt808Port, terminal);
  const names = ['Recorder', 'Network', 'Simulated'];
  const clip = page.locator('video').first();
  try {
    await operator.openLive(host.url);
    for (const name of names) {
      await test.step(`${name} is requested by V, and the player opens automatically`, async () => {
        await operator.press('Alt+1');
        await operator.vehicle(name).click();
        await operator.press('v');
        await expect(page).toHaveURL(/#\/video\?task=/);
        await expectToPlay(clip);
      });
    }

    await host.stop();
    await expect(operator.connection).toContainText(/Connection lost/);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/vsvc/api/tasks/file/')) asked.push(request.url());
    });
    const tasks = page.getByRole('region', { name: 'Video requests' });
    for (const name of names) {
      await test.step(`${name} plays again from this computer`, async () => {
        await tasks.getByRole('button', { name: new RegExp(`^${name} `) }).click();
        await clip.evaluate((it: HTMLVideoElement) => {
          it.currentTime = 0;
        });
        await expectToPlay(clip);
      });
    }
    expect(asked, 'nothing was fetched again').toEqual([]);
  } finally {
    await endRecorder(recorder);
    await camera.close();
  }
});
