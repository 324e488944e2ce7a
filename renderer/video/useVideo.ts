import { useLayoutEffect } from 'react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { Video, VideoControls } from './videoActions.ts';

/** The video domain of the session. */
export const useVideo = (): Video => useAppContext().video;

/** Offers what a part of the Video screen can do to the commands, for as long as it is shown. */
export function useVideoControls(controls: VideoControls): void {
  const video = useVideo();
  useLayoutEffect(() => video.controls.offer(controls));
}
