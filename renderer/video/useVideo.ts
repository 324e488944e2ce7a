import { useDesk } from '../desk/DeskContext.tsx';
import type { VideoDesk } from '../notifications/videoDesk.ts';
import type { Video } from './videoActions.ts';

/** The video domain of the session. */
export function useVideo(): Video {
  return videoOf(useDesk().video);
}

/** What the desk knows by its narrow side, whole. */
export function videoOf(desk: VideoDesk): Video {
  if (!isVideo(desk)) throw new TypeError('the desk was built with another video domain');
  return desk;
}

const isVideo = (desk: VideoDesk): desk is Video => 'clips' in desk;
