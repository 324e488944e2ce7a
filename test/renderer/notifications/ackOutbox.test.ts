import { describe, expect, it } from 'vitest';
import {
  ackSummaryText,
  createAckOutbox,
  type AckSummary,
} from '../../../renderer/notifications/ackOutbox.ts';
import type { Api } from '../../../renderer/api/client.ts';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { createMemoryStorage } from '../memoryStorage.ts';
import { sampleNotification } from '../samples.ts';

interface Sent {
  body: { notification_ids: readonly string[]; note: string | null };
}

function setUp(storage = createMemoryStorage(), userId = 'u1') {
  let failure: Error | null = null;
  const sent: Sent['body'][] = [];
  const done: string[] = [];
  const refused: unknown[] = [];
  const summaries: AckSummary[] = [];
  const theirs = new Map<string, string>();
  const gone = new Set<string>();
  // A stand-in for one call of the contract; the client itself is tested against a real server.
  const api = {
    request: (_: unknown, { body }: Sent) => {
      if (failure !== null) return Promise.reject(failure);
      sent.push(body);
      const results = body.notification_ids.map((notification_id) => {
        if (gone.has(notification_id)) return { notification_id, result: 'not_found', notification: null };
        const user_id = theirs.get(notification_id);
        const notification = sampleNotification({
          notification_id,
          ack: { user_id: user_id ?? userId, at: '2026-11-21T12:00:00.000Z', note: body.note },
        });
        const result = user_id === undefined ? 'acknowledged' : 'already_acknowledged';
        return { notification_id, result, notification };
      });
      return Promise.resolve({ results });
    },
  } as unknown as Api;
  const outbox = createAckOutbox({
    api,
    storage,
    userId,
    onDone: (all) => done.push(...all.map((it) => it.notification_id)),
    onSent: (summary) => summaries.push(summary),
    onRefused: (error) => refused.push(error),
  });
  const fail = (error: Error | null) => (failure = error);
  return { outbox, sent, done, refused, summaries, theirs, gone, storage, fail };
}

const refusal = new ApiProblem(
  { type: '', title: '', status: 403, detail: '', code: 'forbidden', request_id: 'r' },
  null,
);
const ids = (count: number) => Array.from({ length: count }, (_, at) => `n${at + 1}`);

describe('the acknowledgement outbox', () => {
  it('the acknowledgement outbox sends at once while the server is there', async () => {
    const { outbox, sent, done } = setUp();
    await outbox.acknowledge(['n1'], 'called');
    expect(sent).toEqual([{ notification_ids: ['n1'], note: 'called' }]);
    expect(done).toEqual(['n1']);
    expect(outbox.store.getState().waiting.size).toBe(0);
  });

  it('the acknowledgement outbox keeps what it cannot send and sends it in order when the server is back', async () => {
    const { outbox, sent, fail } = setUp();
    fail(new Unreachable('down'));
    await outbox.acknowledge(['n1'], null);
    await outbox.acknowledge(['n2'], 'note');
    expect([...outbox.store.getState().waiting.keys()]).toEqual(['n1', 'n2']);
    fail(null);
    await outbox.flush();
    expect(sent.flatMap((it) => it.notification_ids)).toEqual(['n1', 'n2']);
    expect(outbox.store.getState().waiting.size).toBe(0);
  });

  it('the acknowledgement outbox sends nothing twice when the link comes back while it is sending', async () => {
    const { outbox, sent } = setUp();
    await Promise.all([outbox.acknowledge(['n1'], null), outbox.flush(), outbox.flush()]);
    expect(sent).toHaveLength(1);
  });

  it('the acknowledgement outbox keeps it over a reload, for this operator alone', async () => {
    const first = setUp();
    first.fail(new Unreachable('down'));
    await first.outbox.acknowledge(['n1'], 'note');
    expect([...setUp(first.storage).outbox.store.getState().waiting]).toEqual([['n1', 'note']]);
    expect(setUp(first.storage, 'u2').outbox.store.getState().waiting.size).toBe(0);
  });

  it('the acknowledgement outbox reports what the server rejects and does not keep it', async () => {
    const { outbox, refused, fail } = setUp();
    fail(refusal);
    await outbox.acknowledge(['n1'], null);
    expect(refused).toEqual([refusal]);
    expect(outbox.store.getState().waiting.size).toBe(0);
  });

  it('the acknowledgement outbox begins empty where the storage holds nonsense', () => {
    const storage = createMemoryStorage();
    storage.write('acknowledged.u1', '{"broken"');
    expect(setUp(storage).outbox.store.getState().waiting.size).toBe(0);
  });

  it('the acknowledgement outbox keeps what another window acknowledged while the server is lost, and sends both', async () => {
    const { outbox, sent, storage, fail } = setUp();
    fail(new Unreachable('lost'));
    outbox.start();
    storage.writeElsewhere('acknowledged.u1', JSON.stringify([{ id: 'n1', note: 'theirs' }]));
    expect([...outbox.store.getState().waiting.keys()]).toEqual(['n1']);
    await outbox.acknowledge(['n2'], null);
    expect(JSON.parse(storage.read('acknowledged.u1') ?? '')).toHaveLength(2);
    fail(null);
    await outbox.flush();
    expect(sent.flatMap((it) => it.notification_ids)).toEqual(['n1', 'n2']);
  });

  it('the acknowledgement outbox keeps its own when another window writes at the same moment', async () => {
    const { outbox, sent, storage, fail } = setUp();
    fail(new Unreachable('lost'));
    outbox.start();
    await outbox.acknowledge(['n1'], 'ours');
    storage.writeElsewhere('acknowledged.u1', '[]');
    expect([...outbox.store.getState().waiting]).toEqual([['n1', 'ours']]);
    expect(JSON.parse(storage.read('acknowledged.u1') ?? '')).toHaveLength(1);
    fail(null);
    await outbox.flush();
    expect(sent).toEqual([{ notification_ids: ['n1'], note: 'ours' }]);
    storage.writeElsewhere('acknowledged.u1', '[]');
    expect(outbox.store.getState().waiting.size).toBe(0);
  });

  it('the acknowledgement outbox sends a group with one note in few calls, and shows how far it is', async () => {
    const { outbox, sent, done } = setUp();
    const progress: unknown[] = [];
    outbox.store.subscribe((state, before) => {
      if (state.progress !== before.progress) progress.push(state.progress);
    });
    await outbox.acknowledge(ids(450), 'checked');
    expect(sent.map((it) => [it.notification_ids.length, it.note])).toEqual([
      [200, 'checked'],
      [200, 'checked'],
      [50, 'checked'],
    ]);
    expect(progress).toEqual([
      { sent: 0, total: 450 },
      { sent: 200, total: 450 },
      { sent: 400, total: 450 },
      null,
    ]);
    expect(done).toEqual(ids(450));
  });

  it('the acknowledgement outbox sends a group that was acknowledged while the server is lost once, later', async () => {
    const { outbox, sent, fail } = setUp();
    fail(new Unreachable('lost'));
    await outbox.acknowledge(ids(3), 'checked');
    await outbox.acknowledge(ids(3), 'again');
    fail(null);
    await Promise.all([outbox.flush(), outbox.flush()]);
    expect(sent).toEqual([{ notification_ids: ids(3), note: 'checked' }]);
  });

  it('the acknowledgement outbox says which of a group somebody else had, and which are gone', async () => {
    const { outbox, summaries, theirs, gone } = setUp();
    theirs.set('n2', 'u2').set('n3', 'u1');
    gone.add('n4');
    await outbox.acknowledge(ids(5), null);
    expect(summaries).toEqual([{ total: 5, already: 1, notFound: 1 }]);
    const t = createTranslate(createI18n());
    expect(ackSummaryText({ total: 5, already: 1, notFound: 1 }, t)).toBe(
      '3 acknowledged. 1 was already acknowledged by someone else. 1 is no longer there.',
    );
    expect(ackSummaryText({ total: 5, already: 0, notFound: 0 }, t)).toBeNull();
    expect(ackSummaryText({ total: 1, already: 1, notFound: 0 }, t)).toBeNull();
  });
});
