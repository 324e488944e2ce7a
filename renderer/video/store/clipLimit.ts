import type { TextStorage } from '../../platform/platform.ts';

/** What an operator can choose; a minute of one channel is about 18 MB. */
export const CLIP_LIMITS = [1e9, 5e9, 20e9, 50e9] as const;
const USUAL = 5e9;
const KEY = 'video.limit';

export function readLimit(storage: TextStorage): number {
  const stored = Number(storage.read(KEY));
  return CLIP_LIMITS.find((it) => it === stored) ?? USUAL;
}

export const writeLimit = (storage: TextStorage, bytes: number): void => storage.write(KEY, String(bytes));
