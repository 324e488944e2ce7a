import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Locator, Page } from '@playwright/test';
import { runVerify } from '../../server/commands/verify/runVerify.ts';
import { ruleRoutes } from '../../server/contract/rules.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { videoRoutes, type Task } from '../../server/contract/video.ts';
import { type Profile } from '../../server/contract/videoProfiles.ts';
import { bothFilms, startFakeJt1078, type Films } from '../support/fakeJt1078.ts';
import { hasCapture } from '../support/jt1078Packets.ts';
import { filmAnswer, hasRealClip, startCamera, type Camera } from './camera.ts';
import { addSmallFleet, MIDDLE, pressSos, ROOT, type Depot } from './depot.ts';
import { expectNoFaults } from './expectNoFaults.ts';
import { expect, test, type Operator } from './operator.ts';
import { expectToPlay } from './player.ts';

const SECOND = 1_000;

/** Orders one channel, so many seconds ago; `at` is a common moment to count from, milliseconds. */
function order(
  depot: Depot,
  profile: Profile,
  channel: number,
  wish: { agoS: number; at?: number; lengthS?: number; eventId?: string },
): Promise<Task> {
  const to = (wish.at ?? Date.now()) - wish.agoS * SECOND;
  return depot.dealer.ask(videoRoutes.createTask, {
    body: {
      profile_id: profile.profile_id,
      channel,
      from: new Date(to - (wish.lengthS ?? 3) * SECOND).toISOString(),
      to: new Date(to).toISOString(),
      event_id: wish.eventId ?? null,
    },
  });
}

function addTerminal(depot: Depot, vehicle: Vehicle): Promise<Profile> {
  return depot.dealer.ask(videoRoutes.createProfile, {
    body: { vehicle_id: vehicle.vehicle_id, kind: 'jt1078', channels: [{ channel: 1, name: 'Front' }] },
  });
}

/** A camera of the network that has the film of channel 1, and never answers for another. */
async function startSlowCamera(): Promise<Camera> {
  const film = await readFile(join(import.meta.dirname, 'fixtures', 'short.mp4'));
  return startCamera((request, response) => {
    if (request.url?.includes('channel=1&') !== true) return;
    response.writeHead(200, { 'Content-Type': 'video/mp4' }).end(film);
  });
}

async function openQueue({ page }: Operator): Promise<Locator> {
  await page.getByRole('link', { name: 'Video' }).click();
  await page.keyboard.press('q');
  const queue = page.getByRole('region', { name: 'Queue of videos' });
  await expect(queue).toBeVisible();
  return queue;
}

/** The rules of a new depot order video by themselves, which is not what every test is about. */
async function keepRulesFromFilming(depot: Depot): Promise<void> {
  const { items } = await depot.dealer.ask(ruleRoutes.list);
  for (const { rule_id, video } of items) {
    if (video === null) continue;
    await depot.dealer.ask(ruleRoutes.patch, { params: { rule_id }, body: { video: null } });
  }
}

/** The rows under the head. */
const rows = (page: Page) =>
  page
    .getByRole('grid', { name: 'Queue of videos' })
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
const row = (page: Page, text: string | RegExp) => rows(page).filter({ hasText: text });
const statusOf = async (depot: Depot, { task_id }: Task) =>
  (await depot.dealer.ask(videoRoutes.getTask, { params: { task_id } })).status;

/** Keeps the calls that cancel tasks from the host, until told to let them through. */
async function holdCancels(page: Page): Promise<() => void> {
  let goOn: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(/\/vsvc\/api\/tasks\/[^/]+$/, async (route) => {
    if (route.request().method() === 'DELETE') await released;
    await route.continue();
  });
  return goOn;
}

/** Takes another one of a list that opens; within the dialog or group that has such a field. */
async function choose(where: Locator, label: string, option: string): Promise<void> {
  await where.getByRole('button', { name: new RegExp(label) }).click();
  await where.page().getByRole('option', { name: option, exact: true }).click();
}

test.describe('the queue of videos', () => {
  let camera: Camera;
  let slow: Camera;
  test.beforeEach(async ({ depot }) => {
    await keepRulesFromFilming(depot);
    camera = await startCamera((_request, response) => {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('no such recording');
    });
    slow = await startSlowCamera();
  });
  test.afterEach(async () => {
    await camera.close();
    await slow.close();
  });

  test('says how far each video is, who asked and why, and is narrowed by filters', async ({
    host,
    depot,
    operator,
    page,
  }) => {
    test.slow();
    const { moving, fast, stopped } = await addSmallFleet(depot);
    const cameras = await depot.addCameras(moving, 2);
    const gone = await order(depot, await depot.addCameras(fast, 1, { url: camera.url }), 1, { agoS: 90 });
    await order(depot, await addTerminal(depot, stopped), 1, { agoS: 60 });
    await pressSos(depot, moving);
    const [alarm] = await depot.openAlarms();
    await order(depot, cameras, 2, { agoS: 5, eventId: alarm?.event_ids[0] ?? '' });
    await expect.poll(() => statusOf(depot, gone)).toBe('failed');

    await operator.openLive(host.url);
    await openQueue(operator);
    await expect(rows(page)).toHaveCount(3);
    await expect(row(page, 'V 1')).toContainText('2 Cabin');
    await expect(row(page, 'V 1')).toContainText(/Ready.*on line.*kB.*dealer/);
    await expect(row(page, 'V 1').getByRole('link')).toHaveText('SOS button pressed');
    await expect(row(page, 'V 2')).toContainText('This recording is gone');
    await expect(row(page, 'V 3')).toContainText(/Waits for the terminal.*off line/);
    await expectNoFaults(page);

    const filters = page.getByRole('group', { name: 'Which videos are shown' });
    await choose(filters, 'State', 'Waits for the terminal');
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/state=waiting/);
    await choose(filters, 'State', 'All');
    await page.getByRole('combobox', { name: 'Vehicle' }).fill('V 2');
    await page.getByRole('option', { name: /V 2/ }).click();
    await expect(rows(page)).toHaveCount(1);
    await page.getByText('Important alone').click();
    await expect(page.getByText('No video is like that')).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(rows(page)).toHaveCount(3);
    await choose(filters, 'Asked by', 'Rules');
    await expect(page.getByText('No video is like that')).toBeVisible();

    // Enter on a row opens its player, and Back leads to the queue again.
    await page.getByRole('button', { name: 'Show all' }).click();
    await row(page, 'V 1').click();
    await expect(page.locator('video').first()).toBeVisible();
    await page.goBack();
    await expect(rows(page)).toHaveCount(3);
  });

  test('many are tried again, marked, cancelled and deleted at once', async ({
    host,
    depot,
    operator,
    page,
  }) => {
    test.slow();
    const { moving, fast, stopped } = await addSmallFleet(depot);
    const cameras = await depot.addCameras(moving, 2);
    const broken = await depot.addCameras(fast, 2, { url: camera.url });
    const terminal = await addTerminal(depot, stopped);
    const failed = [await order(depot, broken, 1, { agoS: 90 }), await order(depot, broken, 2, { agoS: 90 })];
    const waiting = [
      await order(depot, terminal, 1, { agoS: 60 }),
      await order(depot, terminal, 1, { agoS: 70 }),
    ];
    const done = await order(depot, cameras, 1, { agoS: 50 });
    for (const task of failed) await expect.poll(() => statusOf(depot, task)).toBe('failed');
    await expect.poll(() => statusOf(depot, done)).toBe('done');

    await operator.openLive(host.url);
    await openQueue(operator);
    const chosen = page.getByRole('group', { name: /^\d videos?$/ });
    await row(page, 'V 2').first().getByRole('checkbox').click();
    await row(page, 'V 2')
      .last()
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    const before = camera.asked.length;
    await operator.press('r');
    await expect
      .poll(() => camera.asked.length, 'the camera is asked again')
      .toBeGreaterThanOrEqual(before + 2);
    await chosen.getByRole('button', { name: 'Untick all' }).click();

    for (const it of await row(page, 'V 3').all()) await it.getByRole('checkbox').click();
    await expectNoFaults(page);
    await chosen.getByRole('button', { name: 'Mark 2 important' }).click();
    await expect(page.getByRole('img', { name: /^Important/ })).toHaveCount(2);
    // The work goes on, and says how it ended, while the operator looks elsewhere.
    const goOn = await holdCancels(page);
    await chosen.getByRole('button', { name: 'Cancel 2' }).click();
    await operator.press('Alt+1');
    await operator.seesMap();
    goOn();
    await expect(page.getByText('2 videos were cancelled.')).toBeVisible();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(row(page, 'V 3').filter({ hasText: 'Cancelled' })).toHaveCount(2);
    for (const task of waiting) expect(await statusOf(depot, task)).toBe('cancelled');

    await row(page, 'V 1').getByRole('checkbox').click();
    await chosen.getByRole('button', { name: 'Delete 1' }).click();
    await chosen.getByRole('button', { name: 'Delete 1 at the depot and here' }).click();
    await expect(row(page, 'V 1')).toContainText('Deleted at the depot');
    expect(await statusOf(depot, done)).toBe('expired');
  });

  test('events say whether their video is there, can be requested, or is on its way', async ({
    host,
    depot,
    operator,
    page,
  }) => {
    const { moving, fast, stopped, idle } = await addSmallFleet(depot);
    const cameras = await depot.addCameras(moving);
    const half = await depot.addCameras(fast, 2, { url: slow.url });
    const terminal = await addTerminal(depot, stopped);
    await depot.addCameras(idle);
    for (const vehicle of [moving, fast, stopped, idle]) await pressSos(depot, vehicle);
    for (const { vehicle_id, event_ids } of await depot.openAlarms()) {
      const eventId = event_ids[0] ?? '';
      if (vehicle_id === moving.vehicle_id) await order(depot, cameras, 1, { agoS: 5, eventId });
      if (vehicle_id === stopped.vehicle_id) await order(depot, terminal, 1, { agoS: 5, eventId });
      if (vehicle_id !== fast.vehicle_id) continue;
      const at = Date.now();
      for (const channel of [1, 2]) await order(depot, half, channel, { agoS: 5, at, eventId });
    }
    await operator.openLive(host.url);
    await page.getByRole('link', { name: 'Events' }).click();
    const list = page.getByRole('grid', { name: 'Notifications' });
    const of = (name: string) => list.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
    await expect(of('V 1')).toContainText('1 of 1 ready');
    await expect(of('V 3')).toContainText('waits for terminal');
    await expect(of('V 4')).toContainText('can be requested');
    await expect(of('V 2')).toContainText('1 of 2');
    await expectNoFaults(page);
    await of('V 2').getByRole('button', { name: '1 of 2 ready' }).click();
    await page.getByRole('button', { name: 'Play channel 1 now' }).click();
    await expectToPlay(page.locator('video').first());
  });
});

test('the small picture of a terminal comes first, and the full quality in its place when there is one', async ({
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
  const films = bothFilms();
  const logOn = (has: Films) => startFakeJt1078({ port: host.jt808Port, phone, films: has });
  let recorder = await logOn({ sub: films.sub });
  try {
    await pressSos(depot, vehicle);
    await operator.openLive(host.url);

    await test.step('what has a small picture is ready, and says that there is no full one', async () => {
      await openQueue(operator);
      await expect(row(page, 'small')).toContainText(/Recorder 1 Front.*Ready.*Rule /);
      await expect(row(page, 'full')).toContainText('This recording is gone');
      await expectNoFaults(page);
      await page.getByRole('link', { name: 'Events' }).click();
      const list = page.getByRole('grid', { name: 'Notifications' });
      await expect(list).toContainText('not in full');
      await list.getByRole('button', { name: '1 of 1 ready' }).click();
      await expectToPlay(page.locator('video').first());
      const order = page.getByRole('region', { name: 'Ready' }).getByRole('listitem');
      await expect(order).toContainText('full quality: no recording');
      await expectNoFaults(page);
    });

    await test.step('a retry of the order fetches the full one alone, and leaves the small one out of evidence', async () => {
      await recorder.close();
      recorder = await logOn(films);
      const order = page.getByRole('region', { name: 'Ready' }).getByRole('listitem');
      await order.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Retry' }).click();
      const statuses = async () => (await depot.dealer.ask(videoRoutes.tasks)).items.map((it) => it.status);
      await expect.poll(statuses).toEqual(['done', 'done']);
      expect(recorder.playbacks.map((it) => it.stream)).toEqual([1]);
      await expect(order).not.toContainText('full quality');
      await order.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Export evidence' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export evidence' });
      await expect(dialog).toContainText(/1 video, .*The small picture of one is left out/);
      await expectNoFaults(page);
    });
  } finally {
    await recorder.close();
  }
});

test('an order is placed on the bar of what the terminal has', async ({ host, depot, operator, page }) => {
  const { moving, stopped, fast } = await addSmallFleet(depot);
  await depot.addCameras(moving, 2);
  await depot.addCameras(fast, 1, { url: 'http://127.0.0.1:9/film' });
  await addTerminal(depot, stopped);
  await operator.openLive(host.url);
  await openQueue(operator);
  await page.keyboard.press('v');
  const dialog = page.getByRole('dialog', { name: 'Order video' });
  const bar = dialog.getByRole('group', { name: 'Recordings' });
  await expect(bar.getByText('on the vehicle')).toBeVisible();
  await expect(bar.locator('.recordings__part--there[title]')).toHaveCount(2);
  await expectNoFaults(page);

  // A key moves the whole span, and the fields follow.
  const span = bar.getByRole('slider', { name: 'Whole span' });
  await span.focus();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  const from = dialog.getByLabel('From');
  const before = await from.inputValue();
  await bar.getByRole('slider', { name: 'Beginning' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(from).not.toHaveValue(before);
  await bar.getByRole('button', { name: '15 min' }).click();
  const box = await bar.locator('.recordings__band').boundingBox();
  if (box === null) throw new Error('the bar shows no span');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 60, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  const wished = await from.inputValue();
  await dialog.getByRole('button', { name: 'Order 2 channels' }).click();
  await expect(dialog).toBeHidden();
  const { items } = await depot.dealer.ask(videoRoutes.tasks);
  expect(items.map((it) => it.from.slice(11, 19))).toEqual([wished, wished]);

  await openQueue(operator);
  await page.keyboard.press('v');
  await choose(dialog, 'Vehicle', 'V 3');
  await expect(bar).toContainText('The terminal is off line.');
  await choose(dialog, 'Vehicle', 'V 2');
  await expect(bar).toContainText('This camera has no list of what it recorded.');
});

test('a dealer sets up the cameras of a vehicle, tries, changes and deletes them', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { moving } = await addSmallFleet(depot);
  await operator.openLive(host.url);
  await page.goto(`${host.url}/#/vehicles?id=${moving.vehicle_id}`);
  const cameras = page.getByRole('region', { name: 'Cameras' });
  await cameras.getByRole('button', { name: 'Set up cameras' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cameras of V 1' });
  await choose(dialog, 'Kind', 'Camera or recorder with HTTP');
  await choose(dialog, 'Make of the camera', 'Frigate');
  await expect(dialog.getByLabel('Address')).toHaveValue(/^http:\/\/HOST:5000\/api\//);
  await expectNoFaults(page);
  await dialog.getByLabel('Address').fill('http://nvr.example/film?channel={channel}&from={from}');
  await choose(dialog, 'Authorization', 'Digest');
  await dialog.getByLabel('Login').fill('depot');
  await dialog.getByLabel('Password').fill('a secret');
  await dialog.getByLabel('Name of channel 2').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Each channel needs a name');
  await dialog.getByRole('button', { name: 'Remove channel 2' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(cameras).toContainText('http://nvr.example/film');
  await cameras.getByRole('button', { name: 'Test' }).click();
  await expect(cameras.getByRole('status')).toContainText('Nobody knows yet');

  await cameras.getByRole('button', { name: 'Change' }).click();
  await expect(dialog.getByText('Left empty, the present one stays.')).toBeVisible();
  await dialog.getByLabel('Name', { exact: true }).fill('Yard');
  await dialog.getByRole('button', { name: 'Add a channel' }).click();
  await dialog.getByLabel('Name of channel 2').fill('Rear');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(cameras).toContainText('1 Front, 2 Rear');
  const known = await depot.dealer.ask(videoRoutes.profiles);
  expect('items' in known ? known.items : []).toMatchObject([
    { name: 'Yard', kind: 'http', connection: { auth: 'digest', username: 'depot', has_password: true } },
  ]);
  await expectNoFaults(page);

  await cameras.getByRole('button', { name: 'Delete' }).click();
  await cameras.getByRole('button', { name: 'Delete the cameras for good' }).click();
  await expect(cameras).toContainText('No cameras are set up.');
});

test('evidence is exported as a ZIP that can be verified, and who did is kept', async ({
  host,
  depot,
  operator,
  page,
}, testInfo) => {
  test.slow();
  await keepRulesFromFilming(depot);
  const { moving } = await addSmallFleet(depot);
  const cameras = await depot.addCameras(moving, 2);
  await pressSos(depot, moving);
  const tasks = [
    await order(depot, cameras, 1, { agoS: 20, lengthS: 5 }),
    await order(depot, cameras, 2, { agoS: 20, lengthS: 5 }),
  ];
  for (const task of tasks) await expect.poll(() => statusOf(depot, task)).toBe('done');
  await operator.openLive(host.url);
  await openQueue(operator);
  await page.getByRole('checkbox').first().click();
  await operator.press('e');
  const dialog = page.getByRole('dialog', { name: 'Export evidence' });
  await expect(dialog).toContainText('2 videos');
  await expect(dialog).toContainText('Nobody yet.');
  await dialog.getByLabel('Note').fill('Case 7');
  await expectNoFaults(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export evidence' }).click(),
  ]);
  const file = testInfo.outputPath('evidence.zip');
  await download.saveAs(file);
  const said: string[] = [];
  expect(await runVerify([file], (line) => said.push(line)), said.join('\n')).toBe(0);
  expect(said.join('\n')).toContain('by dealer');
  await expect(dialog.getByRole('region', { name: 'Who had it in hand' })).toContainText(
    /dealer.*exported it/,
  );
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  // The same stands on the order.
  await operator.press('Escape');
  const list = page.getByRole('region', { name: 'Tasks' });
  await list.getByRole('button', { name: 'More' }).first().click();
  await page.getByRole('menuitem', { name: 'Who had it in hand' }).click();
  const people = page.getByRole('dialog', { name: 'Who had it in hand' });
  await expect(people).toContainText(/dealer.*exported it/);
  // What becomes of the order meanwhile moves it in the list, and leaves the dialog where it is.
  for (const { task_id } of tasks) await depot.dealer.ask(videoRoutes.removeTask, { params: { task_id } });
  await expect(page.getByText('Its time there was over').first()).toBeAttached();
  await expect(people).toBeVisible();
});

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

test('video of a JT/T 1078 terminal, of a camera of the network and of the simulator is ordered, seen and replayed without the host', async ({
  host,
  depot,
  operator,
  page,
}) => {
  test.skip(!hasCapture, 'the real JT/T 1078 stream does not lie beside the project');
  test.skip(!hasRealClip, 'the recording does not lie beside the project');
  test.slow();
  const terminal = '13912345678';
  const camera = await startCamera(await filmAnswer());
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
  const film = page.locator('video').first();
  try {
    await operator.openLive(host.url);
    for (const name of names) {
      await test.step(`${name} is ordered by V, and the player opens by itself`, async () => {
        await operator.press('Alt+1');
        await operator.vehicle(name).click();
        await operator.press('v');
        await expect(page).toHaveURL(/#\/video\?task=/);
        await expectToPlay(film);
      });
    }

    await host.stop();
    await expect(operator.connection).toContainText(/Server lost/);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/vsvc/api/tasks/file/')) asked.push(request.url());
    });
    const tasks = page.getByRole('region', { name: 'Tasks' });
    for (const name of names) {
      await test.step(`${name} plays again from this computer`, async () => {
        await tasks.getByRole('button', { name: new RegExp(`^${name} `) }).click();
        await film.evaluate((it: HTMLVideoElement) => {
          it.currentTime = 0;
        });
        await expectToPlay(film);
      });
    }
    expect(asked, 'nothing was fetched again').toEqual([]);
  } finally {
    await endRecorder(recorder);
    await camera.close();
  }
});
