/** Points asked in each direction of a pixel; their share within a shape is the pixel's cover. */
const POINTS = 4;

/** The mark as rows of red, green, blue, opacity (each 0 to 255), `size` pixels wide and high. */
export function drawPixels(size: number): Uint8Array {
  const pixels = new Uint8Array(size * size * 4);
  const scale = units / size;
  const whole = { left: 0, top: 0, right: size, bottom: size };
  paint(pixels, size, ground.color, whole, (x, y) => isOnGround(x * scale, y * scale));
  for (const { color, corners } of shapes) {
    paint(pixels, size, color, boxOf(corners, scale), (x, y) => isWithin(x * scale, y * scale, corners));
  }
  return pixels;
}

export function drawSvg(): string {
  const polygons = shapes.map(
    ({ corners, color }) =>
      `  <path d="M${corners.map((corner) => corner.join(' ')).join('L')}Z" fill="${color}" />`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${units} ${units}">`,
    `  <rect width="${units}" height="${units}" rx="${ground.radius}" fill="${ground.color}" />`,
    ...polygons,
    '</svg>\n',
  ].join('\n');
}

/** Paints what `covers` says of points in pixels, within a box. */
export function paint(
  pixels: Uint8Array,
  size: number,
  color: string,
  box: Box,
  covers: (x: number, y: number) => boolean,
): void {
  const paints = [1, 3, 5].map((place) => Number.parseInt(color.slice(place, place + 2), 16));
  for (let row = Math.floor(box.top); row < Math.ceil(box.bottom); row++) {
    for (let column = Math.floor(box.left); column < Math.ceil(box.right); column++) {
      const cover = coverOf(row, column, covers);
      if (cover > 0) blend(pixels, (row * size + column) * 4, paints, cover);
    }
  }
}

/** What a shape can reach, in pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function boxOf(corners: Shape['corners'], scale: number): Box {
  const [xs, ys] = [corners.map(([x]) => x / scale), corners.map(([, y]) => y / scale)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

function coverOf(row: number, column: number, covers: (x: number, y: number) => boolean): number {
  let count = 0;
  for (let point = 0; point < POINTS * POINTS; point++) {
    const x = column + ((point % POINTS) + 0.5) / POINTS;
    const y = row + (Math.floor(point / POINTS) + 0.5) / POINTS;
    if (covers(x, y)) count++;
  }
  return count / (POINTS * POINTS);
}

/** Over what is there: its colour keeps the share that its own opacity has left. */
function blend(pixels: Uint8Array, at: number, paints: readonly number[], cover: number): void {
  const under = (pixels[at + 3] ?? 0) / 255;
  const opacity = cover + under * (1 - cover);
  paints.forEach((paint, channel) => {
    const before = pixels[at + channel] ?? 0;
    pixels[at + channel] = Math.round((paint * cover + before * under * (1 - cover)) / opacity);
  });
  pixels[at + 3] = Math.round(opacity * 255);
}

function isOnGround(x: number, y: number): boolean {
  const { radius } = ground;
  const beyondX = Math.max(radius - x, x - (units - radius), 0);
  const beyondY = Math.max(radius - y, y - (units - radius), 0);
  return beyondX * beyondX + beyondY * beyondY <= radius * radius;
}

/** Even-odd: a ray to the right crosses the border an odd number of times. */
function isWithin(x: number, y: number, corners: Shape['corners']): boolean {
  let isInside = false;
  corners.forEach(([toX, toY], place) => {
    const [fromX, fromY] = corners.at(place - 1) ?? [toX, toY];
    if (fromY > y === toY > y) return;
    if (x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) isInside = !isInside;
  });
  return isInside;
}

/** The mark, a vehicle in its brackets, on a square of 24 units: the shapes of the console's own, drawn for tiles. */
interface Shape {
  /** Corners, in units. */
  corners: readonly (readonly [x: number, y: number])[];
  color: string;
}

const units = 24;
const ground = { color: '#0b1013', radius: 4 };

const ACCENT = '#62bedc';
const INK = '#e4eaeb';

function bar(x: number, y: number, width: number, height: number): Shape {
  const [right, bottom] = [x + width, y + height];
  return {
    color: ACCENT,
    corners: [
      [x, y],
      [right, y],
      [right, bottom],
      [x, bottom],
    ],
  };
}

const shapes: readonly Shape[] = [
  {
    color: INK,
    corners: [
      [12, 5],
      [17, 19],
      [12, 15.6],
      [7, 19],
    ],
  },
  bar(3, 3, 5.4, 1.6),
  bar(3, 3, 1.6, 5.4),
  bar(15.6, 3, 5.4, 1.6),
  bar(19.4, 3, 1.6, 5.4),
];
