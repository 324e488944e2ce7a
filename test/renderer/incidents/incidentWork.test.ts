import { describe, expect, it } from 'vitest';
import type { Api } from '../../../renderer/api/client.ts';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import {
  createIncidentWork,
  isTicked,
  pendingNotes,
  shownChecklist,
} from '../../../renderer/incidents/incidentWork.ts';
import { createMemoryStorage } from '../memoryStorage.ts';
import { sampleIncident } from '../samples.ts';

interface Sent {
  params: { incident_id: string; item_id?: string };
  body: { text?: string; done?: boolean };
  idempotencyKey?: string;
}

const NOW = Date.parse('2026-11-21T12:03:00.000Z');

function setUp(storage = createMemoryStorage()) {
  let failure: Error | null = null;
  const sent: Sent[] = [];
  const refused: unknown[] = [];
  // A stand-in for two calls of the contract; the client itself is tested against a real server.
  const api = {
    request: (_: unknown, asked: Sent) => {
      sent.push(asked);
      return failure === null ? Promise.resolve(sampleIncident()) : Promise.reject(failure);
    },
  } as unknown as Api;
  const work = createIncidentWork({
    api,
    storage,
    userId: 'u1',
    now: () => NOW,
    onDone: () => undefined,
    onRefused: (act) => refused.push(act),
  });
  const waiting = () => work.outbox.getState().waiting;
  return { work, sent, refused, storage, waiting, fail: (error: Error | null) => (failure = error) };
}

describe('the work on incidents', () => {
  it('a note that was written while the server is lost is kept over a reload and sent once under one key', async () => {
    const first = setUp();
    first.fail(new Unreachable('lost'));
    await first.work.addNote('i1', 'called');
    const again = setUp(first.storage);
    expect(pendingNotes('i1', again.waiting())).toMatchObject([
      { text: 'called', at: '2026-11-21T12:03:00.000Z' },
    ]);
    await Promise.all([again.work.flush(), again.work.flush()]);
    expect(again.sent).toMatchObject([{ params: { incident_id: 'i1' }, body: { text: 'called' } }]);
    // The server takes what was sent before its answer was lost once, by the key.
    expect(again.sent[0]?.idempotencyKey).toBe(first.sent[0]?.idempotencyKey);
    expect(again.waiting().size).toBe(0);
  });

  it('an item that is ticked and cleared while the server is lost is shown as left, and both are sent in order', async () => {
    const { work, sent, waiting, fail } = setUp();
    const incident = sampleIncident({ checklist: [{ item_id: 4, text: 'Call the driver', done: null }] });
    const shown = () => shownChecklist(incident, waiting()).map(isTicked);
    fail(new Unreachable('lost'));
    await work.tick('i1', 4, true);
    expect(shown()).toEqual([true]);
    await work.tick('i1', 4, false);
    expect(shown()).toEqual([false]);
    sent.length = 0;
    fail(null);
    await work.flush();
    expect(sent.map(({ params, body }) => [params.item_id, body.done])).toEqual([
      ['4', true],
      ['4', false],
    ]);
  });

  it('a note that the server refuses stands in the field again, before what was begun since', async () => {
    const { work, refused, waiting, fail } = setUp();
    work.writeDraft('i1', 'called');
    fail(
      new ApiProblem(
        { type: '', title: '', status: 404, detail: '', code: 'not_found', request_id: 'r' },
        null,
      ),
    );
    const sending = work.addNote('i1', 'called');
    expect(work.drafts.getState().byIncident.size).toBe(0);
    work.writeDraft('i1', 'and then');
    await sending;
    expect(refused).toHaveLength(1);
    expect(waiting().size).toBe(0);
    expect(work.drafts.getState().byIncident.get('i1')).toBe('called\nand then');
  });

  it('a tick in an incident that is closed meanwhile is refused, and what comes after it is sent', async () => {
    const { work, sent, refused, waiting, fail } = setUp();
    const inUse = { type: '', title: '', status: 409, detail: '', code: 'in_use', request_id: 'r' } as const;
    fail(new Unreachable('lost'));
    await work.tick('i1', 4, true);
    await work.addNote('i2', 'called');
    fail(new ApiProblem(inUse, null));
    await work.flush();
    expect(refused).toEqual([{ kind: 'tick', incident_id: 'i1', item_id: 4, done: true }]);
    // Of a note it says that the first attempt is still under way.
    expect([...waiting().values()]).toMatchObject([{ kind: 'note', incident_id: 'i2' }]);
    sent.length = 0;
    fail(null);
    await work.flush();
    expect(sent.map(({ body }) => body.text)).toEqual(['called']);
  });

  it('notes and ticks that were stored by a broken page are left out', () => {
    const storage = createMemoryStorage();
    storage.write('incidents.u1', '[{"id":"a","act":{"kind":"shout"}}]');
    expect(setUp(storage).waiting().size).toBe(0);
  });
});
