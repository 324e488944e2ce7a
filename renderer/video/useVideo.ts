import { useLayoutEffect } from 'react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { VideoContext } from '../notifications/videoContext.ts';
import type { Video } from './videoActions.ts';
import type { VideoControls } from './videoControls.ts';

/** The video domain of the session. */
export function useVideo(): Video {
  return videoOf(useAppContext().video);
}

/** The video domain, of which the app context knows only a part. */
export function videoOf(app: VideoContext): Video {
  if (!isVideo(app)) throw new TypeError('the app context was built with another video domain');
  return app;
}

const isVideo = (app: VideoContext): app is Video => 'clips' in app;

/** Offers what a part of the Video screen can do to the commands, for as long as it is shown. */
export function useVideoControls(controls: VideoControls): void {
  const video = useVideo();
  useLayoutEffect(() => video.controls.offer(controls));
}
