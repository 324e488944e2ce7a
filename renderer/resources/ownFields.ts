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

/** By name; null: the default. */
const keptValues = z.record(z.string(), z.unknown());

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
      const kept = keptValues.parse(JSON.parse(storage.read(key) ?? '{}'));
      // A value that this version does not know takes no field back to its default.
      return only(fields.parse(kept), (name, value) => value !== undefined || kept[name] === null);
    } catch {
      // Another version wrote it.
      return {};
    }
  }
  const keep = (changes: Partial<Fields>): void => {
    const text = JSON.stringify(changes, (_, value: unknown) => value ?? null);
    storage.write(key, text === '{}' ? null : text);
  };
  /** Another page of this user has saved what it left, or changed it once more. */
  const takeKept = (): void => {
    const kept = readKept();
    const left = only(pending, (name) => !adopted.has(name) || name in kept);
    pending = { ...left, ...only(kept, (name) => adopted.has(name)) };
    show();
  };

  const drop = (batch: Partial<Fields>): void => {
    const isLeft = (name: string, value: unknown): boolean =>
      !(name in batch) || JSON.stringify(batch[name as keyof Fields]) !== JSON.stringify(value);
    pending = only(pending, isLeft);
    keep(only(readKept(), isLeft));
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

const only = <Fields extends object>(
  fields: Partial<Fields>,
  isLeft: (name: string, value: unknown) => boolean,
): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => isLeft(name, value)),
  ) as Partial<Fields>;
