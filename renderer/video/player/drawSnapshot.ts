/** A picture of a snapshot, with what it is called where there are several. */
export interface SnapshotPicture {
  video: HTMLVideoElement;
  caption: string;
}

/** As captions on pictures are in both themes (LOOKS 2): a snapshot looks the same whoever takes it. */
const PAPER = '#0b1013';
const INK = '#e4eaeb';

const fontOf = (px: number): string => `500 ${px}px 'Inter Variable', 'Noto Sans', sans-serif`;

/** What is on the screen of these channels as a PNG, in the pixels of the cameras. Throws when the browser has no room. */
export async function drawSnapshot(
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
export interface SnapshotPlan {
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
