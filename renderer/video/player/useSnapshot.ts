import { useState } from 'react';
import type { Position } from '../../../server/contract/positions.ts';
import { browserFrames } from '../../clock/frames.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { snapshotFileName } from './clipFileName.ts';
import { drawSnapshot } from './drawSnapshot.ts';
import type { Film } from './film.ts';
import { placeAt } from './placeAt.ts';
import { filmOfChannel, filmsOfMoment, untilReady } from './snapshotFilms.ts';
import { snapshotWords } from './snapshotWords.ts';

export interface SnapshotParts {
  vehicle: { name: string; plate: string | null };
  track: readonly Position[];
  /** The beginning of the order, milliseconds since 1970. */
  from: number;
  /** Where the clock is, seconds from there. */
  position: () => number;
  nameOf: (channel: number) => string;
  /** Channels that have a picture at the moment of the clock. */
  showing: () => readonly { channel: number; film: Film }[];
}

export interface Snapshots {
  /** Of one channel; of all that show a picture without one. */
  take: (channel?: number | null) => void;
  /** It did not work the last time. */
  hasFailed: boolean;
}

const pageTime = (): number => performance.now();

/** Saves what is on the screen, with who, when, how fast and where below it. */
export function useSnapshot(parts: SnapshotParts): Snapshots {
  const { vehicle, track, from, position, nameOf, showing } = parts;
  const desk = useDesk();
  const [hasFailed, setFailed] = useState(false);

  /** What is drawn, and the moment that it shows, seconds. */
  const choose = async (channel: number | null) => {
    const asked = () => showing().filter((it) => channel === null || it.channel === channel);
    const fit = () => {
      const films = asked();
      if (channel === null) return filmsOfMoment(films, position());
      return [filmOfChannel(films, channel)].filter((it) => it !== undefined);
    };
    await untilReady(() => ({ ready: fit().length, of: asked().length }), browserFrames, pageTime);
    const films = fit();
    return { films, at: (channel === null ? undefined : films[0]?.film.media.position()) ?? position() };
  };

  const take = async (channel: number | null): Promise<void> => {
    const { time } = desk.settings.getState();
    // From here to the drawing nothing may wait: what is looked at is what is drawn.
    const { films, at } = await choose(channel);
    const moment = from + at * 1_000;
    const pictures = films.flatMap(({ channel: number, film }) => {
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
