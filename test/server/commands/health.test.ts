import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { controlOperation, openControlSocket } from '../../../server/app/controlSocket.ts';
import { systemClock } from '../../../server/clock.ts';
import { askHealth } from '../../../server/contract/control.ts';
import { startProgram } from '../../support/program.ts';

describe('fleetdeck health', () => {
  let folder: string;
  let health: z.input<typeof askHealth.reply>;
  let close: () => Promise<void>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetdeck-health-'));
    const socket = await openControlSocket({
      folder,
      operations: [controlOperation(askHealth, () => Promise.resolve(health))],
      clock: systemClock,
      log: { error: () => undefined, info: () => undefined },
    });
    close = () => socket.close();
  });
  afterEach(async () => {
    await close();
    await rm(folder, { recursive: true });
  });

  async function asked(args = ['--data', folder], environment: Record<string, string> = {}) {
    const program = startProgram('server/commands/fleetdeck.cjs', ['health', ...args], { environment });
    const { code } = await program.ended;
    return { code, out: program.stdout(), said: program.stderr() };
  }

  it('fleetdeck health succeeds on a host that works, also where its folder is in the environment', async () => {
    health = { status: 'ok', reasons: [] };
    expect(await asked()).toEqual({ code: 0, out: 'ok\n', said: '' });
    expect(await asked([], { FLEETDECK_DATA: folder })).toEqual({ code: 0, out: 'ok\n', said: '' });
  });

  it('fleetdeck health names what degrades a host, which a restart would not mend, and succeeds', async () => {
    const since = '2026-03-01T02:00:00.000Z';
    health = { status: 'degraded', reasons: [{ code: 'disk_low', since, detail: '3 GB are free.' }] };
    const out = `degraded\ndisk_low since ${since}: 3 GB are free.\n`;
    expect(await asked()).toEqual({ code: 0, out, said: '' });
  });

  it('fleetdeck health fails on a host that is failing', async () => {
    const since = '2026-03-01T02:00:00.000Z';
    health = { status: 'failing', reasons: [{ code: 'disk_full', since, detail: 'No space is left.' }] };
    expect(await asked()).toMatchObject({ code: 1, said: '' });
  });

  it('fleetdeck health fails with one line where no host runs', async () => {
    await close();
    const said = `fleetdeck: No host runs on the data folder ${folder}.\n`;
    expect(await asked()).toEqual({ code: 1, out: '', said });
    close = () => Promise.resolve();
  });
});
