import { snapshotPlan } from './snapshotPlan.ts';

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
