import { useState } from 'react';
import type { Incident } from '../../../server/contract/incidents.ts';
import type { Position } from '../../../server/contract/positions.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { browserFrames, type Frames } from '../../clock/frames.ts';
import { compassPoint } from '../../format/compass.ts';
import type { DepotTime } from '../../format/depotTime.ts';
import { formatSpeed } from '../../format/numbers.ts';
import { attempt } from '../../incidents/incidentActions.ts';
import { formatCoordinates } from '../../telemetry/placeFinder.ts';
import type { ClipPlayer } from './clipPlayer.ts';
import { placeAt, type RenderedPlace } from './placeAt.ts';
import type { Media } from './playback.ts';
import { snapshotFileName } from './useSaves.ts';
import { snapshotToast } from './savedFiles.ts';

export interface SnapshotDeps {
  vehicle: { id: string; name: string; plate: string | null };
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
    const targets = () => showing().filter((it) => channel === null || it.channel === channel);
    const fit = () => {
      const clips = targets();
      if (channel === null) return clipsOfMoment(clips, position());
      return [clipOfChannel(clips, channel)].filter((it) => it !== undefined);
    };
    await untilReady(() => ({ ready: fit().length, of: targets().length }), browserFrames, pageTime);
    const clips = fit();
    return {
      clips,
      at: (channel === null ? undefined : clips[0]?.clip.media.position()) ?? position(),
    };
  };

  /** What is drawn with its moment, milliseconds since 1970; null: there is no picture. */
  const draw = async (channel: number | null) => {
    const { time } = app.settings.getState();
    // From here to the drawing nothing may wait: what is looked at is what is drawn.
    const { clips, at } = await choose(channel);
    const moment = from + at * 1_000;
    const pictures = clips.flatMap(({ channel: number, clip }) => {
      const video = clip.picture();
      return video === null ? [] : [{ video, caption: `${number} ${nameOf(number)}`.trim() }];
    });
    setFailed(pictures.length === 0);
    if (pictures.length === 0) return null;
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
    return { moment, picture: await drawSnapshot(pictures, words) };
  };

  const take = async (channel: number | null): Promise<void> => {
    try {
      const drawn = await draw(channel);
      if (drawn === null) return;
      const { timeZone } = app.settings.getState().time;
      const name = snapshotFileName(vehicle.name, channel, drawn.moment, timeZone);
      const saved = await app.platform.saveFile(name, drawn.picture);
      if (saved !== false) app.toasts.setState({ toast: snapshotToast(app.t, name, saved) });
    } catch {
      // A canvas beyond the browser's size, or a dialog of the desktop that was closed.
      setFailed(true);
    }
  };
  /** The same, to an incident. */
  const attach = async (channel: number | null, incident: Incident): Promise<void> => {
    const drawn = await draw(channel);
    if (drawn === null) return;
    const { attachSnapshot } = await import('../../incidents/attachSnapshot.ts');
    await attachSnapshot(app, incident, drawn.picture, {
      ...{ kind: 'video', vehicle_id: vehicle.id, time: new Date(drawn.moment).toISOString() },
      ...(channel === null ? {} : { channel }),
    });
  };
  return {
    attach: (channel: number | null, incident: Incident) => attempt(app, () => attach(channel, incident)),
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
  const coordinates = place === null ? '' : formatCoordinates(place.lat, place.lon);
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

/** A picture of a snapshot, with what it is called where there are several. */
interface SnapshotPicture {
  video: HTMLVideoElement;
  caption: string;
}

/** As captions on pictures are in both themes (LOOKS 2): a snapshot looks the same whoever takes it. */
const PAPER = '#0b1013';
const INK = '#e4eaeb';

const fontOf = (px: number): string => `500 ${px}px 'Inter Variable', 'Noto Sans', sans-serif`;

/** What is on the screen of these channels as a PNG, in the pixels of the cameras. Throws when the browser has no room. */
async function drawSnapshot(
  pictures: readonly SnapshotPicture[],
  words: readonly (readonly string[])[],
): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const brush = canvas.getContext('2d');
  if (brush === null) throw new Error('this browser gives no canvas');
  const plan = snapshotPlan(
    pictures.map(({ video }) => ({ width: video.videoWidth, height: video.videoHeight })),
    words,
    (text, fontPx) => {
      brush.font = fontOf(fontPx);
      return brush.measureText(text).width;
    },
  );
  canvas.width = plan.width;
  canvas.height = plan.height;
  brush.fillStyle = PAPER;
  brush.fillRect(0, 0, plan.width, plan.height);
  brush.textBaseline = 'top';
  const { top, padding, fontPx, lineHeight, lines } = plan.strip;
  for (const [index, place] of plan.places.entries()) {
    const picture = pictures[index];
    if (picture === undefined) continue;
    brush.drawImage(picture.video, place.left, place.top, place.width, place.height);
    if (pictures.length > 1) drawCaption(brush, picture.caption, place, fontPx);
  }
  brush.fillStyle = INK;
  brush.font = fontOf(fontPx);
  for (const [index, line] of lines.entries())
    brush.fillText(line, padding, top + padding + index * lineHeight, plan.width - 2 * padding);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the picture is too large for this browser'));
      else resolve(blob);
    }, 'image/png'),
  );
}

function drawCaption(
  brush: CanvasRenderingContext2D,
  caption: string,
  place: { left: number; top: number; width: number },
  fontPx: number,
): void {
  const padding = Math.round(fontPx / 3);
  brush.font = fontOf(fontPx);
  const width = Math.min(brush.measureText(caption).width, place.width - 4 * padding);
  brush.fillStyle = PAPER;
  brush.fillRect(place.left + padding, place.top + padding, width + 2 * padding, fontPx + 2 * padding);
  brush.fillStyle = INK;
  brush.fillText(caption, place.left + 2 * padding, place.top + 2 * padding, width);
}

/** Where things lie on a snapshot, in its own pixels. */
interface SnapshotPlan {
  width: number;
  height: number;
  /** Of each picture, in the order given. */
  places: { left: number; top: number; width: number; height: number }[];
  /** The strip below the pictures: no part of the recording is covered. */
  strip: { top: number; padding: number; fontPx: number; lineHeight: number; lines: string[] };
}

/** Letters as high as a thirtieth of the picture are read on a printed page, and never fall below 12 px. */
const LETTER_SHARE = 1 / 30;
const LEAST_LETTER_PX = 12;
const LINE = 1.4;
const GAP_PX = 2;

/**
 * Places pictures at their own size, those of several channels in a grid, with lines of words below. Words that belong
 * together are set on one line as far as there is room.
 *
 * @param measure the width of a text in letters of so many pixels
 */
export function snapshotPlan(
  pictures: readonly { width: number; height: number }[],
  words: readonly (readonly string[])[],
  measure: (text: string, fontPx: number) => number,
): SnapshotPlan {
  const columns = Math.ceil(Math.sqrt(pictures.length));
  const rows = Math.ceil(pictures.length / columns);
  const cell = {
    width: Math.max(...pictures.map((it) => it.width)),
    height: Math.max(...pictures.map((it) => it.height)),
  };
  const width = columns * cell.width + (columns - 1) * GAP_PX;
  const top = rows * cell.height + (rows - 1) * GAP_PX;
  const fontPx = Math.max(LEAST_LETTER_PX, Math.round(top * LETTER_SHARE));
  const padding = fontPx;
  const lineHeight = Math.round(fontPx * LINE);
  const room = width - 2 * padding;
  const lines = words.flatMap((line) => setLines(line, (text) => measure(text, fontPx) <= room));
  return {
    width,
    height: top + 2 * padding + lines.length * lineHeight,
    places: pictures.map((it, index) => ({
      left: (index % columns) * (cell.width + GAP_PX) + Math.floor((cell.width - it.width) / 2),
      top: Math.floor(index / columns) * (cell.height + GAP_PX) + Math.floor((cell.height - it.height) / 2),
      width: it.width,
      height: it.height,
    })),
    strip: { top, padding, fontPx, lineHeight, lines },
  };
}

/** A part that is too long for a line by itself is left whole: it is drawn narrower. */
function setLines(parts: readonly string[], fits: (text: string) => boolean): string[] {
  const lines: string[] = [];
  for (const part of parts.filter((it) => it !== '')) {
    const longer = lines.length === 0 ? part : `${lines.at(-1) ?? ''} · ${part}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}
