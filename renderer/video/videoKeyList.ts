import type { TextKey } from '../i18n/text.ts';

/** The keys of the Video screen, for those who look them up; what they do stands where they are bound. */
export const VIDEO_KEYS: readonly { shortcut: string; label: TextKey }[] = [
  { shortcut: 'Space', label: 'keys.video.play' },
  { shortcut: ', .', label: 'keys.video.frame' },
  { shortcut: 'Shift , .', label: 'keys.video.event' },
  { shortcut: 'Shift ↑ ↓', label: 'keys.video.rate' },
  { shortcut: '1 … 9', label: 'keys.video.channel' },
  { shortcut: 'M', label: 'keys.video.mark' },
  { shortcut: 'S', label: 'keys.video.snapshot' },
  { shortcut: 'Shift S', label: 'keys.video.snapshot_all' },
  { shortcut: 'V', label: 'keys.video.request' },
  { shortcut: 'Q', label: 'keys.video.queue' },
];
