import type { RenderJob } from './renderJob.ts';
import type { Moment } from './journey.ts';
import { fillRect, tint } from './picture.ts';
import type { Picture } from './picture.ts';
import { drawText, fitText, lettersOf, textWidth } from './text.ts';

/** The console's colours for words on a picture: `text` and `text-2` on `bg-0` of the dark theme. */
const GROUND = tint('#0B1013');
const BRIGHT = tint('#E4EAEB');
const SOFT = tint('#AAB7BD');

const SCALE = 2;
const MARGIN_PX = 8;
const LINE_PX = 20;
/** A multiple of the encoder's 16-pixel blocks: no block shows both the road and the letters. */
export const CAPTION_PX = 48;

/** The strip at the foot: when, where, who, which camera, how fast. */
export function drawCaption(
  picture: Picture,
  order: Pick<RenderJob, 'vehicle' | 'channel'>,
  moment: Moment,
): void {
  const top = picture.height - CAPTION_PX;
  fillRect(picture, 0, top, picture.width, CAPTION_PX, GROUND);
  const [first, second] = [top + 6, top + 6 + LINE_PX];
  drawText(picture, MARGIN_PX, first, clockText(moment.atMs), SCALE, BRIGHT);
  drawRight(picture, first, placeText(moment.position), SOFT);

  const speed = speedText(moment.position);
  drawRight(picture, second, speed, BRIGHT);
  const room = Math.floor((picture.width - 2 * MARGIN_PX - textWidth(speed, SCALE)) / (6 * SCALE)) - 2;
  const channel = fitText(`${order.channel.channel} ${order.channel.name}`.trim(), 14);
  const vehicle = `${order.vehicle.name} ${order.vehicle.plate}`.trim();
  const shown = fitText(vehicle, room - lettersOf(channel).length - 2);
  drawText(picture, MARGIN_PX, second, shown, SCALE, BRIGHT);
  const after = MARGIN_PX + textWidth(`${shown}   `, SCALE);
  drawText(picture, after, second, channel, SCALE, SOFT);
}

/** `2026-11-19 12:03:48.2Z`: the instant to a tenth of a second, in UTC. */
export function clockText(atMs: number): string {
  const iso = new Date(Math.floor(atMs / 100) * 100).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 21)}Z`;
}

/** Latitude and longitude to some 11 m, north and east positive. */
export function placeText(position: { lat: number; lon: number } | null): string {
  return position === null ? 'no position' : `${position.lat.toFixed(4)} ${position.lon.toFixed(4)}`;
}

export function speedText(position: { speed_kmh: number; course_deg: number } | null): string {
  if (position === null) return '- km/h';
  return `${Math.round(position.speed_kmh)} km/h ${Math.round(position.course_deg) % 360}°`;
}

function drawRight(picture: Picture, top: number, text: string, colour: typeof SOFT): void {
  drawText(picture, picture.width - MARGIN_PX - textWidth(text, SCALE), top, text, SCALE, colour);
}
