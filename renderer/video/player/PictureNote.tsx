import { useStore } from 'zustand';
import { useDepotTime } from '../../desk/useMoment.ts';
import { useText } from '../../i18n/useText.ts';
import { gapToTell } from './filmGaps.ts';
import type { Gap } from './frameTimes.ts';
import type { Playback } from './playback.ts';

/** What a picture lacks, in words: what is told of it, what it waits for, or its gap that matters now. */
export function PictureNote({
  channel,
  note,
  gaps,
  from,
  playback,
}: {
  channel: number;
  note: string | null;
  gaps: readonly Gap[];
  /** Milliseconds since 1970. */
  from: number;
  playback: Playback;
}) {
  const say = useText();
  const time = useDepotTime();
  const isAwaited = useStore(playback.store, (state) => state.waitsFor === channel);
  const gap = useStore(playback.store, (state) => gapToTell(gaps, state.position));
  const words =
    note ??
    (isAwaited
      ? say('player.awaited')
      : gap === null
        ? null
        : say('player.no_picture', {
            from: time.clock(from + gap.fromS * 1_000),
            to: time.clock(from + gap.toS * 1_000),
          }));
  return words === null ? null : <span className="picture__note">{words}</span>;
}
