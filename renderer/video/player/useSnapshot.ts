import { useState } from 'react';
import type { Position } from '../../../server/contract/positions.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { browserFrames, type Frames } from '../../clock/frames.ts';
import { compassPoint } from '../../format/compass.ts';
import type { DepotTime } from '../../format/depotTime.ts';
import { formatSpeed } from '../../format/numbers.ts';
import { coordinatesText } from '../../telemetry/placeFinder.ts';
import type { ClipPlayer } from './clipPlayer.ts';
import { drawSnapshot } from './drawSnapshot.ts';
import { placeAt, type RenderedPlace } from './placeAt.ts';
import type { Media } from './playback.ts';
import { snapshotFileName } from './useSaves.ts';

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

const pageTime = (): number => performance.now();

/** Saves what is on the screen, with who, when, how fast and where below it. */
export function useSnapshot(deps: SnapshotDeps) {
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
  return {
    /** Of one channel; of all that show a picture without one. */
    take: (channel: number | null = null) => void take(channel) /** It did not work the last time. */,
    hasFailed,
  };
}

export interface Snapped {
  vehicle: string;
  plate: string | null;
  /** "1 Front"; of several channels the numbers. */
  channel: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Where it was; null where nobody knows. */
  place: RenderedPlace | null;
  /** The place in words. */
  placeName: string;
}

/** What stands below a snapshot: who, when, how fast and where. */
export function snapshotLabels(snapped: Snapped, time: DepotTime): string[][] {
  const { vehicle, plate, channel, at, place, placeName } = snapped;
  const second = new Date(at).toISOString();
  const hundredths = String(Math.floor((at % 1_000) / 10)).padStart(2, '0');
  const coordinates = place === null ? '' : coordinatesText(place.lat, place.lon);
  return [
    [vehicle, plate ?? '', channel],
    [
      `${time.date(at)} ${second.slice(0, 4)} ${time.clock(at)}.${hundredths} ${time.zone(at)}`,
      `${second.slice(0, 19).replace('T', ' ')} UTC`,
    ],
    place === null
      ? []
      : [
          place.speedKmh === null ? '' : formatSpeed(place.speedKmh),
          place.courseDeg === null ? '' : compassPoint(place.courseDeg),
          placeName === coordinates ? '' : placeName,
          coordinates,
        ],
  ];
}

/** A channel that may be on a snapshot. */
export interface Snappable {
  channel: number;
  clip: { media: Pick<Media, 'position' | 'isSeeking' | 'hasPicture'> };
}

/** A picture farther from the clock than this is of another moment, seconds. */
const MOST_APART_S = 0.1;
/** How long to wait for clips that are still seeking. */
const PATIENCE_MS = 1_000;

/** The clips whose frame is that of the clock’s time. */
export function clipsOfMoment<T extends Snappable>(clips: readonly T[], positionS: number): T[] {
  return clips.filter(
    ({ clip: { media } }) => isStill(media) && Math.abs(media.position() - positionS) <= MOST_APART_S,
  );
}

/** The clip of one channel: whatever the clock says, its frame carries its own time. */
export const clipOfChannel = <T extends Snappable>(clips: readonly T[], channel: number): T | undefined =>
  clips.find((it) => it.channel === channel && isStill(it.clip.media));

const isStill = (media: Snappable['clip']['media']): boolean => media.hasPicture() && !media.isSeeking();

/** Resolves when so many are ready, or at the latest when patience is over. */
export function untilReady(
  countReady: () => { ready: number; of: number },
  frames: Frames,
  now: () => number,
): Promise<void> {
  const since = now();
  return new Promise((resolve) => {
    const look = () => {
      const { ready, of } = countReady();
      if (ready >= of || now() - since >= PATIENCE_MS) resolve();
      else frames.next(look);
    };
    look();
  });
}
