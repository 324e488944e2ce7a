import { useState } from 'react';
import type { Position } from '../../../server/contract/positions.ts';
import { browserFrames } from '../../clock/frames.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { snapshotFileName } from './clipFileName.ts';
import { drawSnapshot } from './drawSnapshot.ts';
import type { ClipPlayer } from './clipPlayer.ts';
import { placeAt } from './placeAt.ts';
import { clipOfChannel, clipsOfMoment, untilReady } from './snapshotClips.ts';
import { snapshotLabels } from './snapshotLabels.ts';

export interface SnapshotDeps {
  vehicle: { name: string; plate: string | null };
  track: readonly Position[];
  /** The beginning of the order, milliseconds since 1970. */
  from: number;
  /** Where the clock is, seconds from there. */
  position: () => number;
  nameOf: (channel: number) => string;
  /** Channels that have a picture at the moment of the clock. */
  showing: () => readonly { channel: number; clip: ClipPlayer }[];
}

export interface Snapshots {
  /** Of one channel; of all that show a picture without one. */
  take: (channel?: number | null) => void;
  /** It did not work the last time. */
  hasFailed: boolean;
}

const pageTime = (): number => performance.now();

/** Saves what is on the screen, with who, when, how fast and where below it. */
export function useSnapshot(deps: SnapshotDeps): Snapshots {
  const { vehicle, track, from, position, nameOf, showing } = deps;
  const app = useAppContext();
  const [hasFailed, setFailed] = useState(false);

  /** What is drawn, and the moment that it shows, seconds. */
  const choose = async (channel: number | null) => {
    const asked = () => showing().filter((it) => channel === null || it.channel === channel);
    const fit = () => {
      const clips = asked();
      if (channel === null) return clipsOfMoment(clips, position());
      return [clipOfChannel(clips, channel)].filter((it) => it !== undefined);
    };
    await untilReady(() => ({ ready: fit().length, of: asked().length }), browserFrames, pageTime);
    const clips = fit();
    return {
      clips,
      at: (channel === null ? undefined : clips[0]?.clip.media.position()) ?? position(),
    };
  };

  const take = async (channel: number | null): Promise<void> => {
    const { time } = app.settings.getState();
    // From here to the drawing nothing may wait: what is looked at is what is drawn.
    const { clips, at } = await choose(channel);
    const moment = from + at * 1_000;
    const pictures = clips.flatMap(({ channel: number, clip }) => {
      const video = clip.picture();
      return video === null ? [] : [{ video, caption: `${number} ${nameOf(number)}`.trim() }];
    });
    setFailed(pictures.length === 0);
    if (pictures.length === 0) return;
    const place = placeAt(track, moment);
    const words = snapshotLabels(
      {
        vehicle: vehicle.name,
        plate: vehicle.plate,
        channel: pictures.map((it) => it.caption).join(', '),
        at: moment,
        place,
        placeName: place === null ? '' : app.places.at(place.lat, place.lon),
      },
      time,
    );
    try {
      const name = snapshotFileName(vehicle.name, channel, moment, time.timeZone);
      await app.platform.saveFile(name, await drawSnapshot(pictures, words));
    } catch {
      // A canvas beyond the browser's size, or a dialog of the desktop that was closed.
      setFailed(true);
    }
  };
  return { take: (channel = null) => void take(channel), hasFailed };
}
