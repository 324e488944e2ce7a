import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askHost } from '../../../server/app/controlSocket.ts';
import { lastAt } from '../../../server/backup/backups.ts';
import { sha256Of } from '../../../server/backup/manifest.ts';
import { auditRoutes } from '../../../server/contract/audit.ts';
import { backupRoutes } from '../../../server/contract/backups.ts';
import { makeBackup } from '../../../server/contract/control.ts';
import { healthRoutes } from '../../../server/contract/health.ts';
import { incidentRoutes } from '../../../server/contract/incidents.ts';
import { snapshotRoutes } from '../../../server/contract/incidentSnapshots.ts';
import { serviceRoutes } from '../../../server/contract/settings.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { pathOf } from '../../support/caller.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { jpegOf } from '../../support/jpegOf.ts';
import { startProgram } from '../../support/program.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';
import { seedWorld } from '../api/world.ts';

const onWindows = process.platform === 'win32';
const dayMs = 86_400_000;

let target: string;
let undo: (() => unknown)[];
beforeEach(async () => {
  target = await mkdtemp(join(tmpdir(), 'fleetdeck-backups-'));
  undo = [];
});
afterEach(async () => {
  for (const step of undo.reverse()) await step();
  await rm(target, { recursive: true, force: true });
});

async function start(options: Parameters<typeof startTestHost>[0] = {}): Promise<TestHost> {
  const host = await startTestHost(options);
  undo.push(() => host.close());
  return host;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const ask = (host: TestHost, clips = false) => askHost(host.data, makeBackup, { to: target, clips });

async function fleetdeck(...args: string[]) {
  const program = startProgram('server/commands/fleetdeck.cjs', args);
  const { code } = await program.ended;
  return { code, printed: program.stdout().trim(), said: program.stderr() };
}

function rowsOf(file: string, sql: string): unknown[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

const positionsIn = (data: string) => rowsOf(join(data, 'telemetry.db'), 'SELECT * FROM positions');

async function addVehicle(dealer: Caller): Promise<void> {
  await dealer.ask(vehicleRoutes.create, { body: { terminal_id: '7', name: 'Seven' } });
}

const send = (host: TestHost, at: number) =>
  fetch(`${host.intakeUrl}/?id=7&lat=52.5&lon=13.4&timestamp=${Math.floor(Date.now() / 1_000) - 5_000 + at}`);

describe('a backup', () => {
  it('a backup that is taken during intake holds all that was committed before it began, and holds up no commit', async () => {
    const host = await start();
    await addVehicle(await host.login());
    let sent = 0;
    const step = async () => {
      expect((await send(host, sent)).status).toBe(200);
      sent++;
    };
    for (let at = 0; at < 20; at++) await step();
    const before = sent;
    const making = ask(host);
    let made: Awaited<typeof making> | null = null;
    while (made === null) [made] = await Promise.all([Promise.race([making, Promise.resolve(null)]), step()]);
    const { path } = made;
    const positions = rowsOf(join(path, 'telemetry.db'), 'SELECT time_ms FROM positions').length;
    expect(positions).toBeGreaterThanOrEqual(before);
    expect(positions).toBeLessThanOrEqual(sent);
    expect(sent).toBeGreaterThan(before);
    expect(rowsOf(join(path, 'telemetry.db'), 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    const names = (await readdir(path)).sort();
    expect(names).toEqual(
      expect.arrayContaining([
        'SHA256SUMS',
        'format.json',
        'jwt.key',
        'manifest.json',
        'settings.json',
        'telemetry.db',
      ]),
    );
    expect(names).not.toContain('control');
    expect(names).not.toContain('lock.db');
    if (!onWindows) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
      for (const name of names) expect((await stat(join(path, name))).mode & 0o777).toBe(0o600);
    }
    const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')) as {
      database: { rows: Record<string, number> };
    };
    expect(manifest.database.rows['positions']).toBe(positions);
    for (const line of (await readFile(join(path, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n')) {
      const [hash, name = ''] = line.split('  ');
      expect(await sha256Of(join(path, name))).toBe(hash);
    }
  });

  it('a host that is killed during a backup leaves none, and the next backup removes what it left', async () => {
    const host = await start();
    await host.stop();
    const ports = ['port', 'osmand-port', 'teltonika-port', 'wialon-port', 'jt808-port', 'jt1078-port'];
    const program = startProgram('server/commands/fleetdeck.cjs', [
      ...['serve', '--data', host.data],
      ...ports.flatMap((name) => [`--${name}`, '0']),
    ]);
    undo.push(() => program.child.kill('SIGKILL'));
    await program.firstLine();
    await writeFile(join(host.data, 'video', 'long.mp4'), '');
    await truncate(join(host.data, 'video', 'long.mp4'), 2 ** 29);
    const seen = new Promise<void>((resolve) => {
      const watcher = watch(target, () => {
        watcher.close();
        resolve();
      });
    });
    const making = ask(host, true).catch((error: unknown) => error);
    await seen;
    program.child.kill('SIGKILL');
    await program.ended;
    expect(await making).toBeInstanceOf(Error);
    const [left = ''] = await readdir(target);
    expect(left).toMatch(/^\.fleetdeck-.*\.partial$/);
    const refused = await fleetdeck('restore', '--data', await newFolder(), '--from', join(target, left));
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('is not a backup') as string });
    await rm(join(host.data, 'video', 'long.mp4'));
    const { code, printed } = await fleetdeck('backup', '--data', host.data, '--to', target);
    expect(code).toBe(0);
    expect(await readdir(target)).toEqual([printed.slice(target.length + 1)]);
  });

  it('a backup that cannot be made says why and leaves nothing', async () => {
    let free = 500e9;
    const readSpace = () => Promise.resolve({ free, total: 1_000e9 });
    const host = await start({ readSpace });
    const made = (to: string) => askHost(host.data, makeBackup, { to, clips: false });
    await expect(made(join(target, 'gone'))).rejects.toThrow(/does not exist, or its disk is not connected/);
    await mkdir(join(host.data, 'inside'));
    await expect(made(join(host.data, 'inside'))).rejects.toThrow(/lies in the data folder/);
    await expect(made(host.data)).rejects.toThrow(/lies in the data folder/);
    free = 1e6;
    await expect(made(target)).rejects.toThrow(/The backup needs \d+ MB in .*, and 1 MB are free/);
    free = 500e9;
    await writeFile(join(host.data, 'recoveries.json'), '{"half":');
    await expect(made(target)).rejects.toThrow(/recoveries\.json in the data folder is damaged/);
    expect(await readdir(target)).toEqual([]);
    const dealer = await host.login();
    expect((await dealer.ask(backupRoutes.list)).failure).toMatchObject({
      detail: expect.stringMatching(/recoveries\.json/) as string,
      causes: [{ code: 'backup.failed', values: { folder: target } }],
    });
  });

  it.skipIf(onWindows)('a backup that ends for want of space leaves nothing and says why', async () => {
    const host = await start();
    await host.stop();
    // Blocks of 512 bytes, or of 1,024: less than the database has.
    const program = fileURLToPath(new URL('../../../server/commands/fleetdeck.cjs', import.meta.url));
    const command = `ulimit -f 64; exec "$0" "$1" backup --data "$2" --to "$3"`;
    const child = spawn('sh', ['-c', command, process.execPath, program, host.data, target]);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    expect(said).toMatch(/^fleetdeck: The backup into .* failed: .*\n$/);
    expect(await readdir(target)).toEqual([]);
  });

  it('a second backup is refused while one is being made', async () => {
    const host = await start();
    const dealer = await host.login();
    await writeFile(join(host.data, 'video', 'long.mp4'), '');
    await truncate(join(host.data, 'video', 'long.mp4'), 2 ** 27);
    await dealer.ask(serviceRoutes.patchSettings, { body: { backup_folder: target, backup_clips: true } });
    expect((await dealer.ask(backupRoutes.start, { body: {} })).running).not.toBeNull();
    expect(await dealer.outcome(backupRoutes.start, { body: {} })).toBe('409 in_use');
    await expect(ask(host)).rejects.toThrow('A backup is being made already.');
    // A host that ends ends its backup.
    await host.stop();
    expect(await readdir(target)).toEqual([]);
  });

  it('a backup that somebody made is in the audit log, with who asked for it', async () => {
    const host = await start();
    const dealer = await host.login();
    await dealer.ask(serviceRoutes.patchSettings, { body: { backup_folder: target } });
    await ask(host);
    await dealer.ask(backupRoutes.start, { body: { clips: true } });
    const items = await vi.waitFor(
      async () => {
        const page = await dealer.ask(auditRoutes.list, { query: { action: 'exported' } });
        expect(page.items).toHaveLength(2);
        return page.items;
      },
      { timeout: 60_000 },
    );
    expect(items.map(({ actor, entity_id, after }) => [actor.login, entity_id, after?.['clips']])).toEqual([
      ['dealer', 'startBackup', true],
      ['host machine', 'startBackup', false],
    ]);
  });

  it('the folder of the backups is for dealers, and one that cannot be used is refused when it is set', async () => {
    const host = await start({ users: [{ login: 'reader' }] });
    const dealer = await host.login();
    const reader = await host.login('reader');
    const refused = await dealer.call('PATCH', '/api/v1/settings', { backup_folder: host.data });
    expect(refused).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await dealer.call('PATCH', '/api/v1/settings', { backup_daily: true })).toMatchObject({
      status: 400,
    });
    await dealer.ask(serviceRoutes.patchSettings, { body: { backup_folder: target } });
    expect((await dealer.ask(backupRoutes.list)).folder).toBe(target);
    expect(JSON.stringify(await reader.ask(serviceRoutes.settings))).not.toContain(target);
    expect(await reader.outcome(backupRoutes.list)).toBe('403 forbidden');
    expect(await reader.outcome(backupRoutes.start, { body: {} })).toBe('403 forbidden');
  });
});

describe('daily backups', () => {
  it('a daily backup is made at its time, the newest are kept, and one that is overdue troubles the host', async () => {
    const clock = createFakeClock();
    const host = await start({ clock });
    let dealer = await host.login();
    await dealer.ask(serviceRoutes.patchSettings, {
      body: {
        backup_daily: true,
        backup_time: '03:00',
        backup_keep: 2,
        backup_folder: target,
        jwt_ttl_s: 86_400,
      },
    });
    const names = async () => (await readdir(target)).filter((name) => !name.startsWith('.')).sort();
    const until = (count: number, last: string) =>
      expect
        .poll(async () => {
          clock.advance(60_000);
          const all = await names();
          return [all.length, all.at(-1)?.includes(last)];
        })
        .toEqual([count, true]);
    // None has been made since 03:00 of this day.
    await until(1, '20261121T12');
    clock.advance(15 * 3_600_000);
    await until(2, '20261122T03');
    clock.advance(dayMs);
    await until(2, '20261123T03');

    await rm(target, { recursive: true });
    clock.advance(dayMs);
    const troubles = async () => {
      clock.advance(60_000);
      dealer = await host.login();
      const { body } = await dealer.get(healthRoutes.health.path);
      return (body.reasons as { code: string; detail: string }[]).filter(
        (it) => it.code === 'backup_overdue',
      );
    };
    const causes = [
      { code: 'backup.not_made', values: { due: '2026-11-24T03:00Z' } },
      { code: 'folder.missing', values: { folder: target } },
    ];
    await expect.poll(troubles).toEqual([
      expect.objectContaining({
        detail: expect.stringMatching(
          /^The backup of 2026-11-24T03:00Z was not made[.] .* does not exist/,
        ) as string,
        causes,
      }),
    ]);
    const { overdue, overdue_causes } = await dealer.ask(backupRoutes.list);
    expect(overdue).toMatch(/was not made/);
    expect(overdue_causes).toEqual(causes);
    await mkdir(target);
    clock.advance(3_600_000);
    await until(1, '20261124T');
    await expect.poll(troubles).toEqual([]);
  });

  it('a daily backup whose folder does not answer troubles the host two hours after its time', async () => {
    const clock = createFakeClock();
    let answer = (): void => undefined;
    const silence = new Promise<void>((resolve) => (answer = resolve));
    const host = await start({
      clock,
      async readSpace(folder) {
        if (folder === target) await silence;
        return { free: 500e9, total: 1_000e9 };
      },
    });
    undo.push(() => answer());
    await (
      await host.login()
    ).ask(serviceRoutes.patchSettings, {
      body: { backup_daily: true, backup_folder: target, jwt_ttl_s: 86_400 },
    });
    const dealer = await host.login();
    const state = () => dealer.ask(backupRoutes.list);
    clock.advance(60_000);
    await expect.poll(async () => (await state()).running).not.toBeNull();
    clock.advance(119 * 60_000);
    expect((await state()).overdue).toBeNull();
    clock.advance(60_000);
    expect((await state()).overdue).toBe('The backup of 2026-11-21T03:00Z is not finished.');
    answer();
    await expect.poll(async () => (await state()).overdue).toBeNull();
  });

  it('the last time of day is found in the time zone of the depot, also where the clocks change', () => {
    const at = (time: string, zone: string, now: string) =>
      new Date(lastAt(time, zone, Date.parse(now))).toISOString();
    expect(at('03:00', 'UTC', '2026-11-23T03:00:00Z')).toBe('2026-11-23T03:00:00.000Z');
    expect(at('03:00', 'UTC', '2026-11-23T02:59:59Z')).toBe('2026-11-22T03:00:00.000Z');
    expect(at('03:10', 'Asia/Kathmandu', '2026-11-23T12:00:00Z')).toBe('2026-11-22T21:25:00.000Z');
    expect(at('23:50', 'Europe/Berlin', '2026-11-23T12:00:00Z')).toBe('2026-11-22T22:50:00.000Z');
    // 02:30 was left out; 03:00 summer time came after 01:59.
    expect(at('02:30', 'Europe/Berlin', '2026-03-29T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
  });
});

describe('fleetdeck restore', () => {
  it('a restore brings back logins, vehicles, positions, snapshots and clips', async () => {
    const host = await start();
    const dealer = await host.login();
    const world = await seedWorld({ dealer, owner: dealer, mark: 'KEPT', now: Date.now });
    const iso = (ms: number) => new Date(ms).toISOString();
    const { task_id } = await dealer.ask(videoRoutes.createTask, {
      body: {
        profile_id: world.profile_id,
        channel: 1,
        from: iso(Date.now() - 3_000),
        to: iso(Date.now() - 2_000),
      },
    });
    const task = async (caller: Caller) =>
      caller.ask(videoRoutes.getTask, { params: { task_id }, query: { wait: 20 } });
    await expect.poll(async () => (await task(dealer)).status, { timeout: 60_000 }).toBe('done');
    const vehicles = await dealer.ask(vehicleRoutes.list);
    const { vehicle_id } = world;
    const { incident_id } = await dealer.ask(incidentRoutes.create, { body: { title: 'Flat', vehicle_id } });
    const params = { incident_id };
    const attached = await dealer.post(
      pathOf(snapshotRoutes.attach, { params, query: { kind: 'map', time: iso(Date.now()) } }),
      Uint8Array.from(jpegOf()),
      { 'Content-Type': 'image/jpeg' },
    );
    expect(attached.status).toBe(201);
    const positions = positionsIn(host.data);
    expect(positions.length).toBeGreaterThan(0);
    const made = await fleetdeck('backup', '--data', host.data, '--to', target, '--clips');
    expect(made).toMatchObject({ code: 0 });
    const { file } = await task(dealer);
    await host.stop();

    const data = join(await newFolder(), 'new');
    const restored = await fleetdeck('restore', '--data', data, '--from', made.printed);
    expect(restored).toMatchObject({
      code: 0,
      said: expect.stringContaining('with its video clips') as string,
    });
    expect(positionsIn(data)).toEqual(positions);
    const again = await start({ data });
    const back = await again.login();
    expect((await back.ask(vehicleRoutes.list)).items).toEqual(vehicles.items);
    expect(await task(back)).toMatchObject({ status: 'done', file });
    const [clip = ''] = await readdir(join(data, 'video'));
    expect(await sha256Of(join(data, 'video', clip))).toBe(file?.sha256);
    const { snapshots } = await back.ask(incidentRoutes.get, { params });
    expect(snapshots).toEqual([attached.body]);
    const [snapshot = ''] = await readdir(join(data, 'snapshots'));
    expect(await readFile(join(data, 'snapshots', snapshot))).toEqual(jpegOf());
    // The JWTs of before are valid as well: the key came with it.
    expect((await back.get('/api/v1/me', { Authorization: `JWT ${dealer.jwt}` })).status).toBe(200);
  });

  it('a restore refuses a folder with a host, a damaged backup and a folder that is not empty, and keeps what it replaces', async () => {
    const host = await start();
    const dealer = await host.login();
    const { path } = await ask(host);
    await addVehicle(dealer);
    const restore = (from: string, ...more: string[]) =>
      fleetdeck('restore', '--data', host.data, '--from', from, ...more);
    expect(await restore(path, '--replace')).toMatchObject({
      code: 1,
      said: `fleetdeck: A host runs on the data folder ${host.data}: stop it first.\n`,
    });
    await host.stop();
    const before = (await readdir(host.data)).sort();
    const refused = await restore(path);
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('is not empty') as string });

    const key = await readFile(join(path, 'jwt.key'));
    await writeFile(join(path, 'jwt.key'), Buffer.from(key.map((byte) => byte ^ 1)));
    const damaged = await restore(path, '--replace');
    expect(damaged).toMatchObject({ code: 1, said: expect.stringContaining('jwt.key of') as string });
    const sums = await readFile(join(path, 'SHA256SUMS'), 'utf8');
    await writeFile(join(path, 'SHA256SUMS'), sums.replace('jwt.key', '../x.key'));
    expect((await restore(path, '--replace')).said).toContain('SHA256SUMS of');
    expect((await readdir(host.data)).sort()).toEqual(before);

    await writeFile(join(path, 'SHA256SUMS'), sums);
    await writeFile(join(path, 'jwt.key'), key);
    const done = await restore(path, '--replace');
    expect(done.code).toBe(0);
    const aside = /What was there before is in (.*)\.\n/.exec(done.said)?.[1] ?? '';
    expect(rowsOf(join(aside, 'telemetry.db'), 'SELECT * FROM vehicles')).toHaveLength(1);
    const again = await start({ data: host.data });
    expect((await (await again.login()).ask(vehicleRoutes.list)).items).toEqual([]);
  });

  it('no host starts on a folder whose restore was not finished, and a restore that is run again mends it', async () => {
    const host = await start();
    const { path } = await ask(host);
    await host.stop();
    await mkdir(join(host.data, '.restoring'));
    await expect(startTestHost({ data: host.data })).rejects.toThrow(
      /was not finished: run fleetdeck restore/,
    );
    expect((await fleetdeck('restore', '--data', host.data, '--from', path, '--replace')).code).toBe(0);
    await expect((await start({ data: host.data })).login()).resolves.toBeDefined();
  });
});
