import { useVideoKeys, type VideoKeys } from '../useVideoKeys.ts';
import type { Playback } from './playback.ts';

export interface PlayerKeyActs {
  playback: Playback;
  channels: readonly number[];
  choose: (channel: number) => void;
  previous: () => void;
  next: () => void;
  mark: () => void;
  snapshot: () => void;
  snapshotAll: () => void;
}

/** The keys of the player (LOOKS 7), while it shows pictures. */
export function usePlayerKeys(acts: PlayerKeyActs): void {
  const { playback } = acts;
  const keys: Record<string, VideoKeys[string]> = {
    ' ': () => playback.toggle(),
    ',': () => playback.step(-1),
    '.': () => playback.step(1),
    // Signs lie on other keys in other layouts: Shift with a comma or a point is what it types.
    '<': acts.previous,
    ';': acts.previous,
    '>': acts.next,
    ':': acts.next,
    'Shift+ArrowUp': () => playback.shift(1),
    'Shift+ArrowDown': () => playback.shift(-1),
    M: acts.mark,
    S: acts.snapshot,
    'Shift+S': acts.snapshotAll,
  };
  for (const channel of acts.channels) if (channel < 10) keys[String(channel)] = () => acts.choose(channel);
  useVideoKeys(keys);
}
