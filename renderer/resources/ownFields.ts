import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Clock } from '../clock/clock.ts';
import type { TextStorage } from '../platform/platform.ts';
import { isFinal, pauseAfter } from './loader.ts';
import type { OwnDocument } from './ownDocument.ts';

export interface OwnFieldsDeps<T extends { version: number }, Fields extends object> {
  own: OwnDocument<T>;
  fieldsOf: (saved: T) => Fields;
  contentOf: (fields: Fields) => Omit<T, 'version'>;
  clock: Clock;
  /** Keeps what is not saved yet, under this key, so that no reload loses it. */
  storage: TextStorage;
  key: string;
  /** What the fields may be. */
  fields: z.ZodType<Partial<Fields>>;
  /** What was changed holds on this screen, and the server does not have it: once until it has it. */
  onNotSaved: () => void;
}

export interface OwnFields<Fields extends object> {
  /** As the server has them, with what was changed here. */
  store: StoreApi<Fields>;
  /** Shows it at once and saves it, after a failure again and again; refused for good, it is undone. */
  change: (part: Partial<Fields>) => void;
  /** Saves what a page before this one has left, and goes on until its end, which it returns. */
  start: () => () => void;
}

/** Names and values; null: the default. */
const keptEntries = z.array(z.tuple([z.string(), z.unknown()]));

/**
 * The fields of a document that this user keeps for itself alone. Fields that another workstation has changed meanwhile
 * stay as it has them: of one field the last change holds.
 */
export function createOwnFields<T extends { version: number }, Fields extends object>({
  own,
  fieldsOf,
  contentOf,
  clock,
  storage,
  key,
  fields,
  onNotSaved,
}: OwnFieldsDeps<T, Fields>): OwnFields<Fields> {
  /** Changed here, and not saved yet. */
  let pending: Partial<Fields> = readKept();
  /** Those of them that another page has left, which a third one may save first. */
  const adopted = new Set(Object.keys(pending));
  let isSaving = false;
  let tries = 0;
  let stopTimer: () => void = () => undefined;

  const merged = (saved: T, changes: Partial<Fields> = pending): Fields => ({
    ...fieldsOf(saved),
    ...changes,
  });
  const store = createStore<Fields>(() => merged(own.store.getState().saved));
  // A field that was taken away must go here too.
  const show = (): void => store.setState(merged(own.store.getState().saved), true);
  own.store.subscribe((state, before) => {
    if (state.saved !== before.saved) show();
  });

  function readKept(): Partial<Fields> {
    try {
      const kept = keptEntries.parse(JSON.parse(storage.read(key) ?? '[]'));
      const values = fields.parse(Object.fromEntries(kept.filter(([, value]) => value !== null)));
      const known = new Map<string, unknown>(Object.entries(values));
      return Object.fromEntries(
        kept.flatMap(([name, value]) =>
          value === null
            ? [[name, undefined]]
            : known.get(name) === undefined
              ? []
              : [[name, known.get(name)]],
        ),
      ) as Partial<Fields>;
    } catch {
      // Another version wrote it.
      return {};
    }
  }
  const keep = (changes: Partial<Fields>): void => {
    const entries = Object.entries(changes);
    storage.write(key, entries.length === 0 ? null : JSON.stringify(entries));
  };
  /** Another page of this user has saved what it left, or changed it once more. */
  const takeKept = (): void => {
    const kept = new Map<string, unknown>(Object.entries(readKept()));
    const left = Object.entries(pending).flatMap(([name, value]) =>
      !adopted.has(name) ? [[name, value]] : kept.has(name) ? [[name, kept.get(name)]] : [],
    );
    pending = Object.fromEntries(left) as Partial<Fields>;
    show();
  };

  const without = (all: Partial<Fields>, batch: Partial<Fields>): Partial<Fields> => {
    const saved = new Map<string, string>(
      Object.entries(batch).map(([name, value]) => [name, JSON.stringify([value])]),
    );
    const left = Object.entries(all).filter(([name, value]) => saved.get(name) !== JSON.stringify([value]));
    return Object.fromEntries(left) as Partial<Fields>;
  };
  const drop = (batch: Partial<Fields>): void => {
    pending = without(pending, batch);
    keep(without(readKept(), batch));
  };

  // One call at a time: several would be refused for each other's versions.
  async function save(): Promise<void> {
    if (isSaving) return;
    isSaving = true;
    stopTimer();
    let batch = pending;
    try {
      while (Object.keys(pending).length > 0) {
        batch = pending;
        await own.change((saved) => contentOf(merged(saved, batch)));
        drop(batch);
      }
      tries = 0;
    } catch (error) {
      if (tries === 0) onNotSaved();
      if (isFinal(error)) {
        drop(batch);
        show();
      } else {
        stopTimer = clock.after(pauseAfter(error, tries), () => void save());
        tries += 1;
      }
    } finally {
      isSaving = false;
    }
    if (tries === 0 && Object.keys(pending).length > 0) void save();
  }

  return {
    store,
    change(part) {
      pending = { ...pending, ...part };
      for (const name of Object.keys(part)) adopted.delete(name);
      keep({ ...readKept(), ...part });
      show();
      void save();
    },
    start() {
      const stopListening = storage.onWritten(key, takeKept);
      void save();
      return () => {
        stopListening();
        stopTimer();
      };
    },
  };
}
