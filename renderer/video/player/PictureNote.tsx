import { useStore } from 'zustand';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { gapToReport } from './clipGaps.ts';
import type { Gap } from './frameTimes.ts';
import type { Playback } from './playback.ts';

/** Why a channel shows no picture: a message, what it waits for, or the current gap. */
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
  const t = useT();
  const time = useDepotTime();
  const isAwaited = useStore(playback.store, (state) => state.waitsFor === channel);
  const gap = useStore(playback.store, (state) => gapToReport(gaps, state.position));
  const words =
    note ??
    (isAwaited
      ? t('player.awaited')
      : gap === null
        ? null
        : t('player.no_picture', {
            from: time.clock(from + gap.fromS * 1_000),
            to: time.clock(from + gap.toS * 1_000),
          }));
  return words === null ? null : <span className="channel-video__note">{words}</span>;
}
