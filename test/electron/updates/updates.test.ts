import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppImageUpdater } from 'electron-updater';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createElectronUpdater } from '../../../electron/updates/electronUpdater.ts';
import { readPublicKey, readSignedManifest } from '../../../electron/updates/signedManifest.ts';
import { hindranceOf, prepareUpdater } from '../../../electron/updates/startUpdates.ts';
import { createUpdates, type Updates, type UpdatesDeps } from '../../../electron/updates/updates.ts';
import { createFakeClock, type FakeClock } from '../../support/fakeClock.ts';
import { appImage, newKey, startUpdateServer } from './updateServer.ts';

const key = newKey();
let server: Awaited<ReturnType<typeof startUpdateServer>>;
let folder: string;
let clock: FakeClock;
let hindrance: ReturnType<typeof hindranceOf>;
let acts: string[];
let updates: Updates;
const program = () => join(folder, 'Fleetdeck.AppImage');
const settings = (over = {}) => ({
  ...{ on: true, url: server.url, publicKey: key.publicKey, byItself: false },
  // The fake clock begins at noon UTC.
  hour: new Date(clock.now()).getHours() + 1,
  ...over,
});

beforeAll(async () => {
  server = await startUpdateServer();
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-updates-'));
  writeFileSync(program(), appImage('1.0.0'));
  chmodSync(program(), 0o755);
  vi.stubEnv('APPIMAGE', program());
  clock = createFakeClock();
  hindrance = null;
  acts = [];
  server.files.clear();
  server.asked.length = 0;
  updates = start();
});
afterEach(() => {
  updates.stop();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

class NodeExecutor extends ElectronHttpExecutor {
  override createRequest = (...[options, callback]: Parameters<ElectronHttpExecutor['createRequest']>) =>
    request(options as object, callback) as never;
}

/** electron-updater itself, with Node's network in the place of Electron's. */
function realUpdater() {
  const updater = new AppImageUpdater(null, {
    version: '1.0.0',
    name: 'fleetdeck',
    isPackaged: true,
    appUpdateConfigPath: join(folder, 'none.yml'),
    userDataPath: folder,
    baseCachePath: join(folder, 'cache'),
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  });
  Object.assign(updater, { httpExecutor: new NodeExecutor() });
  prepareUpdater(updater, { folder, resources: folder, log: () => undefined });
  return createElectronUpdater({
    updater,
    readManifest: ({ url, publicKey }, name, signal) =>
      readSignedManifest(url, name, {
        key: readPublicKey(publicKey),
        fetch,
        signal,
        after: (...timer) => clock.after(...timer),
      }),
    after: (...timer) => clock.after(...timer),
    now: () => clock.now(),
  });
}

function start(over: Partial<UpdatesDeps> = {}): Updates {
  return createUpdates({
    file: join(folder, 'updates.json'),
    version: '1.0.0',
    failedVersion: null,
    asksToInstall: false,
    loadUpdater: () => Promise.resolve(realUpdater()),
    hindrance: () => Promise.resolve(hindrance),
    prepare: (version) => Promise.resolve(void acts.push(`prepared ${version}`)),
    end: () => acts.push('ended'),
    startAgain: () => acts.push('started again'),
    clock,
    log: () => undefined,
    ...over,
  });
}

async function comesTo(phase: string) {
  await vi.waitFor(() => expect(updates.state()).toMatchObject({ phase }), { timeout: 60_000, interval: 5 });
  return updates.state();
}
const checked = (phase: string) => {
  updates.change(settings());
  updates.check();
  return comesTo(phase);
};

describe('updates of the desktop', () => {
  it('nothing is asked of any server until updates are switched on', () => {
    updates.check();
    clock.advance(48 * 3_600_000);
    expect(updates.state()).toMatchObject({ phase: 'idle', settings: { on: false } });
    expect(server.asked).toEqual([]);
  });

  it('a signed newer version is downloaded, and installed in the place of the program when asked', async () => {
    server.publish('1.1.0', key);
    expect(await checked('ready')).toMatchObject({ found: '1.1.0', reason: null, checked_ms: clock.now() });
    expect(readFileSync(program(), 'utf8')).toContain('1.0.0');
    await updates.install();
    expect(acts).toEqual(['prepared 1.1.0', 'ended']);
    expect(readFileSync(program())).toEqual(appImage('1.1.0'));
    await vi.waitFor(() => expect(readFileSync(`${program()}.started`, 'utf8')).toBe('1.1.0\n'));
  });

  it('a manifest that another key has signed is refused, and its installer is not asked for', async () => {
    server.publish('1.1.0', newKey());
    expect((await checked('refused')).reason).toMatch(/not signed by the public key/);
    expect(server.asked).toEqual(['latest-linux.yml', 'latest-linux.yml.sig']);
  });

  it('a manifest that was changed after it was signed is refused', async () => {
    server.publish('1.1.0', key);
    server.files.set(
      'latest-linux.yml',
      Buffer.from(String(server.files.get('latest-linux.yml')).replace('1.1.0', '1.2.0')),
    );
    expect((await checked('refused')).reason).toMatch(/not signed/);
  });

  it('a manifest without a signature is not acted upon', async () => {
    server.publish('1.1.0', key);
    server.files.delete('latest-linux.yml.sig');
    expect((await checked('failed')).reason).toMatch(/answers 404 for latest-linux.yml.sig/);
  });

  it('an installer whose hash is another than the manifest says is refused and not kept', async () => {
    server.publish('1.1.0', key);
    server.files.set(
      'fleetdeck-1.1.0.AppImage',
      Buffer.from(String(appImage('1.1.0')).replace('echo', 'evil')),
    );
    expect((await checked('refused')).reason).toMatch(/SHA-512 differs/);
    expect(
      existsSync(join(folder, 'cache', 'fleetdeck-updater', 'pending', 'fleetdeck-1.1.0.AppImage')),
    ).toBe(false);
    await updates.install();
    expect(acts).toEqual([]);
  });

  it('an installer with more bytes than the manifest says is refused', async () => {
    const installer = Buffer.alloc(3_000_000, 1);
    server.publish('1.1.0', key, { installer, size: 1_000 });
    expect((await checked('refused')).reason).toMatch(/more than the manifest says/);
  });

  it.each(['0.9.0', '1.0.0'])('version %s is not installed over 1.0.0', async (version) => {
    server.publish(version, key);
    await checked('up to date');
    expect(server.asked.some((name) => name.endsWith('.AppImage'))).toBe(false);
  });

  it.each([
    ['a stage that this computer is not in', 'stagingPercentage: 0\n'],
    ['a version that is not due yet', 'notBefore: 2099-01-01T00:00:00Z\n'],
  ])('%s is left alone', async (_what, more) => {
    server.publish('1.1.0', key, { more });
    await checked('up to date');
    expect(server.asked).toEqual(['latest-linux.yml', 'latest-linux.yml.sig']);
  });

  it('a version that is due by now is taken', async () => {
    server.publish('1.1.0', key, { more: 'notBefore: 2020-01-01T00:00:00Z\nstagingPercentage: 100\n' });
    await checked('ready');
  });

  it('a manifest that names an installer elsewhere is refused', async () => {
    server.publish('1.1.0', key, { name: 'https://elsewhere.example/a.AppImage' });
    expect((await checked('refused')).reason).toMatch(/another address/);
  });

  it('a manifest of more than 64 KiB is refused', async () => {
    server.publish('1.1.0', key, { more: `releaseNotes: ${'x'.repeat(70_000)}\n` });
    expect((await checked('refused')).reason).toMatch(/more than 65,536 bytes/);
  });

  it('a redirect is not followed', async () => {
    server.publish('1.1.0', key);
    server.files.set('latest-linux.yml', (response) =>
      response.writeHead(302, { location: '/other.yml' }).end(),
    );
    await checked('failed');
    expect(server.asked).toEqual(['latest-linux.yml']);
  });

  it('a server that does not answer is given up after 30 seconds, and asked again an hour later', async () => {
    server.files.set('latest-linux.yml', () => undefined);
    updates.change(settings());
    clock.advance(3_600_000);
    await vi.waitFor(() => expect(server.asked).toHaveLength(1));
    clock.advance(30_000);
    expect((await comesTo('failed')).reason).toMatch(/not received within 30 s/);
    clock.advance(10 * 60_000);
    expect(server.asked).toHaveLength(1);
  });

  it('a download that brings nothing for a minute is given up', async () => {
    server.publish('1.1.0', key);
    server.files.set('fleetdeck-1.1.0.AppImage', (response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write('#!');
    });
    await checked('downloading');
    await vi.waitFor(() => expect(server.asked).toContain('fleetdeck-1.1.0.AppImage'));
    clock.advance(60_000);
    expect((await comesTo('failed')).reason).toMatch(/brought nothing for 60 s/);
  });

  it('a download that is cut off is given up', async () => {
    server.publish('1.1.0', key);
    server.files.set('fleetdeck-1.1.0.AppImage', (response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write('#!', () => response.destroy());
    });
    updates.change(settings());
    updates.check();
    await vi.waitFor(() => expect(['failed', 'refused']).toContain(updates.state().phase), {
      timeout: 60_000,
    });
    expect(readFileSync(program(), 'utf8')).toContain('1.0.0');
  });

  it('it looks once a day, in the hour of the setting', async () => {
    updates.change(settings());
    clock.advance(59 * 60_000);
    expect(server.asked).toEqual([]);
    server.publish('1.0.0', key);
    clock.advance(2 * 60_000);
    await comesTo('up to date');
    clock.advance(20 * 60_000);
    expect(server.asked).toHaveLength(2);
    clock.advance(24 * 3_600_000);
    await vi.waitFor(() => expect(server.asked).toHaveLength(4));
  });

  it('nothing is installed while an alarm is open, and the state says why', async () => {
    server.publish('1.1.0', key);
    await checked('ready');
    hindrance = hindranceOf({ alarms: 2, downloads: 0 });
    expect(await updates.install()).toMatchObject({
      phase: 'ready',
      reason: 'Installing waits. Open alarms: 2.',
      causes: hindrance,
    });
    expect(acts).toEqual([]);
    hindrance = null;
    await updates.install();
    expect(acts).toEqual(['prepared 1.1.0', 'ended']);
  });

  it('it installs by itself in its hour when that is set, once no alarm is open any more', async () => {
    server.publish('1.1.0', key);
    hindrance = hindranceOf({ alarms: 1, downloads: 0 });
    updates.change(settings({ byItself: true }));
    updates.check();
    await comesTo('ready');
    clock.advance(30 * 60_000);
    expect(updates.state().reason).toBeNull();
    clock.advance(32 * 60_000);
    await vi.waitFor(() => expect(updates.state().causes).toEqual(hindrance));
    hindrance = null;
    clock.advance(60_000);
    await vi.waitFor(() => expect(acts).toEqual(['prepared 1.1.0', 'ended']));
  });

  it('it installs nothing by itself in the first half an hour, so that one that fails is not tried on and on', async () => {
    server.publish('1.1.0', key);
    updates.change(settings({ byItself: true, hour: new Date(clock.now()).getHours() }));
    updates.check();
    await comesTo('ready');
    clock.advance(29 * 60_000);
    expect(updates.state().phase).toBe('ready');
    clock.advance(60_000);
    await vi.waitFor(() => expect(acts).toEqual(['prepared 1.1.0', 'ended']));
  });

  it('where the system asks for permission it installs nothing by itself, says why, and installs when asked', async () => {
    updates.stop();
    updates = start({ asksToInstall: true });
    server.publish('1.1.0', key);
    updates.change(settings({ byItself: true }));
    updates.check();
    await comesTo('ready');
    clock.advance(62 * 60_000);
    expect(updates.state()).toMatchObject({
      phase: 'ready',
      reason: expect.stringMatching(/permission/) as string,
    });
    await updates.install();
    expect(acts).toEqual(['prepared 1.1.0', 'ended']);
  });

  it('open alarms that cannot be read let nothing be installed, and end nothing', async () => {
    const log = vi.fn<UpdatesDeps['log']>();
    updates.stop();
    updates = start({ hindrance: () => Promise.reject(new Error('the store has ended')), log });
    server.publish('1.1.0', key);
    updates.change(settings({ byItself: true }));
    updates.check();
    await comesTo('ready');
    clock.advance(61 * 60_000);
    await vi.waitFor(() =>
      expect(log).toHaveBeenCalledWith('an update was not installed', expect.any(Error)),
    );
    expect(acts).toEqual([]);
  });

  it('without a backup nothing is installed: the program starts again as it is', async () => {
    updates.stop();
    updates = start({ prepare: () => Promise.reject(new Error('the disk is full')) });
    server.publish('1.1.0', key);
    await checked('ready');
    await updates.install();
    expect(acts).toEqual(['started again']);
    expect(readFileSync(program(), 'utf8')).toContain('1.0.0');
  });

  it('a version that did not start here before is not taken again', async () => {
    updates.stop();
    updates = start({ failedVersion: '1.1.0' });
    expect(updates.state().reason).toMatch(
      /1\.1\.0 did not start on this computer, and 1\.0\.0 was put back/,
    );
    server.publish('1.1.0', key);
    expect((await checked('refused')).reason).toMatch(/did not start/);
    server.publish('1.1.1', key);
    updates.check();
    await comesTo('ready');
  });

  it('a download ends when updates are switched off, and the settings are there after the next start', async () => {
    server.publish('1.1.0', key);
    server.files.set('fleetdeck-1.1.0.AppImage', (response) => void response.writeHead(200).write('#!'));
    await checked('downloading');
    updates.change(settings({ on: false }));
    expect(updates.state()).toMatchObject({ phase: 'idle', found: null });
    expect(start().state().settings).toMatchObject({ on: false, url: server.url });
  });

  it.each([
    ['an address without TLS', { url: 'http://updates.example/' }, /begins with https/],
    ['an address with a username', { url: 'https://a:b@updates.example/' }, /no username/],
    ['a key that is none', { publicKey: 'AAAA' }, /not an Ed25519 key/],
  ])('%s is refused', (_what, over, words) => {
    expect(() => updates.change(settings(over))).toThrow(words);
    expect(updates.state().settings.on).toBe(false);
  });
});
