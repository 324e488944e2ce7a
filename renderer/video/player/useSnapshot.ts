import { useState } from 'react';
import { useDesk } from '../../desk/DeskContext.tsx';
import type { Position } from '../../../server/contract/positions.ts';
import { drawSnapshot } from './drawSnapshot.ts';
import type { Film } from './film.ts';
import { snapshotFileName } from './clipFileName.ts';
import { placeAt } from './placeAt.ts';
import { snapshotWords } from './snapshotWords.ts';

export interface SnapshotParts {
  vehicle: { name: string; plate: string | null };
  track: readonly Position[];
  /** The moment on the pictures, milliseconds since 1970. */
  at: () => number;
  nameOf: (channel: number) => string;
  /** Channels that show a picture of this very moment. */
  showing: () => readonly { channel: number; film: Film }[];
}

export interface Snapshots {
  /** Of one channel; of all that show a picture without one. */
  take: (channel?: number | null) => void;
  /** It did not work the last time. */
  hasFailed: boolean;
}

/** Saves what is on the screen, with who, when, how fast and where below it. */
export function useSnapshot({ vehicle, track, at, nameOf, showing }: SnapshotParts): Snapshots {
  const desk = useDesk();
  const [hasFailed, setFailed] = useState(false);
  const take = async (channel: number | null): Promise<void> => {
    const { time } = desk.settings.getState();
    const moment = at();
    const wanted = showing().filter((it) => channel === null || it.channel === channel);
    const pictures = wanted.flatMap(({ channel: number, film }) => {
      const video = film.picture();
      return video === null ? [] : [{ video, caption: `${number} ${nameOf(number)}`.trim() }];
    });
    setFailed(pictures.length === 0);
    if (pictures.length === 0) return;
    const place = placeAt(track, moment);
    const words = snapshotWords(
      {
        vehicle: vehicle.name,
        plate: vehicle.plate,
        channel: pictures.map((it) => it.caption).join(', '),
        at: moment,
        place,
        placeName: place === null ? '' : desk.places.at(place.lat, place.lon),
      },
      time,
    );
    try {
      const name = snapshotFileName(vehicle.name, channel, moment, time.timeZone);
      await desk.platform.saveFile(name, await drawSnapshot(pictures, words));
    } catch {
      // A canvas beyond the browser's size, or a dialog of the desktop that was closed.
      setFailed(true);
    }
  };
  return { take: (channel = null) => void take(channel), hasFailed };
}
