import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../server/http/apiError.ts';
import type { TaskRow } from '../../../server/store/telemetry/rows.ts';
import { checkTaskBounds, taskBounds } from '../../../server/video/newTasks.ts';
import { addProfile, api, fragment, startVideoFixture } from './videoBench.ts';

const bounds = { per_user: 3, per_terminal: 2, all: 5 };
const row = (profile_id: string, created_by: string, rule_id: string | null = null) =>
  ({ profile_id, created_by, rule_id }) as TaskRow;

function refusalOf(unfinished: TaskRow[], wanted: TaskRow[]): string | null {
  try {
    checkTaskBounds(unfinished, wanted, bounds);
    return null;
  } catch (error) {
    return error instanceof ApiError ? `${error.code}: ${error.message}` : String(error);
  }
}

describe('unfinished video tasks', () => {
  it('unfinished video tasks are bounded by terminal, by user and in all, and a refusal says by which', () => {
    const ofAnn = [row('a', 'ann'), row('b', 'ann'), row('c', 'ann')];
    expect(refusalOf(ofAnn.slice(0, 2), [row('c', 'ann')])).toBeNull();
    expect(refusalOf(ofAnn, [row('d', 'ann')])).toBe(
      'queue_full: 3 video tasks of this user are unfinished, and no more than 3 may be.',
    );
    expect(refusalOf(ofAnn, [row('d', 'bob')])).toBeNull();
    expect(refusalOf([row('a', 'ann'), row('a', 'ann')], [row('a', 'bob')])).toBe(
      'queue_full: 2 video tasks for this terminal are unfinished, and no more than 2 may be.',
    );
    expect(refusalOf([...ofAnn, row('d', 'bob')], [row('e', 'bob'), row('e', 'bob')])).toBe(
      'queue_full: 4 video tasks in all are unfinished, and no more than 5 may be.',
    );
  });

  it('unfinished video tasks that rules requested do not count to the owner of the rule', () => {
    const byRule = ['a', 'b', 'c'].map((it) => row(it, 'ann', 'rule'));
    expect(refusalOf(byRule, [row('d', 'ann')])).toBeNull();
    expect(refusalOf([row('a', 'ann', 'rule'), row('a', 'ann')], [row('a', 'ann', 'rule')])).toMatch(
      /for this terminal/,
    );
  });

  it('unfinished video tasks beyond the bound of their terminal are refused with 429 and Retry-After, and taken again when one is cancelled', async () => {
    const bench = await startVideoFixture();
    const profile_id = await addProfile(bench, { url: 'http://127.0.0.1:9/{channel}/{from}' });
    const writer = bench.as('writer');
    // In the future, so that nothing of them begins.
    const span = (at: number) => ({
      from: new Date(bench.clock.now() + at).toISOString(),
      to: new Date(bench.clock.now() + 60_000 + at).toISOString(),
    });
    const orders = await Promise.all(
      Array.from({ length: taskBounds.per_terminal + 5 }, (_, at) =>
        writer.post(`${api}/tasks`, fragment(bench, profile_id, span(-at))),
      ),
    );
    const refused = orders.filter((it) => it.status === 429);
    expect(orders.filter((it) => it.status === 201)).toHaveLength(taskBounds.per_terminal);
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ code: 'queue_full' });
    expect(refused[0]?.headers.get('retry-after')).toBe('60');
    const [first] = orders;
    expect((await writer.call('DELETE', `${api}/tasks/${first?.body.task_id}`)).status).toBe(200);
    expect((await writer.post(`${api}/tasks`, fragment(bench, profile_id, span(0)))).status).toBe(201);
    expect(await writer.post(`${api}/tasks/${first?.body.task_id}/retry`)).toMatchObject({ status: 429 });
  });
});
