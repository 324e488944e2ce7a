/** The mark, a vehicle in its brackets, on a square of 24 units: the shapes of the console's own, drawn for tiles. */
export interface Shape {
  /** Corners, in units. */
  corners: readonly (readonly [x: number, y: number])[];
  color: string;
}

export const units = 24;
export const ground = { color: '#0b1013', radius: 4 };

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

export const shapes: readonly Shape[] = [
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
