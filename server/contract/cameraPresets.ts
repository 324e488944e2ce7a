/** Recorders that give a fragment of their recordings at one HTTP address, for a form to offer. */
export interface CameraPreset {
  /** Stable. */
  id: string;
  name: string;
  /** Template of the address; `HOST` is left to fill in. */
  url: string;
  auth: 'none' | 'basic' | 'digest' | 'bearer';
  /** What one must know to use it, in English. */
  note: string;
}

export const cameraPresets: readonly CameraPreset[] = [
  {
    // github.com/blakeblackshear/frigate, frigate/api/media.py: GET /{camera_name}/start/{start_ts}/end/{end_ts}/clip.mp4,
    // served under /api; docs.frigate.video/configuration/authentication: port 5000 asks for no log-in, 8971 does.
    id: 'frigate',
    name: 'Frigate',
    url: 'http://HOST:5000/api/{channel_name}/start/{from_unix}/end/{to_unix}/clip.mp4',
    auth: 'none',
    note: 'Name each channel as the camera is named in Frigate. Port 5000 is meant for a trusted network.',
  },
  {
    // As above: requests to 8971 carry the token in the header `Authorization: Bearer`.
    id: 'frigate_token',
    name: 'Frigate, with log-in',
    url: 'https://HOST:8971/api/{channel_name}/start/{from_unix}/end/{to_unix}/clip.mp4',
    auth: 'bearer',
    note: 'Name each channel as the camera is named in Frigate. The token is one that Frigate issued; its certificate must be trusted by this host.',
  },
  {
    // mediamtx.org/docs/usage/playback: GET /get?path=&start=&duration=&format=mp4, start in RFC 3339, duration in seconds.
    id: 'mediamtx',
    name: 'MediaMTX',
    url: 'http://HOST:9996/get?path={channel_name}&start={from}&duration={duration_s}&format=mp4',
    auth: 'basic',
    note: 'Needs "playback: yes" in its configuration. Name each channel as its path is named there.',
  },
];
