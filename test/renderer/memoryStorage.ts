import type { TextStorage } from '../../renderer/platform/platform.ts';

export function createMemoryStorage(): TextStorage & {
  texts: Map<string, string>;
  /** As another window of the same browser would. */
  writeElsewhere: (key: string, value: string) => void;
} {
  const texts = new Map<string, string>();
  const listeners = new Set<{ key: string; run: () => void }>();
  return {
    texts,
    writeElsewhere(key, value) {
      texts.set(key, value);
      for (const listener of listeners) if (listener.key === key) listener.run();
    },
    onWritten(key, run) {
      const listener = { key, run };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: (key) => texts.get(key) ?? null,
    write(key, value) {
      if (value === null) texts.delete(key);
      else texts.set(key, value);
    },
  };
}
