import { describe, expect, it, onTestFinished } from 'vitest';
import { vehicleRoutes } from '../../server/contract/vehicles.ts';
import { videoRoutes, type Task } from '../../server/contract/video.ts';
import { bothClips, startFakeJt1078, type Clips } from '../support/fakeJt1078.ts';
import { captureNeeded, hasCapture } from '../support/jt1078Packets.ts';
import { startTestHost } from '../support/testHost.ts';

const phone = '13800001234';

/** Requests a fragment, the sub-stream first, of a recorder that has these clips; returns both tasks as they ended. */
async function ordered(clips: Clips): Promise<{ small: Task; full: Task; streams: number[] }> {
  const host = await startTestHost();
  onTestFinished(() => host.close());
  const dealer = await host.login();
  const { vehicle_id } = await dealer.ask(vehicleRoutes.create, {
    body: { terminal_id: phone, name: 'V 1' },
  });
  const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
    body: { vehicle_id, kind: 'jt1078', channels: [{ channel: 3, name: 'Cabin' }] },
  });
  const to = Date.now() - 600_000;
  const span = { from: new Date(to - 20_000).toISOString(), to: new Date(to).toISOString() };
  const fake = await startFakeJt1078({ port: host.intake.jt808 ?? 0, phone, clips });
  onTestFinished(() => fake.close());
  const { task_id, main_task_id } = await dealer.ask(videoRoutes.createTask, {
    body: { profile_id, channel: 3, ...span, sub_stream_first: true },
  });
  const ended = async (id: string): Promise<Task> => {
    for (;;) {
      const task = await dealer.ask(videoRoutes.getTask, { params: { task_id: id }, query: { wait: 20 } });
      if (task.status === 'done' || task.status === 'failed') return task;
    }
  };
  const [small, full] = [await ended(task_id), await ended(main_task_id ?? '')];
  return { small, full, streams: fake.playbacks.map((it) => it.stream) };
}

describe.skipIf(!hasCapture)(`the clip of a recorder with JT/T 1078${captureNeeded}`, () => {
  it('the sub-stream clip comes first, then the main-stream clip', async () => {
    const { small, full, streams } = await ordered(bothClips());
    expect([small.status, full.status]).toEqual(['done', 'done']);
    expect(full.file?.size_bytes).toBeGreaterThan(small.file?.size_bytes ?? Infinity);
    expect(Date.parse(small.done_at ?? '')).toBeLessThanOrEqual(Date.parse(full.done_at ?? ''));
    expect(streams).toEqual([2, 1]);
  });

  it('a recorder without main-stream recordings sends the sub-stream clip, and the main-stream request reports it', async () => {
    const { sub } = bothClips();
    const { small, full, streams } = await ordered({ sub });
    expect(small.status).toBe('done');
    expect(full).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: {
        code: 'no_recording',
        detail: 'The terminal keeps no recording of this time in full quality.',
      },
    });
    expect(streams).toEqual([2, 1]);
  });

  it('a recorder without sub-stream recordings sends what it has for both requests', async () => {
    const { main } = bothClips();
    const { small, full, streams } = await ordered({ main });
    expect([small.status, full.status]).toEqual(['done', 'done']);
    expect(streams).toEqual([2, 0, 1]);
  });
});
