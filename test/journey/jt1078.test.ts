import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFakeJt1078 } from '../support/fakeJt1078.ts';
import { captureNeeded, hasCapture } from '../support/jt1078Packets.ts';
import { startTestHost, type Caller, type TestHost } from '../support/testHost.ts';

const phone = '13800001234';
const video = '/service/vsvc/api';
/** Longer than the real stream. */
const span_ms = 110_000;

async function hostWithCamera(): Promise<{ host: TestHost; dealer: Caller; profile_id: string }> {
  const host = await startTestHost();
  onTestFinished(() => host.close());
  const dealer = await host.login();
  const { body: vehicle } = await dealer.post('/api/v1/vehicles', { terminal_id: phone, name: 'V 1' });
  const { vehicle_id } = vehicle as { vehicle_id: string };
  const { body: profile } = await dealer.post(`${video}/profiles`, {
    vehicle_id,
    kind: 'jt1078',
    channels: [{ channel: 3, name: 'Cabin' }],
  });
  return { host, dealer, profile_id: (profile as { profile_id: string }).profile_id };
}

async function orderVideo(dealer: Caller, profile_id: string): Promise<string> {
  const to = Date.now() - 600_000;
  const { status, body } = await dealer.post(`${video}/tasks`, {
    profile_id,
    channel: 3,
    from: new Date(to - span_ms).toISOString(),
    to: new Date(to).toISOString(),
  });
  expect(status).toBe(201);
  return (body as { task_id: string }).task_id;
}

interface SeenTask {
  status: string;
  error: { code: string; detail: string } | null;
  file: { sha256: string; width: number; height: number; duration_s: number } | null;
}

/** Waits until the task has one of these states. */
async function until(dealer: Caller, taskId: string, ...wanted: string[]): Promise<SeenTask> {
  for (;;) {
    const { body } = await dealer.get(`${video}/tasks/${taskId}?wait=20`);
    const task = body as SeenTask;
    if (wanted.includes(task.status)) return task;
  }
}

describe.skipIf(!hasCapture)(`video of a JT/T 1078 terminal${captureNeeded}`, () => {
  it('video of a JT/T 1078 terminal waits for the terminal, comes over the wire, and is served as it was kept', async () => {
    const { host, dealer, profile_id } = await hostWithCamera();
    const task_id = await orderVideo(dealer, profile_id);
    expect(await until(dealer, task_id, 'waiting')).toMatchObject({ error: { code: 'terminal_offline' } });

    const fake = await startFakeJt1078({ port: host.intake.jt808 ?? 0, phone });
    onTestFinished(() => fake.close());
    const task = await until(dealer, task_id, 'done', 'failed');
    expect(task).toMatchObject({ status: 'done', error: null, file: { width: 352, height: 288 } });
    expect(task.file?.duration_s).toBeCloseTo(106.16, 1);
    const answer = await fetch(new URL(`${video}/tasks/file/${task_id}`, host.url), {
      headers: { Authorization: `JWT ${dealer.jwt}` },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(task.file?.sha256);
    const { body: status } = await dealer.get('/api/v1/status');
    expect(status).toMatchObject({
      intake: { jt1078: { port: host.intake.jt1078, connections: 0, messages: 1 } },
    });
  });

  it('video of a JT/T 1078 terminal is listed, and comes from a recorder in a process of its own', async () => {
    const { host, dealer, profile_id } = await hostWithCamera();
    const program = fileURLToPath(new URL('../support/fakeJt1078.ts', import.meta.url));
    const which = ['--terminal', phone, '--channels', '3,4', '--streams', 'sub'];
    const args = ['--port', String(host.intake.jt808), ...which];
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const over = once(child, 'exit');
    onTestFinished(async () => {
      child.kill();
      await over;
    });
    await once(child.stdout, 'data');

    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const { status, body } = await dealer.get(
      `${video}/profiles/${profile_id}/recordings?from=${at(-3_600_000)}&to=${at(0)}`,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ supported: true, items: [{ channel: 3, stream: 'sub' }] });
    const task = await until(dealer, await orderVideo(dealer, profile_id), 'done', 'failed');
    expect(task).toMatchObject({ status: 'done', file: { width: 352, height: 288 } });
  });

  it('video of a JT/T 1078 terminal that fails says why, while another vehicle’s comes', async () => {
    const { host, dealer, profile_id } = await hostWithCamera();
    const { body: vehicle } = await dealer.post('/api/v1/vehicles', {
      terminal_id: '13800005678',
      name: 'V 2',
    });
    const { body: other } = await dealer.post(`${video}/profiles`, {
      vehicle_id: (vehicle as { vehicle_id: string }).vehicle_id,
      kind: 'jt1078',
      channels: [{ channel: 3, name: 'Cabin' }],
    });
    const port = host.intake.jt808 ?? 0;
    const broken = await startFakeJt1078({ port, phone, answers: 'empty' });
    const sound = await startFakeJt1078({ port, phone: '13800005678' });
    onTestFinished(async () => {
      await Promise.all([broken.close(), sound.close()]);
    });
    const tasks = [
      await orderVideo(dealer, profile_id),
      await orderVideo(dealer, (other as { profile_id: string }).profile_id),
    ] as const;
    expect(await until(dealer, tasks[0], 'done', 'failed')).toMatchObject({
      status: 'failed',
      error: { code: 'no_recording' },
    });
    expect(await until(dealer, tasks[1], 'done', 'failed')).toMatchObject({ status: 'done' });
  });
});
