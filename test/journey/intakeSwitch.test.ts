import { describe, expect, it, onTestFinished } from 'vitest';
import { serviceRoutes } from '../../server/contract/settings.ts';
import { vehicleRoutes } from '../../server/contract/vehicles.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import { createFakeClock } from '../support/fakeClock.ts';
import { startFakeJt1078 } from '../support/fakeJt1078.ts';
import { captureNeeded, hasCapture } from '../support/jt1078Packets.ts';
import { startTestHost } from '../support/testHost.ts';

const phone = '13800001234';
/** Longer than the real stream. */
const span_ms = 110_000;
const toPauseMs = 5_000;

describe.skipIf(!hasCapture)(`a video that a recorder is sending${captureNeeded}`, () => {
  it('a video that a recorder is sending restarts, and arrives whole, when the intake is opened meanwhile', async () => {
    const clock = createFakeClock();
    const host = await startTestHost({ clock });
    onTestFinished(() => host.close());
    const dealer = await host.login();
    const { vehicle_id } = await dealer.ask(vehicleRoutes.create, {
      body: { terminal_id: phone, name: 'V 1' },
    });
    const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
      body: { vehicle_id, kind: 'jt1078', channels: [{ channel: 3, name: 'Cabin' }] },
    });
    const port = host.jt808Port;
    const slow = await startFakeJt1078({ port, phone, stopsAfter: 200_000 });
    onTestFinished(() => slow.close());
    const to_ms = clock.now() - 600_000;
    const from = new Date(to_ms - span_ms).toISOString();
    const body = { profile_id, channel: 3, from, to: new Date(to_ms).toISOString() };
    const { task_id } = await dealer.ask(videoRoutes.createTask, { body });
    const params = { task_id };
    const playback = await slow.nextPlayback();
    const progress = async () => (await dealer.ask(videoRoutes.getTask, { params })).progress;
    await expect.poll(progress).toBeGreaterThan(0);

    await dealer.ask(serviceRoutes.patchSettings, { body: { intake_open: true } });
    await Promise.all([playback.over, slow.terminal.ended]);
    const status = async () => (await dealer.ask(videoRoutes.getTask, { params })).status;
    await expect.poll(status).not.toBe('downloading');
    const back = await startFakeJt1078({ port, host: '127.0.0.2', phone });
    onTestFinished(() => back.close());
    const again = back.nextPlayback();
    clock.advance(toPauseMs);
    expect(await again).toMatchObject({ address: '127.0.0.2', port: host.intake.jt1078 });
    await expect.poll(status, { timeout: 60_000 }).toBe('done');
    const { file } = await dealer.ask(videoRoutes.getTask, { params });
    expect(file?.duration_s).toBeCloseTo(106.16, 1);
  });
});
