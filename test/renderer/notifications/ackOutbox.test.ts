import { describe, expect, it } from 'vitest';
import { createAckOutbox } from '../../../renderer/notifications/ackOutbox.ts';
import type { Api } from '../../../renderer/api/client.ts';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import { createMemoryStorage } from '../memoryStorage.ts';
import { sampleNotification } from '../samples.ts';

interface Sent {
  params: { notification_id: string };
  body: { note: string | null };
}

function setUp(storage = createMemoryStorage(), userId = 'u1') {
  let failure: Error | null = null;
  const sent: Sent[] = [];
  const done: string[] = [];
  const refused: string[] = [];
  // A stand-in for one call of the contract; the client itself is tested against a real server.
  const api = {
    request: (_: unknown, asked: Sent) => {
      if (failure !== null) return Promise.reject(failure);
      sent.push(asked);
      return Promise.resolve(sampleNotification({ notification_id: asked.params.notification_id }));
    },
  } as unknown as Api;
  const outbox = createAckOutbox({
    api,
    storage,
    userId,
    onDone: (it) => done.push(it.notification_id),
    onRefused: (id) => refused.push(id),
  });
  return { outbox, sent, done, refused, storage, fail: (error: Error | null) => (failure = error) };
}

const refusal = new ApiProblem(
  { type: '', title: '', status: 404, detail: '', code: 'not_found', request_id: 'r' },
  null,
);

describe('the acknowledgement outbox', () => {
  it('the acknowledgement outbox sends at once while the server is there', async () => {
    const { outbox, sent, done } = setUp();
    await outbox.acknowledge('n1', 'called');
    expect(sent).toEqual([{ params: { notification_id: 'n1' }, body: { note: 'called' } }]);
    expect(done).toEqual(['n1']);
    expect(outbox.store.getState().waiting.size).toBe(0);
  });

  it('the acknowledgement outbox keeps what it cannot send and sends it in order when the server is back', async () => {
    const { outbox, sent, fail } = setUp();
    fail(new Unreachable('down'));
    await outbox.acknowledge('n1', null);
    await outbox.acknowledge('n2', 'note');
    expect([...outbox.store.getState().waiting.keys()]).toEqual(['n1', 'n2']);
    fail(null);
    await outbox.flush();
    expect(sent.map((it) => it.params.notification_id)).toEqual(['n1', 'n2']);
    expect(outbox.store.getState().waiting.size).toBe(0);
  });

  it('the acknowledgement outbox sends nothing twice when the link comes back while it is sending', async () => {
    const { outbox, sent } = setUp();
    await Promise.all([outbox.acknowledge('n1', null), outbox.flush(), outbox.flush()]);
    expect(sent).toHaveLength(1);
  });

  it('the acknowledgement outbox keeps it over a reload, for this operator alone', async () => {
    const first = setUp();
    first.fail(new Unreachable('down'));
    await first.outbox.acknowledge('n1', 'note');
    expect([...setUp(first.storage).outbox.store.getState().waiting]).toEqual([['n1', 'note']]);
    expect(setUp(first.storage, 'u2').outbox.store.getState().waiting.size).toBe(0);
  });

  it('the acknowledgement outbox reports what the server rejects and does not keep it', async () => {
    const { outbox, refused, fail } = setUp();
    fail(refusal);
    await outbox.acknowledge('n1', null);
    expect(refused).toEqual(['n1']);
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
    await outbox.acknowledge('n2', null);
    expect(JSON.parse(storage.read('acknowledged.u1') ?? '')).toHaveLength(2);
    fail(null);
    await outbox.flush();
    expect(sent.map(({ params }) => params.notification_id)).toEqual(['n1', 'n2']);
  });

  it('the acknowledgement outbox keeps its own when another window writes at the same moment', async () => {
    const { outbox, sent, storage, fail } = setUp();
    fail(new Unreachable('lost'));
    outbox.start();
    await outbox.acknowledge('n1', 'ours');
    storage.writeElsewhere('acknowledged.u1', '[]');
    expect([...outbox.store.getState().waiting]).toEqual([['n1', 'ours']]);
    expect(JSON.parse(storage.read('acknowledged.u1') ?? '')).toHaveLength(1);
    fail(null);
    await outbox.flush();
    expect(sent).toEqual([{ params: { notification_id: 'n1' }, body: { note: 'ours' } }]);
    storage.writeElsewhere('acknowledged.u1', '[]');
    expect(outbox.store.getState().waiting.size).toBe(0);
  });
});
