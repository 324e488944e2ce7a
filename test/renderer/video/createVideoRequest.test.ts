import { expect, test } from 'vitest';
import { newTask } from '../../../server/contract/video.ts';
import type { Api } from '../../../renderer/api/client.ts';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import { createVideoRequest, spanAround } from '../../../renderer/video/createVideoRequest.ts';
import { sampleTask } from './sampleTask.ts';

const filter = {
  profileId: '00000000-0000-4000-8000-0000000000aa',
  channels: [1, 2, 3],
  from: Date.parse('2026-11-19T11:03:18Z'),
  to: Date.parse('2026-11-19T11:04:18Z'),
  eventId: null,
};

const refusal = new ApiProblem(
  { type: 'about:blank', title: 'No', status: 400, detail: 'no', code: 'validation_failed', request_id: 'r' },
  null,
);

interface Sent {
  channel: number;
  smallFirst: boolean;
  key: string | undefined;
}

/** An API that creates tasks, unless `answer` throws for the call. */
function apiWith(answer: (sent: Sent, call: number) => void): { api: Api; sent: Sent[] } {
  const sent: Sent[] = [];
  const request = (_: unknown, asked: { body: unknown; idempotencyKey?: string }) => {
    const body = newTask.parse(asked.body);
    const it = { channel: body.channel, smallFirst: body.sub_stream_first, key: asked.idempotencyKey };
    sent.push(it);
    return Promise.resolve().then(() => {
      answer(it, sent.filter(({ channel }) => channel === it.channel).length);
      return sampleTask({ channel: body.channel, from: body.from, to: body.to });
    });
  };
  return { api: { request, open: request, read: request } as unknown as Api, sent };
}

test('a video request creates one task for each channel, each under a key of its own', async () => {
  const { api, sent } = apiWith(() => undefined);
  const placed = await createVideoRequest(api, filter);
  expect(placed.tasks.map((it) => it.channel)).toEqual([1, 2, 3]);
  expect(placed.refused).toEqual([]);
  expect(new Set(sent.map((it) => it.key)).size).toBe(3);
});

test('a video request asks for the sub-stream clip first', async () => {
  const { api, sent } = apiWith(() => undefined);
  await createVideoRequest(api, filter);
  expect(sent.every((it) => it.smallFirst)).toBe(true);
});

test('a video request sends a call whose answer was lost once more under the same key', async () => {
  const { api, sent } = apiWith(({ channel }, call) => {
    if (channel === 2 && call === 1) throw new Unreachable('lost');
  });
  const placed = await createVideoRequest(api, filter);
  expect(placed.tasks).toHaveLength(3);
  const keys = sent.filter((it) => it.channel === 2).map((it) => it.key);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('a video request names the channels that were refused, and throws only when all were', async () => {
  const some = apiWith(({ channel }) => {
    if (channel !== 1) throw refusal;
  });
  const placed = await createVideoRequest(some.api, filter);
  expect(placed.tasks.map((it) => it.channel)).toEqual([1]);
  expect(placed.refused.map((it) => it.channel)).toEqual([2, 3]);

  const none = apiWith(() => {
    throw refusal;
  });
  await expect(createVideoRequest(none.api, filter)).rejects.toBe(refusal);
});

test('a video request never asks for a beginning in the future', () => {
  const now = 1_000_000;
  expect(spanAround(now + 60_000, { before_s: 15, after_s: 15 }, now)).toEqual({
    from: now - 15_000,
    to: now + 75_000,
  });
  expect(spanAround(now - 60_000, { before_s: 15, after_s: 15 }, now)).toEqual({
    from: now - 75_000,
    to: now - 45_000,
  });
});
