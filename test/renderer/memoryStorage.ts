import type { TextStorage } from '../../renderer/platform/platform.ts';

export function createMemoryStorage(): TextStorage & { texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    read: (key) => texts.get(key) ?? null,
    write(key, value) {
      if (value === null) texts.delete(key);
      else texts.set(key, value);
    },
  };
}
