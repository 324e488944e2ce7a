import scene from '../../../resources/demo/camera.json' with { type: 'json' };
import type { Moment, RenderJob } from './journey.ts';
import { fillRect, tint, type Picture, type Tint } from './picture.ts';

/** The console's colours for words on a picture: `text` and `text-2` on `bg-0` of the dark theme. */
const GROUND = tint('#0B1013');
const BRIGHT = tint('#E4EAEB');
const SOFT = tint('#AAB7BD');

const SCALE = 2;
const MARGIN_PX = 8;
const LINE_PX = 20;
/** A multiple of the encoder's 16-pixel blocks: no block shows both the road and the letters. */
export const CAPTION_PX = 48;

/** Columns and rows of a letter, the last row for what hangs below the line; letters stand one column apart. */
const GLYPH_COLUMNS = 5;
const GLYPH_ROWS = 8;
const ADVANCE = GLYPH_COLUMNS + 1;
const GLYPHS: Record<string, string> = scene.glyphs;
const SAME: Record<string, string> = scene.lookalikes;

/** The strip at the foot: when, where, who, which camera, how fast. */
export function drawCaption(
  picture: Picture,
  { vehicle, channel }: Pick<RenderJob, 'vehicle' | 'channel'>,
  moment: Moment,
): void {
  const top = picture.height - CAPTION_PX;
  fillRect(picture, 0, top, picture.width, CAPTION_PX, GROUND);
  const [first, second] = [top + 6, top + 6 + LINE_PX];
  const drawRight = (row: number, text: string, colour: Tint) =>
    drawText(picture, picture.width - MARGIN_PX - textWidth(text, SCALE), row, text, SCALE, colour);
  drawText(picture, MARGIN_PX, first, formatClock(moment.atMs), SCALE, BRIGHT);
  drawRight(first, formatPlace(moment.position), SOFT);

  const speed = formatSpeed(moment.position);
  drawRight(second, speed, BRIGHT);
  const letters =
    Math.floor((picture.width - 2 * MARGIN_PX - textWidth(speed, SCALE)) / (ADVANCE * SCALE)) - 2;
  const camera = fitText(`${channel.channel} ${channel.name}`.trim(), 14);
  const name = fitText(`${vehicle.name} ${vehicle.plate}`.trim(), letters - Array.from(camera).length - 2);
  drawText(picture, MARGIN_PX, second, name, SCALE, BRIGHT);
  drawText(picture, MARGIN_PX + textWidth(`${name}   `, SCALE), second, camera, SCALE, SOFT);
}

/** `2026-11-19 12:03:48.2Z`: the instant to a tenth of a second, in UTC. */
export function formatClock(atMs: number): string {
  const iso = new Date(Math.floor(atMs / 100) * 100).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 21)}Z`;
}

/** Latitude and longitude to some 11 m, north and east positive. */
export function formatPlace(position: { lat: number; lon: number } | null): string {
  return position === null ? 'no position' : `${position.lat.toFixed(4)} ${position.lon.toFixed(4)}`;
}

export function formatSpeed(position: { speed_kmh: number; course_deg: number } | null): string {
  if (position === null) return '- km/h';
  return `${Math.round(position.speed_kmh)} km/h ${Math.round(position.course_deg) % 360}°`;
}

export function textWidth(text: string, scale: number): number {
  const { length } = Array.from(text);
  return length === 0 ? 0 : (length * ADVANCE - 1) * scale;
}

/** @param left, top upper left corner in pixels. @param scale pixels per dot of the font, a whole number */
export function drawText(
  picture: Picture,
  left: number,
  top: number,
  text: string,
  scale: number,
  colour: Tint,
): void {
  for (const [place, letter] of Array.from(text).entries())
    for (const [row, bits] of glyph(letter).entries())
      for (let column = 0; column < GLYPH_COLUMNS; column++) {
        if (((bits >> (GLYPH_COLUMNS - 1 - column)) & 1) === 0) continue;
        fillRect(picture, left + (place * ADVANCE + column) * scale, top + row * scale, scale, scale, colour);
      }
}

/** The text, cut with an ellipsis if it is too long. */
export function fitText(text: string, letters: number): string {
  const all = Array.from(text);
  return all.length <= letters ? text : `${all.slice(0, Math.max(0, letters - 1)).join('')}…`;
}

/**
 * The rows of a letter from the top, each with its five columns as bits; accents are left off, a letter that is not
 * drawn is a crossed box. The data has a base-32 digit for each row, those at the end left out that are empty.
 */
export function glyph(letter: string): Uint8Array {
  const plain = letter.normalize('NFD').replace(/\p{M}/gu, '');
  const rows =
    letter.trim() === '' ? '' : (GLYPHS[plain] ?? GLYPHS[SAME[plain] ?? ''] ?? GLYPHS['missing'] ?? '');
  return Uint8Array.from({ length: GLYPH_ROWS }, (_, row) => Number.parseInt(rows[row] ?? '0', 32));
}
