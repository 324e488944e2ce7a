import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { VideoContext } from '../notifications/videoContext.ts';
import type { Video } from './videoActions.ts';

/** The video domain of the session. */
export function useVideo(): Video {
  return videoOf(useAppContext().video);
}

/** What the desk knows by its narrow side, whole. */
export function videoOf(app: VideoContext): Video {
  if (!isVideo(app)) throw new TypeError('the desk was built with another video domain');
  return app;
}

const isVideo = (app: VideoContext): app is Video => 'clips' in app;
