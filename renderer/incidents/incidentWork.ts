import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import {
  incidentRoutes,
  type Incident,
  type IncidentChecklistItem,
} from '../../server/contract/incidents.ts';
import { newIdempotencyKey, type Api } from '../api/client.ts';
import type { TextStorage } from '../platform/platform.ts';
import { createOutbox } from '../resources/outbox.ts';

const act = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('note'), incident_id: z.string(), text: z.string(), at: z.string() }),
  z.object({ kind: z.literal('tick'), incident_id: z.string(), item_id: z.int(), done: z.boolean() }),
]);
/** What is done to an incident whether or not the server is there; `at` is when it was written, RFC 3339. */
export type IncidentAct = z.infer<typeof act>;

export interface IncidentWorkDeps {
  api: Api;
  storage: TextStorage;
  userId: string;
  /** The server's time. */
  now: () => number;
  onDone: (incident: Incident) => void;
  onRefused: (act: IncidentAct, error: unknown) => void;
}

/** Notes and ticks of one operator on their way to the server, and notes that are still being written. */
export function createIncidentWork({ api, storage, userId, now, onDone, onRefused }: IncidentWorkDeps) {
  const drafts = createStore<{ byIncident: ReadonlyMap<string, string> }>(() => ({ byIncident: new Map() }));
  const write = (incidentId: string, text: string) =>
    drafts.setState(({ byIncident }) => {
      const next = new Map(byIncident);
      if (text === '') next.delete(incidentId);
      else next.set(incidentId, text);
      return { byIncident: next };
    });
  const outbox = createOutbox<IncidentAct, Incident>({
    storage,
    key: `incidents.${userId}`,
    kept: z.object({ id: z.string(), act }).transform((it): [string, IncidentAct] => [it.id, it.act]),
    keep: (id, kept) => ({ id, act: kept }),
    send: (id, { incident_id, ...it }) =>
      it.kind === 'note'
        ? api.request(incidentRoutes.note, {
            params: { incident_id },
            body: { text: it.text },
            idempotencyKey: id,
          })
        : api.request(incidentRoutes.tick, {
            params: { incident_id, item_id: String(it.item_id) },
            body: { done: it.done },
          }),
    // One that is ticked in an incident that is closed is refused: it must not hold up what comes after it.
    isKeyed: ({ kind }) => kind === 'note',
    onDone,
    onRefused(_, refused, error) {
      // What was typed is not lost: it stands in the field again, before what was begun since.
      if (refused.kind === 'note') {
        const begun = drafts.getState().byIncident.get(refused.incident_id) ?? '';
        write(refused.incident_id, [refused.text, begun].filter((it) => it !== '').join('\n'));
      }
      onRefused(refused, error);
    },
  });
  const put = (it: IncidentAct) => outbox.put(newIdempotencyKey(), it);
  return {
    /** What the server does not have yet, oldest first. */
    outbox: outbox.store,
    /** Notes that are being written, by incident: leaving the screen does not lose them. */
    drafts,
    writeDraft: write,
    addNote(incidentId: string, text: string): Promise<void> {
      write(incidentId, '');
      return put({ kind: 'note', incident_id: incidentId, text, at: new Date(now()).toISOString() });
    },
    tick: (incidentId: string, itemId: number, done: boolean): Promise<void> =>
      put({ kind: 'tick', incident_id: incidentId, item_id: itemId, done }),
    start: outbox.start,
    flush: outbox.flush,
  };
}

export type IncidentWork = ReturnType<typeof createIncidentWork>;
export type PendingActs = ReadonlyMap<string, IncidentAct>;

/** A line of a checklist as this operator has left it. */
export interface ShownItem extends IncidentChecklistItem {
  /** Set while the server does not have it: whether it will be ticked. */
  pending: boolean | null;
}

export function shownChecklist({ incident_id, checklist }: Incident, waiting: PendingActs): ShownItem[] {
  const pending = new Map<number, boolean>();
  for (const it of waiting.values())
    if (it.kind === 'tick' && it.incident_id === incident_id) pending.set(it.item_id, it.done);
  return checklist.map((it) => ({ ...it, pending: pending.get(it.item_id) ?? null }));
}

export const isTicked = ({ done, pending }: ShownItem): boolean => pending ?? done !== null;

/** Notes of an incident that the server does not have yet, newest first. */
export const pendingNotes = (incidentId: string, waiting: PendingActs) =>
  [...waiting.entries()]
    .flatMap(([id, it]) => (it.kind === 'note' && it.incident_id === incidentId ? [{ id, ...it }] : []))
    .reverse();
