import { createStore } from 'zustand/vanilla';
import type { FileKind } from './fileKind.ts';

/** A file whose import waits for the operator. */
export interface OpenedFile {
  /** Distinguishes two of one name. */
  id: number;
  file: File;
  kind: Exclude<FileKind, 'map'>;
}

export type OpenedFiles = ReturnType<typeof createOpenedFiles>;

/** One after the other is shown, in the order in which they came. */
export function createOpenedFiles() {
  const store = createStore<{ waiting: readonly OpenedFile[] }>(() => ({ waiting: [] }));
  let count = 0;
  return {
    store,
    add(file: File, kind: OpenedFile['kind']): void {
      const id = count++;
      store.setState(({ waiting }) => ({ waiting: [...waiting, { id, file, kind }] }));
    },
    closeFirst: () => store.setState(({ waiting }) => ({ waiting: waiting.slice(1) })),
  };
}
