import type { ServerWords } from '../../contract/texts/serverWords.ts';
import { streetMapMaxZoom, streetMapMinZoom, tileExtent, type KindOf } from '../../contract/mapLayers.ts';
import { lonDifference, metresOfDegree, metresOfLon, type LatLon } from '../../geofences/geodesy.ts';
import { clipped, tilePointOf, type Rect } from '../../maps/composeTile.ts';
import type { TileFeature } from '../../maps/tileFeatures.ts';
import type { Box } from './pdfChart.ts';
import { ink } from './pdfInk.ts';
import type { PdfText } from './pdfText.ts';

/** The features of a tile of the street maps, in units of the tile; null where there is no map. */
export type FeaturesOf = (z: number, x: number, y: number) => Promise<TileFeature[] | null>;

export interface TrackPoint extends LatLon {
  time_ms: number;
}

/** Points of the page for the side of a tile; between this and its double. */
const leastTileSide = 130;
/** A vehicle that hardly moved is drawn on a ground of this size. */
const minSpanM = 300;
const margin = 14;
/** Corners of a map that are drawn at the most: a city's centre has some ten thousand. */
const maxCorners = 30_000;
/** Below it no eye sees a difference on paper, in points. */
const resolution = 0.3;
const maxNames = 9;

const paint = {
  ground: '#ecefec',
  wood: '#d5e3d4',
  water: '#cbe0ea',
  building: '#d9ddd9',
  rail: '#b9c2c4',
  casing: '#b3bec1',
  road: '#ffffff',
  label: '#4c5a61',
} as const;

const green: ReadonlySet<unknown> = new Set<KindOf<'ground'>>(['wood', 'grass', 'park', 'cemetery', 'pitch']);

/** What is drawn first lies below; widths in points, and from which zoom on. */
const roads: readonly (readonly [kind: KindOf<'road'>, width: number, from: number])[] = [
  ['service', 0.5, 15],
  ['minor', 0.9, 13],
  ['tertiary', 1.1, 11],
  ['secondary', 1.4, 10],
  ['primary', 1.8, 8],
  ['trunk', 2, 6],
  ['motorway', 2.2, 6],
];

const namedPlaces: readonly KindOf<'place'>[] = [
  'city',
  'town',
  'village',
  'suburb',
  'hamlet',
  'neighbourhood',
];

interface Frame {
  z: number;
  /** Points of the page for a unit of a tile. */
  scale: number;
  /** Of the box's corner, in units of tiles from the corner of the world. */
  left: number;
  top: number;
  pointOf: (at: LatLon) => [x: number, y: number];
  metresPerPoint: number;
}

/** The frame of a track in a box; null without a position. */
function frameOf(track: readonly LatLon[], box: Box): Frame | null {
  const [first] = track;
  if (first === undefined) return null;
  // Counted from the first one, so that a track over the antimeridian stays in one piece.
  const lonOf = ({ lon }: LatLon) => first.lon + lonDifference(lon, first.lon);
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const point of track) {
    west = Math.min(west, lonOf(point));
    east = Math.max(east, lonOf(point));
    south = Math.min(south, point.lat);
    north = Math.max(north, point.lat);
  }
  const metresOfLonHere = metresOfLon((south + north) / 2);
  const wider = Math.max(0, minSpanM / metresOfLonHere - (east - west)) / 2;
  const higher = Math.max(0, minSpanM / metresOfDegree - (north - south)) / 2;
  [west, east, south, north] = [west - wider, east + wider, south - higher, north + higher];

  /** In tiles of zoom 0, of which there is one. */
  const world = (lat: number, lon: number) => tilePointOf(lat, lon, 0, 0, 0).map((it) => it / tileExtent);
  const [x0 = 0, y0 = 0] = world(north, west);
  const [x1 = 0, y1 = 0] = world(south, east);
  const side = Math.min((box.width - 2 * margin) / (x1 - x0), (box.height - 2 * margin) / (y1 - y0));
  const z = Math.max(0, Math.min(streetMapMaxZoom, Math.floor(Math.log2(side / leastTileSide))));
  const scale = side / 2 ** z / tileExtent;
  const units = tileExtent * 2 ** z;
  const left = ((x0 + x1) / 2) * units - box.width / 2 / scale;
  const top = ((y0 + y1) / 2) * units - box.height / 2 / scale;
  return {
    ...{ z, scale, left, top },
    pointOf(point) {
      const [x = 0, y = 0] = world(point.lat, lonOf(point));
      return [box.x + (x * units - left) * scale, box.y + (y * units - top) * scale];
    },
    metresPerPoint: (metresOfLonHere * 360) / side,
  };
}

/**
 * Draws a map of a track as vectors: the ground, water, roads and names of the street maps, and the track on top, with a
 * circle at its start and a square at its end. Where there is no map, the track is drawn on plain ground.
 *
 * @param gap_ms two positions further apart in time are joined by a dashed line
 * @returns whether any map was there
 */
export async function drawMap(
  doc: PDFKit.PDFDocument,
  text: PdfText,
  box: Box,
  track: readonly TrackPoint[],
  featuresOf: FeaturesOf,
  gap_ms: number,
  words: ServerWords,
): Promise<boolean> {
  const frame = frameOf(track, box);
  doc.save();
  doc.rect(box.x, box.y, box.width, box.height).clip();
  doc.rect(box.x, box.y, box.width, box.height).fill(paint.ground);
  let isMap = false;
  if (frame !== null) {
    const layers = await featuresIn(frame, box, featuresOf);
    isMap = layers !== null;
    if (layers !== null) drawGround(doc, layers, frame.z);
    if (layers !== null) drawNames(doc, text, layers, box);
    drawTrack(doc, track, frame, gap_ms);
    drawScale(doc, text, box, frame.metresPerPoint, words);
  }
  doc.restore();
  doc.rect(box.x, box.y, box.width, box.height).lineWidth(0.5).stroke(ink.strong);
  return isMap;
}

/** A feature in points of the page. */
type Placed = Pick<TileFeature, 'layer' | 'type' | 'properties' | 'parts'>;

async function featuresIn(frame: Frame, box: Box, featuresOf: FeaturesOf): Promise<Placed[] | null> {
  const { z, scale, left, top } = frame;
  if (z < streetMapMinZoom) return null;
  const tiles = 2 ** z;
  const [right, bottom] = [left + box.width / scale, top + box.height / scale];
  const placed: Placed[] = [];
  let isAny = false;
  for (let y = Math.floor(top / tileExtent); y * tileExtent < bottom; y++) {
    for (let x = Math.floor(left / tileExtent); x * tileExtent < right; x++) {
      if (y < 0 || y >= tiles) continue;
      const features = await featuresOf(z, ((x % tiles) + tiles) % tiles, y);
      if (features === null) continue;
      isAny = true;
      const [tileX, tileY] = [x * tileExtent, y * tileExtent];
      // A little beyond the frame, whose edge would else be drawn as a line of what is cut.
      const edge = 8 / scale;
      const rect: Rect = {
        minX: Math.max(0, left - tileX - edge),
        minY: Math.max(0, top - tileY - edge),
        maxX: Math.min(tileExtent, right - tileX + edge),
        maxY: Math.min(tileExtent, bottom - tileY + edge),
      };
      for (const feature of clipped(features, rect)) {
        const parts = feature.parts.flatMap((part) => {
          const points = part.map((at, i) =>
            i % 2 === 0 ? box.x + (at + tileX - left) * scale : box.y + (at + tileY - top) * scale,
          );
          const kept = feature.type === 'point' ? points : thinned(points);
          return kept.length === 0 ? [] : [kept];
        });
        if (parts.length > 0) placed.push({ ...feature, parts });
      }
    }
  }
  return isAny ? placed : null;
}

/** Without corners that lie on each other; empty for what is a speck. */
function thinned(points: readonly number[]): number[] {
  const kept = [points[0] ?? 0, points[1] ?? 0];
  let [x, y] = [kept[0] ?? 0, kept[1] ?? 0];
  for (let i = 2; i + 1 < points.length; i += 2) {
    const [nextX = 0, nextY = 0] = [points[i], points[i + 1]];
    const isLast = i + 2 >= points.length;
    if (!isLast && Math.abs(nextX - x) < resolution && Math.abs(nextY - y) < resolution) continue;
    [x, y] = [nextX, nextY];
    kept.push(x, y);
  }
  return kept.length <= 4 && Math.hypot(x - (kept[0] ?? 0), y - (kept[1] ?? 0)) < resolution ? [] : kept;
}

function drawGround(doc: PDFKit.PDFDocument, layers: readonly Placed[], z: number): void {
  let corners = 0;

  function trace(features: readonly Placed[]): boolean {
    let isAny = false;
    for (const { parts } of features) {
      for (const part of parts) {
        corners += part.length / 2;
        if (corners > maxCorners) return isAny;
        doc.moveTo(part[0] ?? 0, part[1] ?? 0);
        for (let i = 2; i + 1 < part.length; i += 2) doc.lineTo(part[i] ?? 0, part[i + 1] ?? 0);
        isAny = true;
      }
    }
    return isAny;
  }

  const of = (layer: TileFeature['layer'], type: TileFeature['type'], kind?: string) =>
    layers.filter(
      (it) =>
        it.layer === layer && it.type === type && (kind === undefined || it.properties['kind'] === kind),
    );
  const isDrawn = ({ properties }: Placed) =>
    properties['name_only'] !== true && properties['tunnel'] !== true;

  const woods = of('ground', 'polygon').filter(({ properties }) => green.has(properties['kind']));
  if (trace(woods)) doc.fill(paint.wood, 'even-odd');
  if (trace(of('water', 'polygon'))) doc.fill(paint.water, 'even-odd');
  if (trace(of('waterway', 'line').filter(isDrawn))) doc.lineWidth(0.8).stroke(paint.water);
  // Roads come before buildings where not all of them can be drawn, and lie on top of them.
  const lines = roads
    .filter(([, , from]) => z >= from)
    .map(([kind, width]) => ({ width, features: of('road', 'line', kind).filter(isDrawn) }));
  const roadCorners = lines
    .flatMap(({ features }) => features.flatMap((it) => it.parts))
    .reduce((sum, part) => sum + part.length, 0);
  const buildings = z >= 14 ? of('building', 'polygon') : [];
  const buildingCorners = buildings.flatMap((it) => it.parts).reduce((sum, part) => sum + part.length / 2, 0);
  if (corners + roadCorners + buildingCorners <= maxCorners && trace(buildings)) {
    doc.fill(paint.building, 'even-odd');
  }
  if (trace(of('rail', 'line').filter(isDrawn))) doc.lineWidth(0.6).stroke(paint.rail);
  doc.lineCap('round').lineJoin('round');
  for (const { width, features } of lines) {
    if (trace(features)) doc.lineWidth(width + 0.7).stroke(paint.casing);
  }
  for (const { width, features } of lines) if (trace(features)) doc.lineWidth(width).stroke(paint.road);
}

function drawTrack(
  doc: PDFKit.PDFDocument,
  track: readonly TrackPoint[],
  frame: Frame,
  gap_ms: number,
): void {
  const points = track.map((it) => ({ at: frame.pointOf(it), time_ms: it.time_ms }));
  const pieces: [x: number, y: number][][] = [];
  const gaps: (readonly [x: number, y: number])[][] = [];
  let before: (typeof points)[number] | null = null;
  for (const point of points) {
    const piece = pieces.at(-1);
    if (before === null || piece === undefined) pieces.push([point.at]);
    else if (point.time_ms - before.time_ms > gap_ms) {
      gaps.push([before.at, point.at]);
      pieces.push([point.at]);
    } else {
      const [x, y] = piece.at(-1) ?? point.at;
      if (Math.hypot(point.at[0] - x, point.at[1] - y) >= resolution) piece.push(point.at);
    }
    before = point;
  }
  const trace = (lines: readonly (readonly (readonly [x: number, y: number])[])[]) => {
    for (const line of lines) line.forEach(([x, y], i) => (i === 0 ? doc.moveTo(x, y) : doc.lineTo(x, y)));
  };
  doc.lineCap('round').lineJoin('round');
  trace(pieces);
  doc.lineWidth(3.2).stroke('#ffffff');
  trace(pieces);
  doc.lineWidth(1.7).stroke(ink.accent);
  if (gaps.length > 0) {
    trace(gaps);
    doc.dash(2, { space: 2.5 }).lineWidth(1).stroke(ink.accent);
    doc.undash();
  }
  const [start, end] = [points[0]?.at, points.at(-1)?.at];
  if (start !== undefined)
    doc.circle(start[0], start[1], 3.2).lineWidth(1).fillAndStroke(ink.moving, '#ffffff');
  if (end !== undefined) doc.rect(end[0] - 2.8, end[1] - 2.8, 5.6, 5.6).fillAndStroke(ink.alarm, '#ffffff');
}

/** The most important ones first; none covers another one. */
function drawNames(doc: PDFKit.PDFDocument, text: PdfText, layers: readonly Placed[], box: Box): void {
  const style = { size: 6, colour: paint.label };
  const rankOf = ({ properties }: Placed) =>
    namedPlaces.indexOf(properties['kind'] as KindOf<'place'>) * 1_000 + Number(properties['rank'] ?? 500);
  const places = layers
    .filter((it) => it.layer === 'place' && namedPlaces.includes(it.properties['kind'] as KindOf<'place'>))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  const taken: Box[] = [];
  for (const { properties, parts } of places) {
    const name = properties['name'];
    const [x, y] = parts[0] ?? [];
    if (typeof name !== 'string' || name === '' || x === undefined || y === undefined) continue;
    const width = text.width(name, style);
    const label = { x: x - width / 2 - 1.5, y: y - 4, width: width + 3, height: 8 };
    const isInside =
      label.x >= box.x &&
      label.x + label.width <= box.x + box.width &&
      label.y >= box.y &&
      label.y + 8 <= box.y + box.height;
    if (!isInside || taken.some((it) => isOver(it, label))) continue;
    taken.push(label);
    doc.fillOpacity(0.75).rect(label.x, label.y, label.width, label.height).fill('#ffffff').fillOpacity(1);
    text.line(name, { ...style, x: label.x + 1.5, baseline: y + 2.2 });
    if (taken.length >= maxNames) return;
  }
}

const isOver = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

function drawScale(
  doc: PDFKit.PDFDocument,
  text: PdfText,
  box: Box,
  metresPerPoint: number,
  words: ServerWords,
): void {
  const most_m = 60 * metresPerPoint;
  const isLong = words.distance(most_m) >= (words.isInMiles ? 0.1 : 1);
  const inUnit = isLong ? words.distance : words.length;
  const most = inUnit(most_m);
  const power = 10 ** Math.floor(Math.log10(most));
  const shown = [5, 2, 1].map((it) => it * power).find((it) => it <= most) ?? power;
  const metres = shown / inUnit(1);
  const [x, y] = [box.x + 6, box.y + box.height - 6];
  doc
    .fillOpacity(0.75)
    .rect(x - 2, y - 9, metres / metresPerPoint + 4, 11)
    .fill('#ffffff')
    .fillOpacity(1);
  doc
    .moveTo(x, y - 2)
    .lineTo(x, y)
    .lineTo(x + metres / metresPerPoint, y)
    .lineTo(x + metres / metresPerPoint, y - 2);
  doc.lineCap('butt').lineWidth(0.7).stroke(ink.text);
  const number = String(Number(shown.toPrecision(1))).replace('.', words.decimalSign);
  const label = `${number} ${isLong ? words.distanceUnit : words.lengthUnit}`;
  text.line(label, { size: 5.5, x: x + 2, baseline: y - 2.5 });
}
