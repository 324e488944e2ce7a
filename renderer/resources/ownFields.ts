import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Clock } from '../clock/clock.ts';
import { isFinal, pauseAfter } from './loader.ts';
import type { OwnDocument } from './ownDocument.ts';

export interface OwnFieldsDeps<T extends { version: number }, Fields extends object> {
  own: OwnDocument<T>;
  fieldsOf: (saved: T) => Fields;
  contentOf: (fields: Fields) => Omit<T, 'version'>;
  clock: Clock;
  /** What was changed holds on this screen, and the server does not have it: once until it has it. */
  onNotSaved: () => void;
}

export interface OwnFields<Fields extends object> {
  /** As the server has them, with what was changed here. */
  store: StoreApi<Fields>;
  /** Shows it at once and saves it, after a failure again and again; refused for good, it is undone. */
  change: (part: Partial<Fields>) => void;
  stop: () => void;
}

/**
 * The fields of a document that this user keeps for itself alone. Fields that another workstation has changed meanwhile
 * stay as it has them: of one field the last change holds.
 */
export function createOwnFields<T extends { version: number }, Fields extends object>({
  own,
  fieldsOf,
  contentOf,
  clock,
  onNotSaved,
}: OwnFieldsDeps<T, Fields>): OwnFields<Fields> {
  /** Changed here, and not saved yet. */
  let pending: Partial<Fields> = {};
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

  const drop = (batch: Partial<Fields>): void => {
    const left = Object.entries(pending).filter(
      ([key, value]) => !(key in batch) || batch[key as keyof Fields] !== value,
    );
    pending = Object.fromEntries(left) as Partial<Fields>;
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
      show();
      void save();
    },
    stop: () => stopTimer(),
  };
}
