import { expect, test } from 'vitest';
import type { Access } from '../../../../server/contract/video.ts';
import type { Api } from '../../../../renderer/api/client.ts';
import {
  evidenceClips,
  exportEvidence,
  readAccess,
} from '../../../../renderer/video/evidence/exportEvidence.ts';
import { peopleOf } from '../../../../renderer/video/evidence/AccessList.tsx';
import { doneTask } from '../sampleTask.ts';

const never = new AbortController().signal;
const access = (user_id: string, action: Access['action'], minute: number): Access => ({
  user_id,
  login: user_id,
  action,
  at: new Date(Date.UTC(2026, 10, 19, 11, minute)).toISOString(),
});

test('an evidence export saves the ZIP under the server’s name, and reports how much has arrived', async () => {
  const asked: unknown[] = [];
  const api = {
    open: (_route: unknown, what: unknown) => {
      asked.push(what);
      return Promise.resolve(
        new Response(new Uint8Array(3_000), {
          headers: { 'Content-Disposition': 'attachment; filename="evidence-V17.zip"' },
        }),
      );
    },
  } as unknown as Api;
  const bytes: number[] = [];
  const filter = { taskIds: ['t1', 't2'], note: '  case 7 ' };
  const file = await exportEvidence(api, filter, never, (count) => bytes.push(count));
  expect(file.name).toBe('evidence-V17.zip');
  expect(file.content.size).toBe(3_000);
  expect(bytes.at(-1)).toBe(3_000);
  expect(asked[0]).toMatchObject({ query: { tasks: ['t1', 't2'], note: 'case 7' } });
});

test('an evidence export takes what is done, and leaves out a sub-stream clip whose main-stream clip goes in', () => {
  const file = { size_bytes: 4, sha256: 'a'.repeat(64) };
  const full = doneTask(file, { stream: 'main' });
  const small = doneTask(file, { stream: 'sub', main_task_id: full.task_id });
  expect(evidenceClips([small, full])).toEqual({ clips: [full], leftOut: 1 });
  expect(evidenceClips([small])).toEqual({ clips: [small], leftOut: 0 });
  const coming = { ...full, status: 'downloading' as const };
  expect(evidenceClips([small, coming])).toEqual({ clips: [small], leftOut: 0 });
});

test('an empty note is none', async () => {
  const asked: { query?: unknown }[] = [];
  const api = {
    open: (_route: unknown, what: { query?: unknown }) => {
      asked.push(what);
      return Promise.resolve(new Response(''));
    },
  } as unknown as Api;
  const file = await exportEvidence(api, { taskIds: ['t1'], note: '  ' }, never, () => undefined);
  expect(asked[0]?.query).toEqual({ tasks: ['t1'] });
  expect(file.name).toBe('evidence.zip');
});

test('the access log of a request is one list, newest first', async () => {
  const lists: Record<string, Access[]> = {
    t1: [access('a', 'read', 9), access('a', 'read', 3)],
    t2: [access('b', 'exported', 5)],
  };
  const api = {
    request: (_route: unknown, { params }: { params: { task_id: string } }) =>
      Promise.resolve({ items: lists[params.task_id] ?? [] }),
  } as unknown as Api;
  const list = await readAccess(api, ['t1', 't2'], never);
  expect(list.map((it) => new Date(it.at).getUTCMinutes())).toEqual([9, 5, 3]);
});

test('each user stands there once for each kind of act, with the last one and how many', () => {
  const list = [
    access('a', 'read', 19),
    access('b', 'exported', 5),
    access('a', 'exported', 4),
    access('a', 'exported', 3),
    access('a', 'read', 3),
  ];
  expect(peopleOf(list)).toEqual([
    { ...access('a', 'read', 19), times: 2 },
    { ...access('b', 'exported', 5), times: 1 },
    { ...access('a', 'exported', 4), times: 2 },
  ]);
});

test('four channels that are watched together are one viewing, and exported together one export', () => {
  const channels = (action: 'read' | 'exported', minute: number, seconds: readonly number[]) =>
    seconds.map((second) => {
      const at = new Date(Date.parse(access('a', action, minute).at) + second * 1_000).toISOString();
      return { ...access('a', action, minute), at };
    });
  const list = [
    ...channels('read', 14, [1]),
    ...channels('exported', 4, [0, 0, 0, 0]),
    ...channels('read', 3, [2, 1, 1, 0]),
  ];
  expect(peopleOf(list).map(({ action, times, at }) => [action, times, at])).toEqual([
    ['read', 2, list[0]?.at],
    ['exported', 1, list[1]?.at],
  ]);
});
