import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Download, Locator, Page } from '@playwright/test';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import type { Task } from '../../server/contract/video.ts';
import { startCamera, type Camera } from './camera.ts';
import { MIDDLE, rights, userPassword, type Depot } from './depot.ts';
import { expect, test, type Operator } from './operator.ts';
import { startStallingLine } from './stallingLine.ts';

/** Ten pictures a second of ffmpeg's own test picture: 4 s in H.265, 4 s and 8 s in H.264. */
const FIXTURES = join(import.meta.dirname, 'fixtures');
const LENGTH_S = 8;

/** A vehicle that drove east for a while, faster by the second, with the SOS button pressed in the middle. */
async function addDrive(depot: Depot): Promise<{ vehicle: Vehicle; from: number }> {
  const vehicle = await depot.addVehicle({ name: 'V 17', plate: 'AB 1234' });
  const from = Math.floor(Date.now() / 1_000) * 1_000 - 60_000;
  const seconds = Array.from({ length: LENGTH_S + 1 }, (_, second) => second);
  await depot.report(
    ...seconds.map((second) => ({
      vehicle,
      lat: MIDDLE.lat,
      lon: MIDDLE.lon + second * 0.0003,
      time: new Date(from + second * 1_000).toISOString(),
      speed_kmh: 40 + second,
      course_deg: 90,
      ...(second === 5 ? { alarms: ['sos' as const] } : {}),
    })),
  );
  return { vehicle, from };
}

/** Orders a span on so many channels and waits until the depot has it; answers the tasks by channel. */
async function film(depot: Depot, profileId: string, from: number, channels: number): Promise<Task[]> {
  const span = { from: new Date(from).toISOString(), to: new Date(from + LENGTH_S * 1_000).toISOString() };
  for (let channel = 1; channel <= channels; channel += 1) {
    const order = { profile_id: profileId, channel, ...span };
    expect((await depot.dealer.post('/service/vsvc/api/tasks', order)).status).toBe(201);
  }
  let tasks: Task[] = [];
  await expect
    .poll(async () => {
      tasks = (await depot.dealer.get('/service/vsvc/api/tasks')).body.items as Task[];
      return tasks.map((it) => it.status);
    })
    .toEqual(Array.from({ length: channels }, () => 'done'));
  return tasks.sort((a, b) => a.channel - b.channel);
}

/** A camera of the network whose channels show these films, in their order. */
async function startFilmCamera(...names: string[]): Promise<Camera> {
  const films = await Promise.all(names.map((name) => readFile(join(FIXTURES, name))));
  return startCamera((request, response) => {
    const channel = Number(new URL(request.url ?? '/', 'http://camera').searchParams.get('channel'));
    response.writeHead(200, { 'Content-Type': 'video/mp4' }).end(films[channel - 1]);
  });
}

class Player {
  readonly page: Page;
  readonly films: Locator;
  readonly scrub: Locator;

  constructor(page: Page) {
    this.page = page;
    this.films = page.locator('video');
    this.scrub = page.getByRole('slider', { name: 'Moment' });
  }

  /** Where each film stands, read at one time, seconds. */
  places(): Promise<number[]> {
    return this.films.evaluateAll((all) => all.map((it) => (it as HTMLVideoElement).currentTime));
  }

  async place(): Promise<number> {
    return (await this.places())[0] ?? Number.NaN;
  }

  /** Plays to a place, seconds; answers how far the films were apart at the most, seen with every picture of the screen. */
  async spreadWhilePlaying(toS: number): Promise<number> {
    const button = this.page.getByRole('button', { name: 'Play', exact: true });
    return button.evaluate(async (play: HTMLElement, to) => {
      const films = [...document.querySelectorAll('video')];
      play.click();
      let spread = 0;
      for (let at = 0; at < to;) {
        await new Promise(requestAnimationFrame);
        const places = films.map((it) => it.currentTime);
        at = Math.min(...places);
        spread = Math.max(spread, Math.max(...places) - at);
      }
      return spread;
    }, toS);
  }

  async isSettled(): Promise<boolean> {
    const before = await this.places();
    const seeks = await this.films.evaluateAll((all) => all.some((it) => (it as HTMLVideoElement).seeking));
    return !seeks && before.length > 0;
  }

  /** Goes to the beginning and stands there. */
  async rewind(): Promise<void> {
    const pause = this.page.getByRole('button', { name: 'Pause', exact: true });
    if (await pause.isVisible()) await pause.click();
    await this.scrub.focus();
    await this.page.keyboard.press('Home');
    await expect.poll(() => this.places()).toEqual((await this.places()).map(() => 0));
  }
}

async function openVideo(operator: Operator, url: string, task: Task | undefined): Promise<Player> {
  await operator.openLive(url);
  await operator.page.goto(`${url}/#/video?task=${task?.task_id ?? ''}`);
  return new Player(operator.page);
}

async function bytesOf(download: Download): Promise<Buffer> {
  return readFile(await download.path());
}

test('plays the channels of a moment on one clock, and keeps what was fetched and marked', async ({
  host,
  depot,
  operator,
  page,
  context,
}) => {
  test.slow();
  const { vehicle, from } = await addDrive(depot);
  const profile = await depot.addCameras(vehicle, 2);
  const [task] = await film(depot, profile.profile_id, from, 2);
  const player = await openVideo(operator, host.url, task);
  const chip = page.locator('.film-map__chip b');

  await test.step('the channels stay together at each speed', async () => {
    await expect.poll(() => player.place()).toBeGreaterThan(0.3);
    await expect(player.films).toHaveCount(2);
    for (const [speed, rate] of [
      ['¼', 0.25],
      ['8×', 8],
    ] as const) {
      await player.rewind();
      await page.getByRole('button', { name: speed, exact: true }).click();
      const spread = await player.spreadWhilePlaying(Math.max(0.2, rate * 0.75));
      expect(spread, speed).toBeLessThan(0.15 * Math.max(1, rate));
    }
    await page.getByRole('button', { name: '1×', exact: true }).click();
  });

  await test.step('a step is a picture, forwards and back', async () => {
    await player.rewind();
    const seen: number[] = [];
    for (const key of ['.', '.', '.', ',', ',']) {
      const before = await player.place();
      await page.keyboard.press(key);
      await expect.poll(() => player.place()).not.toBe(before);
      await expect.poll(() => player.isSettled()).toBe(true);
      const places = await player.places();
      expect(Math.max(...places) - Math.min(...places)).toBeLessThan(0.002);
      seen.push(places[0] ?? 0);
    }
    const [one = 0, two = 0, three = 0, four = 0, five = 0] = seen;
    expect(one).toBeGreaterThan(0.01);
    expect(two - one).toBeCloseTo(one, 2);
    expect(three).toBeGreaterThan(two);
    expect([four, five]).toEqual([two, one]);
  });

  await test.step('map, chart and pictures go together, whichever is dragged', async () => {
    await player.rewind();
    await expect(chip).toHaveText('40 km/h');
    const bar = await boxOf(player.scrub);
    await page.mouse.move(bar.x + 2, bar.y + bar.height / 2);
    await page.mouse.down();
    await page.mouse.move(bar.x + bar.width / 2, bar.y + bar.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => player.place()).toBeCloseTo(LENGTH_S / 2, 1);
    await expect(chip).toHaveText('44 km/h');

    const map = await boxOf(page.locator('.film-map canvas').first());
    // The whole track lies in the middle of the map: from its middle to the right is on to its end.
    await page.mouse.move(map.x + map.width / 2, map.y + map.height / 2);
    await expect(page.locator('.film-map .is-on-track')).toHaveCount(1);
    await page.mouse.down();
    await page.mouse.move(map.x + map.width - 20, map.y + map.height / 2, { steps: 6 });
    await page.mouse.up();
    await expect.poll(() => player.place()).toBeGreaterThan(LENGTH_S - 1);
    await expect(chip).toHaveText('48 km/h');
  });

  await test.step('the event of the span is a key away, and on the bar', async () => {
    await player.rewind();
    await page.keyboard.press('Shift+Period');
    await expect.poll(() => player.place()).toBeCloseTo(5, 1);
    await expect(page.getByRole('button', { name: /^Go to .* SOS/ })).toBeVisible();
    await page.keyboard.press('1');
    await expect(page.getByRole('button', { name: 'Make channel 1 large' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  });

  await test.step('S saves the picture, with who, when, how fast and where', async () => {
    const [one] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('s')]);
    expect(one.suggestedFilename()).toMatch(/^V 17 channel 1 \d{4}-\d\d-\d\d \d\d-\d\d-\d\d\.png$/);
    const [all] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Shift+S')]);
    const { width, height } = task?.file ?? { width: 0, height: 0 };
    const single = await lookAt(page, await bytesOf(one), height);
    expect(single.width).toBe(width);
    expect(single.height).toBeGreaterThan(height * 1.05);
    expect(single.colours, 'a picture, not a black field').toBeGreaterThan(100);
    expect(single.letters, 'words below it').toBeGreaterThan(200);
    expect((await lookAt(page, await bytesOf(all), height)).width).toBeGreaterThan(width * 2);
  });

  await test.step('M marks the moment; what is marked and pinned is there after a reload', async () => {
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Marked moments' }).click();
    const list = page.getByRole('dialog', { name: 'Marked moments' });
    await list.getByRole('textbox').fill('brakes here');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: /^Go to the mark .* brakes here$/ })).toBeVisible();
    await page.getByRole('button', { name: 'Save the video' }).click();
    await page.getByRole('menuitem', { name: 'Keep this video whatever comes' }).click();
    await page.getByRole('button', { name: 'Save the video' }).click();
    await expect(page.getByRole('menuitem', { name: 'Let this video go when room is needed' })).toBeVisible();
    await page.keyboard.press('Escape');

    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.reload();
    await expect.poll(() => player.place()).toBeGreaterThan(0.2);
    expect(
      asked.filter((url) => url.includes('/tasks/file/')),
      'from the store',
    ).toEqual([]);
    await player.rewind();
    await page.getByRole('button', { name: /^Go to the mark .* brakes here$/ }).click();
    await expect.poll(() => player.place()).toBeCloseTo(5, 1);
    await page.getByRole('button', { name: 'Videos kept on this computer' }).click();
    const kept = page.getByRole('dialog', { name: 'Kept on this computer' });
    await expect(kept.getByRole('button', { name: 'Let this video go when room is needed' })).toHaveCount(2);
    await page.keyboard.press('Escape');
  });

  await test.step('another user of this computer sees none of it', async () => {
    await depot.addUser('novak', { rights: rights({ video: 'read' }) });
    await context.clearCookies();
    await page.goto('about:blank');
    await operator.openLive(host.url, 'novak', userPassword);
    await page.goto(`${host.url}/#/video`);
    await expect(page.getByRole('button', { name: 'Videos kept on this computer' })).toHaveText(/^0 kB of /);
  });
});

test('says that this browser does not play H.265, offers the file, and goes on with the others', async ({
  host,
  depot,
  operator,
  page,
}) => {
  const { vehicle, from } = await addDrive(depot);
  const camera = await startFilmCamera('h265.mp4', 'short.mp4', 'long.mp4');
  try {
    const profile = await depot.addCameras(vehicle, 3, { url: camera.url });
    const tasks = await film(depot, profile.profile_id, from, 3);
    const player = await openVideo(operator, host.url, tasks[0]);
    const picture = (channel: number) =>
      page.getByRole('figure', { name: new RegExp(`^Channel ${channel},`) });

    await expect(picture(1)).toContainText('Channel 1 is filmed in H.265, which this browser does not play.');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      picture(1).getByRole('button', { name: 'Save the file' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^V 17 channel 1 .*\.mp4$/);
    expect((await bytesOf(saved)).length).toBe(tasks[0]?.file?.size_bytes);

    await expect(player.films).toHaveCount(2);
    await page.keyboard.press('Shift+ArrowUp');
    // A picture that is over is covered: the last one would be taken for what is there.
    await expect(picture(2).locator('.picture__veil')).toBeVisible();
    await expect(picture(2)).toContainText(/no picture \d\d:\d\d:\d\d – \d\d:\d\d:\d\d/);
    await expect.poll(async () => (await player.places())[1]).toBeGreaterThan(LENGTH_S - 1);
    expect((await player.places())[0]).toBeLessThan(4.2);
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    await player.rewind();
    await expect(picture(2).locator('.picture__veil')).toHaveCount(0);
  } finally {
    await camera.close();
  }
});

test('goes on with a download that a closed page broke off', async ({
  host,
  depot,
  operator,
  page,
  context,
}) => {
  const { vehicle, from } = await addDrive(depot);
  const camera = await startFilmCamera('long.mp4');
  const profile = await depot.addCameras(vehicle, 1, { url: camera.url });
  const [task] = await film(depot, profile.profile_id, from, 1);
  const half = Math.floor((task?.file?.size_bytes ?? 0) / 2);
  const line = await startStallingLine(host.url);
  try {
    line.stall = { path: /\/tasks\/file\//, afterBytes: half };
    await openVideo(operator, line.url, task);
    await expect(page.getByText(/From the depot (49|50) %/)).toBeVisible();
    await page.close();
    line.stall = null;

    const again = await context.newPage();
    const ranges: (string | undefined)[] = [];
    again.on('request', (request) => {
      if (request.url().includes('/tasks/file/')) ranges.push(request.headers()['range']);
    });
    await again.goto(`${line.url}/#/video?task=${task?.task_id ?? ''}`);
    await expect.poll(() => new Player(again).place()).toBeGreaterThan(0.2);
    expect(ranges).toEqual([`bytes=${half}-`]);
  } finally {
    await line.close();
    await camera.close();
  }
});

async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not on the screen');
  return box;
}

/** What a PNG shows: its size, how many colours are in the picture, and how much of the strip below is written on. */
async function lookAt(page: Page, png: Buffer, pictureHeight: number) {
  return page.evaluate(
    async ({ base64, pictureHeight: top }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const brush = new OffscreenCanvas(image.width, image.height).getContext('2d');
      if (brush === null) throw new Error('no canvas');
      brush.drawImage(image, 0, 0);
      const points = (y: number, height: number) => {
        const { data } = brush.getImageData(0, y, image.width, height);
        return Array.from({ length: data.length / 4 }, (_, at) => [
          data[at * 4] ?? 0,
          data[at * 4 + 1] ?? 0,
          data[at * 4 + 2] ?? 0,
        ]);
      };
      return {
        width: image.width,
        height: image.height,
        colours: new Set(points(0, top).map((it) => it.join())).size,
        letters: points(top, image.height - top).filter((it) => (it[0] ?? 0) > 150).length,
      };
    },
    { base64: png.toString('base64'), pictureHeight },
  );
}
