import type { Map as MapLibreMap } from 'maplibre-gl';
import { scaleBar, type ScaleBar } from './camera.ts';
import type { MapPalette } from './mapPalette.ts';
import type { MapStage } from './mapStage.ts';

/** On paper and enlarged, a picture of fewer pixels would be coarse. */
const LEAST_RATIO = 2;
/** What is not there by then is left out of the picture. */
const PATIENCE_MS = 3_000;
const PADDING_PX = 16;
const LINE_PX = 18;
const BAR_MAX_PX = 160;
const ARROW_PX = 14;
const FONT = '13px "Inter Variable", "Noto Sans", sans-serif';
const STRONG = `600 ${FONT}`;

export interface CaptionText {
  /** The depot. */
  title: string;
  /** The moment in the depot's time, with its zone. */
  time: string;
  /** Whose the map is. */
  credit: string;
  scale: (bar: ScaleBar) => string;
  /** Of the arrow that points north. */
  north: string;
}

export interface Caption {
  heightPx: number;
  /** Places are those of the baselines, from the top left corner of the caption. */
  texts: { text: string; x: number; y: number; strong: boolean }[];
  bar: { x: number; y: number; lengthPx: number };
  arrow: { x: number; y: number };
}

/**
 * Where the words below a picture of the map stand: depot, time, scale and north in the first line where the width
 * allows, else in two; the attribution in as many lines as it needs.
 *
 * @param measure the width of a text, in pixels
 */
export function captionLayout(
  { title, time, credit, scale, north }: Omit<CaptionText, 'scale'> & { scale: string },
  bar: ScaleBar,
  widthPx: number,
  measure: (text: string, strong: boolean) => number,
): Caption {
  const roomPx = widthPx - 2 * PADDING_PX;
  const scalePx = bar.lengthPx + 8 + measure(scale, false) + 24 + ARROW_PX + 4 + measure(north, false);
  const titlePx = measure(title, true);
  const timePx = measure(time, false);
  const texts: Caption['texts'] = [];
  let y = PADDING_PX + 10;
  const line = (): void => {
    y += LINE_PX;
  };

  const isOneLine = titlePx + 16 + timePx + 24 + scalePx <= roomPx;
  const isTitleBesideTime = titlePx + 16 + timePx <= roomPx;
  const shown = shortened(title, roomPx, (text) => measure(text, true));
  texts.push({ text: shown, x: PADDING_PX, y, strong: true });
  if (!isTitleBesideTime) line();
  texts.push({ text: time, x: isTitleBesideTime ? PADDING_PX + titlePx + 16 : PADDING_PX, y, strong: false });
  if (!isOneLine) line();
  const barX = isOneLine ? widthPx - PADDING_PX - scalePx : PADDING_PX;
  const scaleX = barX + bar.lengthPx + 8;
  const arrowX = scaleX + measure(scale, false) + 24;
  texts.push({ text: scale, x: scaleX, y, strong: false });
  texts.push({ text: north, x: arrowX + ARROW_PX + 4, y, strong: false });
  const arrow = { x: arrowX, y };
  const barPlace = { x: barX, y, lengthPx: bar.lengthPx };
  for (const text of wrapped(credit, roomPx, (it) => measure(it, false))) {
    line();
    texts.push({ text, x: PADDING_PX, y, strong: false });
  }
  return { heightPx: y + PADDING_PX, texts, bar: barPlace, arrow };
}

function shortened(text: string, roomPx: number, measure: (text: string) => number): string {
  if (measure(text) <= roomPx) return text;
  let end = text.length;
  while (end > 0 && measure(`${text.slice(0, end)}…`) > roomPx) end--;
  return `${text.slice(0, end)}…`;
}

function wrapped(text: string, roomPx: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && measure(`${last} ${word}`) <= roomPx)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * A picture of what the map shows, with its data blocks, as a PNG of at least twice as many pixels as on the screen.
 * Throws when the browser has no memory for it.
 *
 * @param caption asked in the moment that the picture shows
 */
export async function drawMapPicture(
  { map, container, palette }: Pick<MapStage, 'map' | 'container' | 'palette'>,
  caption: () => CaptionText,
): Promise<Blob> {
  const { clientWidth: width, clientHeight: height } = container;
  const ratioBefore = map.getPixelRatio();
  const ratio = Math.max(LEAST_RATIO, ratioBefore);
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser offers no canvas');
  const measure = (text: string, strong: boolean): number => {
    context.font = strong ? STRONG : FONT;
    return context.measureText(text).width;
  };
  const lay = (): Caption => {
    const bar = scaleBar(map.getCenter().lat, map.getZoom(), BAR_MAX_PX);
    const words = caption();
    return captionLayout({ ...words, scale: words.scale(bar) }, bar, width, measure);
  };

  await whenIdle(map);
  map.setPixelRatio(ratio);
  try {
    await whenIdle(map);
    await nextRender(map, () => {
      const layout = lay();
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round((height + layout.heightPx) * ratio);
      context.scale(ratio, ratio);
      // The drawing buffer holds the picture in the event alone.
      context.drawImage(map.getCanvas(), 0, 0, width, height);
      drawBlocks(context, container);
      context.translate(0, height);
      drawCaption(context, layout, width, palette());
    });
  } finally {
    map.setPixelRatio(ratioBefore);
  }
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the browser could not write the picture'));
      else resolve(blob);
    }, 'image/png');
  });
}

function nextRender(map: MapLibreMap, draw: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    map.once('render', () => {
      try {
        draw();
        resolve();
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    map.triggerRepaint();
  });
}

/** Tiles and letters of another pixel ratio come later; a map that never rests, because vehicles drive, is waited for a while. */
function whenIdle(map: MapLibreMap): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      map.off('idle', done);
      resolve();
    };
    const timer = setTimeout(done, PATIENCE_MS);
    map.on('idle', done);
    map.triggerRepaint();
  });
}

/** The data blocks and their leader lines, as the page shows them. */
function drawBlocks(context: CanvasRenderingContext2D, container: HTMLElement): void {
  const origin = container.getBoundingClientRect();
  for (const line of container.querySelectorAll('.map-blocks line')) {
    const style = getComputedStyle(line);
    if (style.visibility === 'hidden') continue;
    const at = (name: string): number => Number(line.getAttribute(name));
    context.strokeStyle = style.stroke;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(at('x1'), at('y1'));
    context.lineTo(at('x2'), at('y2'));
    context.stroke();
  }
  for (const block of container.querySelectorAll<HTMLElement>('.map-block, .map-blocks-rest')) {
    const style = getComputedStyle(block);
    const box = block.getBoundingClientRect();
    if (style.visibility === 'hidden' || box.width === 0) continue;
    const [x, y] = [box.x - origin.x, box.y - origin.y];
    context.fillStyle = style.backgroundColor;
    context.strokeStyle = style.borderTopColor;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(x + 0.5, y + 0.5, box.width - 1, box.height - 1, 3);
    context.fill();
    context.stroke();
    const lines = block.children.length === 0 ? [block] : [...block.children];
    for (const line of lines) {
      const text = getComputedStyle(line);
      const place = line.getBoundingClientRect();
      const left = line === block ? Number.parseFloat(style.paddingLeft) + 1 : 0;
      context.font = `${text.fontWeight} ${text.fontSize} ${text.fontFamily}`;
      context.fillStyle = text.color;
      context.textBaseline = 'middle';
      context.fillText(
        line.textContent,
        place.x - origin.x + left,
        place.y - origin.y + place.height / 2 + 0.5,
      );
    }
  }
  context.textBaseline = 'alphabetic';
}

function drawCaption(
  context: CanvasRenderingContext2D,
  { heightPx, texts, bar, arrow }: Caption,
  widthPx: number,
  palette: MapPalette,
): void {
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, widthPx, heightPx);
  context.fillStyle = palette.text;
  for (const { text, x, y, strong } of texts) {
    context.font = strong ? STRONG : FONT;
    context.fillText(text, x, y);
  }
  context.strokeStyle = palette.text;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(bar.x, bar.y - 8);
  context.lineTo(bar.x, bar.y);
  context.lineTo(bar.x + bar.lengthPx, bar.y);
  context.lineTo(bar.x + bar.lengthPx, bar.y - 8);
  context.stroke();
  context.beginPath();
  context.moveTo(arrow.x + ARROW_PX / 2, arrow.y - ARROW_PX + 2);
  context.lineTo(arrow.x + ARROW_PX, arrow.y + 2);
  context.lineTo(arrow.x + ARROW_PX / 2, arrow.y - 2);
  context.lineTo(arrow.x, arrow.y + 2);
  context.closePath();
  context.fill();
}
