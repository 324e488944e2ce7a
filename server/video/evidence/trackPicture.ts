import type { ServerWords } from '../../contract/texts/serverWords.ts';
import { lonDifference, metresOfDegree } from '../../geofences/geodesy.ts';
import type { PositionRow } from '../../store/telemetry/rows.ts';

export type PicturePoint = Pick<PositionRow, 'time_ms' | 'lat' | 'lon'>;

export interface PictureDeps {
  /** Drawn positions in order of time. */
  points: readonly PicturePoint[];
  /** Stretches of time that a clip shows: drawn bold. */
  shown: readonly { from_ms: number; to_ms: number }[];
  /** Two positions further apart in time are joined by a dashed line: nobody saw the way. */
  unseen_ms: number;
  words: Pick<ServerWords, 'say'>;
}

const width = 720;
const maxHeight = 480;
const minHeight = 240;
const margin = 40;
/** A vehicle that stood still is drawn on a ground of this size and not on a point. */
const minSpanM = 50;

interface Placed extends PicturePoint {
  x: number;
  y: number;
}

/** The track as an SVG, north up, with a scale and marks for its ends; empty without a position. */
export function trackPicture({ points, shown, unseen_ms, words: { say } }: PictureDeps): string {
  const frame = fit(points);
  if (frame === null) return '';
  const { placed, height, pxPerM } = frame;
  const [first, last] = [placed[0], placed.at(-1)];
  const lines = linesOf(placed, unseen_ms);
  const bold = shown.flatMap(({ from_ms, to_ms }) =>
    linesOf(
      placed.filter((it) => it.time_ms >= from_ms && it.time_ms <= to_ms),
      unseen_ms,
    ).filter((it) => it.seen),
  );
  return [
    `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${say('summary.track')}">`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    ...lines.map((it) => polyline(it.points, it.seen ? 'way' : 'unseen')),
    ...bold.map((it) => polyline(it.points, 'shown')),
    ...(first === undefined ? [] : [`<circle class="start" cx="${px(first.x)}" cy="${px(first.y)}" r="6"/>`]),
    ...(last === undefined
      ? []
      : [`<rect class="end" x="${px(last.x - 5)}" y="${px(last.y - 5)}" width="10" height="10"/>`]),
    ...scaleBar(height, pxPerM, say),
    `<text class="north" x="${width - 24}" y="26">N ↑</text>`,
    '</svg>',
  ].join('');
}

/** On a plane that touches the earth in the middle of the track: true to length over the size of a city and more. */
function fit(points: readonly PicturePoint[]) {
  const [first] = points;
  if (first === undefined) return null;
  // Measured from the first one, so that a track over the antimeridian stays in one piece.
  const east = (lon: number) => lonDifference(lon, first.lon);
  const lats = extent(points.map((it) => it.lat));
  const lons = extent(points.map((it) => east(it.lon)));
  const shrink = Math.max(0.01, Math.cos((middle(lats) * Math.PI) / 180));
  const wideM = Math.max(minSpanM, (lons.max - lons.min) * metresOfDegree * shrink);
  const highM = Math.max(minSpanM, (lats.max - lats.min) * metresOfDegree);
  const pxPerM = Math.min((width - 2 * margin) / wideM, (maxHeight - 2 * margin) / highM);
  const height = Math.round(Math.max(minHeight, highM * pxPerM + 2 * margin));
  const placed = points.map((it) => ({
    ...it,
    x: width / 2 + (east(it.lon) - middle(lons)) * metresOfDegree * shrink * pxPerM,
    y: height / 2 - (it.lat - middle(lats)) * metresOfDegree * pxPerM,
  }));
  return { placed, height, pxPerM };
}

interface Extent {
  min: number;
  max: number;
}

function extent(values: readonly number[]): Extent {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) [min, max] = [Math.min(min, value), Math.max(max, value)];
  return { min, max };
}

function middle({ min, max }: Extent): number {
  return (min + max) / 2;
}

/** Cut where nobody saw the way; each cut is a line of its own between the two that are known. */
function linesOf(placed: readonly Placed[], unseen_ms: number): { points: Placed[]; seen: boolean }[] {
  const lines: { points: Placed[]; seen: boolean }[] = [];
  let line: Placed[] = [];
  for (const point of placed) {
    const before = line.at(-1);
    if (before !== undefined && point.time_ms - before.time_ms > unseen_ms) {
      lines.push({ points: line, seen: true }, { points: [before, point], seen: false });
      line = [];
    }
    line.push(point);
  }
  lines.push({ points: line, seen: true });
  return lines.filter((it) => it.points.length > 1);
}

function polyline(points: readonly Placed[], kind: string): string {
  return `<polyline class="${kind}" points="${points.map(({ x, y }) => `${px(x)},${px(y)}`).join(' ')}"/>`;
}

/** A bar of 1, 2 or 5 times a power of ten, at most a quarter of the picture wide. */
function scaleBar(height: number, pxPerM: number, say: ServerWords['say']): string[] {
  const maxM = width / 4 / pxPerM;
  const power = 10 ** Math.floor(Math.log10(maxM));
  const metres = power * ([5, 2].find((it) => it * power <= maxM) ?? 1);
  const label = metres >= 1_000 ? `${metres / 1_000} ${say('sign.km')}` : `${metres} ${say('sign.m')}`;
  const [x, y, end] = [16, height - 16, 16 + metres * pxPerM];
  return [
    `<path class="scale" d="M${x} ${y - 6}V${y}H${px(end)}V${y - 6}"/>`,
    `<text class="scale-text" x="${x + 4}" y="${y - 6}">${label}</text>`,
  ];
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
