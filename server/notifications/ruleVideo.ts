import type { EventKind } from '../contract/events.ts';
import type { NewRule, Rule, VideoWindow } from '../contract/rules.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { invalid } from '../http/apiError.ts';
import { holds, type Viewer } from '../http/viewer.ts';

export type VideoSettings = Pick<SettingsFields, 'video_before_s' | 'video_after_s'>;

/** They happen to video tasks: a rule that ordered video of them would go round for ever. */
const kindsOfVideo: readonly EventKind[] = ['video_done', 'video_failed'];

/** The window around a moment that the settings give. */
export function usualVideo({ video_before_s, video_after_s }: VideoSettings): VideoWindow {
  return { before_s: video_before_s, after_s: video_after_s };
}

/** What a new rule orders: as it says; else an alarm of somebody who may order video orders the usual. */
export function videoOfNew(
  { video, severity, event_kind }: NewRule,
  viewer: Viewer,
  settings: VideoSettings,
): VideoWindow | null {
  if (video !== undefined) return video;
  const orders =
    severity === 'alarm' && !kindsOfVideo.includes(event_kind) && holds(viewer, 'video', 'write');
  return orders ? usualVideo(settings) : null;
}

/** Throws 400 for video that this kind cannot order, and for a viewer who may order none; what was there may stay. */
export function checkVideo(
  { video, event_kind }: Pick<NewRule, 'video' | 'event_kind'>,
  before: Pick<Rule, 'video'> | undefined,
  viewer: Viewer,
): void {
  if (video == null) return;
  if (kindsOfVideo.includes(event_kind)) {
    throw invalid('video', `is not known to rules of kind ${event_kind}: it would order video of video`);
  }
  if (before?.video == null && !holds(viewer, 'video', 'write')) {
    throw invalid('video', 'needs the right video:write');
  }
}
