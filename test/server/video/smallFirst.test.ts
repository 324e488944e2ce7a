import { readdir } from 'node:fs/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../../server/contract/video.ts';
import { emptyBatch } from '../../../server/store/telemetry/rows.ts';
import { newTasks, type TaskRequest } from '../../../server/video/newTasks.ts';
import type { ProfileRecord } from '../../../server/video/profileRecord.ts';
import { TerminalError } from '../../../server/video/terminals/terminal.ts';
import { smallClip } from './media/sampleVideos.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { addProfile, api, fragment, order, startVideoFixture, type Bench } from './videoBench.ts';

let clip: Buffer;
beforeAll(async () => {
  clip = await smallClip();
});

const noRecording = new TerminalError('no_recording', 'The terminal has no recording of this time.');
const refusal = new TerminalError('refused', 'The terminal refuses the order: it cannot do that.');
const hangUp = new TerminalError('hung_up', 'The terminal stopped in the middle.');
const denial = new TerminalError('declined', 'The terminal refuses the order: it failed.');
const small = { sub_stream_first: true };

async function benchWith(recorder: Recorder, connection: object = {}) {
  const bench = await startVideoFixture({ jt1078: recorder });
  return { bench, recorder, profile_id: await addProfile(bench, connection, { kind: 'jt1078' }) };
}

async function seen(bench: Bench, task_id: string | null): Promise<Task> {
  return (await bench.as('reader').get(`${api}/tasks/${task_id ?? ''}`)).body as Task;
}

async function listed(bench: Bench): Promise<Task[]> {
  return (await bench.as('reader').get(`${api}/tasks`)).body.items as Task[];
}

describe('a request with the sub-stream clip first', () => {
  it('a request with the sub-stream clip first is two tasks in one write, and answers the sub-stream clip, which names the main-stream clip', async () => {
    const { bench, profile_id } = await benchWith(createRecorder(clip));
    let announced = 0;
    const first = bench.changed().then(() => (announced = bench.announced.length));
    const task = await order(bench, profile_id, { ...small, important: true });
    await first;
    expect(announced).toBe(2);
    expect(task).toMatchObject({ stream: 'sub', status: 'queued', rule_id: null, important: true });
    const full = await seen(bench, task.main_task_id);
    expect(full).toMatchObject({ stream: 'main', main_task_id: null, important: true });
    const span = ({ channel, from, to, profile_id }: Task) => ({ channel, from, to, profile_id });
    expect(span(full)).toEqual(span(task));
    expect(await listed(bench)).toHaveLength(2);
  });

  it.each([
    ['the order names a stream', {}, { stream: 'main' }, 'main'],
    ['the profile names one', { stream: 'sub' }, {}, null],
  ])('a request with the sub-stream clip first is one task where %s', async (_, connection, more, stream) => {
    const { bench, profile_id } = await benchWith(createRecorder(clip), connection);
    const task = await order(bench, profile_id, { ...small, ...more });
    expect(task).toMatchObject({ stream, main_task_id: null });
    expect(await listed(bench)).toHaveLength(1);
  });

  it('a request with the sub-stream clip first is one task where a camera knows no two streams', async () => {
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, {}, { kind: 'simulated' });
    expect(await order(bench, profile_id, small)).toMatchObject({ stream: null, main_task_id: null });
    expect(await listed(bench)).toHaveLength(1);
  });

  it('sent twice with one Idempotency-Key makes no more tasks', async () => {
    const { bench, profile_id } = await benchWith(createRecorder(clip));
    const body = fragment(bench, profile_id, small);
    const post = () => bench.as('writer').post(`${api}/tasks`, body, { 'Idempotency-Key': 'k' });
    const [first, second] = [await post(), await post()];
    expect(second.body.main_task_id).toBe(first.body.main_task_id);
    expect(await listed(bench)).toHaveLength(2);
  });

  it('a request with the sub-stream clip first makes one or two tasks that agree in all but the stream, whatever is requested', () => {
    const profile = (kind: ProfileRecord['kind'], stream: 'main' | 'sub' | undefined): ProfileRecord => ({
      ...{ profile_id: 'p', vehicle_id: 'v', name: null, kind, channels: [], secret_id: null },
      ...{ connection: stream === undefined ? {} : { stream }, version: 1, created_at: '', updated_at: '' },
    });
    const orders: fc.Arbitrary<TaskRequest> = fc.record({
      channel: fc.nat(32),
      from_ms: fc.nat(),
      to_ms: fc.nat(),
      event_id: fc.option(fc.uuid()),
      rule_id: fc.option(fc.uuid()),
      created_by: fc.uuid(),
      created_ms: fc.nat(),
      important: fc.boolean(),
      stream: fc.constantFrom(null, 'sub' as const, 'main' as const),
      sub_stream_first: fc.boolean(),
    });
    fc.assert(
      fc.property(
        orders,
        fc.constantFrom('http' as const, 'jt1078' as const, 'simulated' as const),
        fc.constantFrom(undefined, 'sub' as const, 'main' as const),
        (wanted, kind, usual) => {
          const rows = newTasks(profile(kind, usual), '0700', wanted);
          const isPair =
            wanted.sub_stream_first && wanted.stream === null && kind === 'jt1078' && usual === undefined;
          expect(rows.map((row) => row.stream)).toEqual(isPair ? ['sub', 'main'] : [wanted.stream]);
          expect(rows.map((row) => row.main_task_id)).toEqual(isPair ? [rows[1]?.task_id, null] : [null]);
          const { sub_stream_first: _, stream: __, ...asked } = wanted;
          for (const row of rows) expect(row).toMatchObject({ ...asked, status: 'queued', version: 1 });
          expect(new Set(rows.map((row) => row.task_id)).size).toBe(rows.length);
        },
      ),
    );
  });
});

describe('the sub-stream and the main-stream clip', () => {
  it('the sub-stream and the main-stream clip come in this order: the sub-stream clips of all channels before a main-stream clip', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip));
    const tasks = [];
    for (const channel of [1, 2]) tasks.push(await order(bench, profile_id, { ...small, channel }));
    recorder.giveAll();
    for (const { task_id, main_task_id } of tasks) {
      await bench.until(task_id, 'done');
      await bench.until(main_task_id ?? '', 'done');
    }
    // A small one that a full one follows may be whatever the terminal has.
    expect(recorder.asked).toEqual(['1 any', '2 any', '1 main', '2 main']);
    expect(await readdir(bench.folder)).toHaveLength(4);
  });

  it('asked for twice are two downloads for four tasks', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip));
    const [a, b] = [await order(bench, profile_id, small), await order(bench, profile_id, small)];
    recorder.giveAll();
    const rows = [];
    for (const id of [a.task_id, b.task_id, a.main_task_id, b.main_task_id]) {
      rows.push(await bench.until(id ?? '', 'done'));
    }
    expect(recorder.asked).toEqual(['1 any', '1 main']);
    expect(rows[0]?.file_name).toBe(rows[1]?.file_name);
    expect(rows[2]?.file_name).toBe(rows[3]?.file_name);
    expect(rows[0]?.file_name).not.toBe(rows[2]?.file_name);
    const nameOf = async (id: string | null) => {
      const file = await bench.as('reader').get(`${api}/tasks/file/${id ?? ''}`);
      return decodeURIComponent(file.headers.get('content-disposition') ?? '');
    };
    expect(await nameOf(a.task_id)).toMatch(/channel 1 [^"]*Z\.mp4/);
    expect(await nameOf(a.main_task_id)).toMatch(/channel 1 [^"]*Z full quality\.mp4/);
  });

  it('the sub-stream and the main stream are cancelled and deleted separately', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip));
    const a = await order(bench, profile_id, small);
    await recorder.nextHeld();
    const cancelled = await bench.as('writer').call('DELETE', `${api}/tasks/${a.task_id}`);
    expect(cancelled.body).toMatchObject({ status: 'cancelled', main_task_id: a.main_task_id });
    recorder.giveAll();
    await bench.until(a.main_task_id ?? '', 'done');

    const b = await order(bench, profile_id, { ...small, channel: 2 });
    await bench.until(b.main_task_id ?? '', 'done');
    await bench.as('writer').call('DELETE', `${api}/tasks/${b.task_id}`);
    expect(await seen(bench, b.task_id)).toMatchObject({ status: 'expired' });
    expect(await seen(bench, b.main_task_id)).toMatchObject({ status: 'done' });
    expect((await bench.as('reader').get(`${api}/tasks/file/${b.main_task_id ?? ''}`)).status).toBe(200);
  });

  it.each([
    ['has none', noRecording],
    ['refuses', refusal],
  ])(
    'the sub-stream and the main-stream clip end clearly, and once, where the terminal %s its main stream',
    async (_, fault) => {
      const { bench, recorder, profile_id } = await benchWith(createRecorder(clip, { main: fault }));
      recorder.giveAll();
      const task = await order(bench, profile_id, small);
      await bench.until(task.task_id, 'done');
      const full = await bench.until(task.main_task_id ?? '', 'failed');
      expect(full).toMatchObject({
        attempts: 1,
        error: {
          code: 'no_recording',
          detail: 'The terminal keeps no recording of this time in full quality.',
        },
      });
      bench.clock.advance(3_600_000);
      expect(recorder.asked).toEqual(['1 any', '1 main']);
    },
  );

  it('the sub-stream and the main-stream clip wait out a hiccup together, and only a short one', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip));
    const task = await order(bench, profile_id, small);
    for (const pause_s of [5, 15]) {
      (await recorder.nextHeld()).refuse(hangUp);
      await bench.until(task.task_id, 'queued');
      // Time enough for the full one to begin.
      expect(await seen(bench, task.main_task_id)).toMatchObject({ status: 'queued', attempts: 0 });
      bench.clock.advance(pause_s * 1_000);
    }
    (await recorder.nextHeld()).refuse(hangUp);
    await recorder.nextHeld();
    expect(recorder.asked).toEqual(['1 any', '1 any', '1 any', '1 main']);
  });

  it('both come from a terminal that says it failed while it still closes the sub-stream clip', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip));
    const task = await order(bench, profile_id, small);
    (await recorder.nextHeld()).give();
    (await recorder.nextHeld()).refuse(denial);
    await bench.until(task.main_task_id ?? '', 'queued', 'failed');
    bench.clock.advance(5_000);
    recorder.giveAll();
    const full = await bench.until(task.main_task_id ?? '', 'done', 'failed');
    expect(full).toMatchObject({ status: 'done', attempts: 2 });
  });

  it('the sub-stream and the main-stream clip end when the main-stream clip fails at the terminal again and again', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip, { main: denial }));
    recorder.giveAll();
    const task = await order(bench, profile_id, small);
    const id = task.main_task_id ?? '';
    await bench.until(task.task_id, 'done');
    for (const pause_s of [5, 15, 45]) {
      await bench.until(id, 'downloading');
      await bench.until(id, 'queued');
      bench.clock.advance(pause_s * 1_000);
    }
    expect(await bench.until(id, 'failed')).toMatchObject({
      attempts: 4,
      error: { code: 'terminal_refused', detail: denial.message },
    });
  });

  it('the sub-stream and the main-stream clip are both refused by a terminal that refuses', async () => {
    const { bench, recorder, profile_id } = await benchWith(
      createRecorder(clip, { any: refusal, main: refusal }),
    );
    recorder.giveAll();
    const task = await order(bench, profile_id, small);
    for (const id of [task.task_id, task.main_task_id ?? '']) {
      expect((await bench.until(id, 'failed')).error).toEqual({
        code: 'terminal_refused',
        detail: refusal.message,
      });
    }
  });

  it('the sub-stream and the main-stream clip go on after a restart with both unfinished, the sub-stream clip first', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip));
    const task = await order(bench, profile_id, small);
    const other = await order(bench, profile_id, { ...small, channel: 2 });
    await recorder.nextHeld();
    await bench.stop();
    const after = createRecorder(clip);
    after.giveAll();
    const next = await startVideoFixture({ data: bench.data, clock: bench.clock, jt1078: after });
    const ids = [task.task_id, other.task_id, task.main_task_id ?? '', other.main_task_id ?? ''];
    for (const id of ids) await next.until(id, 'done');
    expect(after.asked.slice(0, 2).toSorted()).toEqual(['1 any', '2 any']);
    expect(after.asked.slice(2).toSorted()).toEqual(['1 main', '2 main']);
    expect(await seen(next, task.task_id)).toMatchObject({ stream: 'sub', main_task_id: task.main_task_id });
  });

  it('the sub-stream and the main-stream clip part when another fragment is asked for: the main-stream clip stays what was requested', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip));
    const blocker = await order(bench, profile_id, { channel: 2 });
    await recorder.nextHeld();
    const task = await order(bench, profile_id, small);
    const patch = (body: object) => bench.as('writer').call('PATCH', `${api}/tasks/${task.task_id}`, body);
    expect((await patch({ channel: 1 })).body).toMatchObject({
      stream: 'sub',
      main_task_id: task.main_task_id,
    });
    const to = new Date(Date.parse(task.to) - 1_000).toISOString();
    expect((await patch({ to })).body).toMatchObject({ stream: null, main_task_id: null, to });
    expect(await seen(bench, task.main_task_id)).toMatchObject({ to: task.to, stream: 'main' });
    expect((await seen(bench, blocker.task_id)).status).toBe('downloading');
  });
});

describe('a main-stream clip that is to bring something else', () => {
  const earlier = (task: Task) => new Date(Date.parse(task.to) - 1_000).toISOString();
  const patchFull = (bench: Bench, task: Task, body: object) =>
    bench.as('writer').call('PATCH', `${api}/tasks/${task.main_task_id ?? ''}`, body);

  it('a main-stream clip that is to bring something else leaves the sub-stream clip, in one write, and that brings what the terminal has', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip));
    await order(bench, profile_id, { channel: 2 });
    await recorder.nextHeld();
    const task = await order(bench, profile_id, small);
    await patchFull(bench, task, { channel: 1, important: true });
    expect(await seen(bench, task.task_id)).toMatchObject({ stream: 'sub', main_task_id: task.main_task_id });
    const writes: number[] = [];
    const before = bench.announced.length;
    const first = bench.changed().then(() => writes.push(bench.announced.length - before));
    const to = earlier(task);
    expect((await patchFull(bench, task, { to })).body).toMatchObject({ stream: 'main', to });
    await first;
    expect(writes).toEqual([2]);
    expect(await seen(bench, task.task_id)).toMatchObject({
      ...{ stream: null, main_task_id: null, status: 'queued', to: task.to },
    });
  });

  it('a main-stream clip that is to bring something else leaves the sub-stream clip as it is where that is on its way or here', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip));
    const task = await order(bench, profile_id, small);
    const held = await recorder.nextHeld();
    await patchFull(bench, task, { to: earlier(task) });
    const parted = { stream: 'sub', main_task_id: null };
    expect(await seen(bench, task.task_id)).toMatchObject({ ...parted, status: 'downloading' });
    held.give();
    await bench.until(task.task_id, 'done');
    expect(recorder.asked[0]).toBe('1 any');
    expect(await seen(bench, task.task_id)).toMatchObject({ ...parted, status: 'done' });
  });
});

describe('the stream of a task', () => {
  it('the stream of a task replaces the profile’s', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip), { stream: 'sub' });
    recorder.giveAll();
    for (const stream of ['main', 'sub', null]) {
      const { task_id } = await order(bench, profile_id, { stream });
      await bench.until(task_id, 'done');
    }
    // What the profile says is at hand by then.
    expect(recorder.asked).toEqual(['1 main', '1 sub']);
  });

  it('the stream of a task that fails at the terminal, and of which nothing is here, has been refused', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip, { main: denial }));
    recorder.giveAll();
    const { task_id } = await order(bench, profile_id, { stream: 'main' });
    expect(await bench.until(task_id, 'failed')).toMatchObject({
      attempts: 1,
      error: { code: 'terminal_refused', detail: denial.message },
    });
  });

  it('the stream of a task is asked for as an order of one task names it', async () => {
    const { bench, recorder, profile_id } = await benchWith(createRecorder(clip));
    recorder.giveAll();
    const { task_id } = await order(bench, profile_id, { stream: 'sub' });
    await bench.until(task_id, 'done');
    expect(recorder.asked).toEqual(['1 sub']);
  });
});

describe('a rule', () => {
  const rule = { rule_id: '50000000-0000-4000-8000-000000000001', owner_id: null };
  const window = { before_s: 10, after_s: 0 };
  const eventId = '40000000-0000-4000-8000-000000000001';

  async function ordered(bench: Bench) {
    const vehicle_id = bench.vehicles.byTerminal('0700')?.vehicle_id ?? '';
    const rows = bench.video.planForRule(vehicle_id, bench.clock.now() - 60_000, window, eventId, rule);
    await bench.store.commit({ ...emptyBatch(), tasks: rows });
    bench.video.adopt(rows);
    return rows;
  }

  it('a rule requests the sub-stream clip of each channel first, then the main-stream clips', async () => {
    const { bench, recorder } = await benchWith(createRecorder(clip));
    recorder.giveAll();
    const rows = await ordered(bench);
    for (const { task_id } of rows) await bench.until(task_id, 'done');
    expect(recorder.asked).toEqual(['1 any', '2 any', '1 main', '2 main']);
    for (const row of rows) expect(row).toMatchObject({ rule_id: rule.rule_id, event_id: eventId });
  });

  it('a rule is named to users who read notifications alone', async () => {
    const { bench } = await benchWith(createRecorder(clip));
    const [row] = await ordered(bench);
    const published = async (name: string) => {
      const one = (await bench.as(name).get(`${api}/tasks/${row?.task_id ?? ''}`)).body as Task;
      const list = (await bench.as(name).get(`${api}/tasks`)).body.items as Task[];
      return [one.rule_id, ...new Set(list.map((it) => it.rule_id))];
    };
    expect(await published('reader')).toEqual([rule.rule_id, rule.rule_id]);
    expect(await published('clipsOnly')).toEqual([null, null]);
    expect((await bench.as('outsider').get(`${api}/tasks?event_id=${eventId}`)).body.items).toEqual([]);
  });

  it('a rule requests what is listed by its event', async () => {
    const { bench, profile_id } = await benchWith(createRecorder(clip));
    await order(bench, profile_id);
    const rows = await ordered(bench);
    const list = async (query: string) =>
      ((await bench.as('reader').get(`${api}/tasks?event_id=${eventId}${query}`)).body.items as Task[]).map(
        (it) => it.task_id,
      );
    expect((await list('')).toSorted()).toEqual(rows.map((it) => it.task_id).toSorted());
    expect(await list('&terminal_id=0900')).toEqual([]);
    expect(await list('&status=done')).toEqual([]);
    expect((await bench.as('reader').get(`${api}/tasks?event_id=crash`)).status).toBe(400);
  });
});
