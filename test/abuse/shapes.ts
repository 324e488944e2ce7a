// Shapes that are right and as hard as they can be.

type Ring = [number, number][];
const closed = (ring: Ring): Ring => [...ring, ...ring.slice(0, 1)];
const turned = (ring: Ring): Ring => ring.map(([x, y]) => [y, x]);
/** Somewhere on land; shapes are given in parts of a degree. */
const placed = (ring: Ring): Ring =>
  ring.map(([x, y]) => [Number((13 + x).toFixed(7)), Number((52 + y).toFixed(7))]);

/** So many corners are one ring, the closing one included. */
export const maxCorners = 19_993;

/** Every side crosses the whole height (or, turned, the whole width). */
export function zigzag(corners: number, isTurned = false): Ring {
  const teeth: Ring = Array.from({ length: corners - 3 }, (_, at) => [at / corners, at % 2]);
  const ring: Ring = [...teeth, [1, -0.1], [0, -0.1]];
  return placed(closed(isTurned ? turned(ring) : ring));
}

/** Thin teeth with upright sides, which all overlap each other in height. */
export function comb(corners: number): Ring {
  const teeth = Math.floor((corners - 3) / 4);
  const ring = Array.from({ length: teeth }, (_, at): Ring => {
    const [left, right] = [at / teeth, (at + 0.5) / teeth];
    return [
      [left, 0],
      [left, 1],
      [right, 1],
      [right, 0],
    ];
  }).flat();
  return placed(closed([...ring, [1, -0.1], [0, -0.1]]));
}

/** Out along one arm and back along another between its windings. */
export function spiral(corners: number): Ring {
  const arm = Math.floor((corners - 1) / 2);
  const windings = 60;
  const point = (at: number, more: number): [number, number] => {
    const angle = (2 * Math.PI * windings * at) / arm;
    const radius = (0.4 * (at + 1)) / arm + more;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  };
  const out = Array.from({ length: arm }, (_, at) => point(at, 0));
  const back = Array.from({ length: arm }, (_, at) => point(arm - 1 - at, 0.003));
  return placed(closed([...out, ...back]));
}

/** A square with so many square holes. */
export function holed(holes: number): Ring[] {
  const square = (x: number, y: number, size: number): Ring => [
    [x, y],
    [x, y + size],
    [x + size, y + size],
    [x + size, y],
    [x, y],
  ];
  const across = Math.ceil(Math.sqrt(holes));
  const inner = Array.from({ length: holes }, (_, at) =>
    square((at % across) / across + 0.001, Math.floor(at / across) / across + 0.001, 0.5 / across),
  );
  return [square(0, 0, 1.01), ...inner].map(placed);
}

/** Crosses the antimeridian at every side. */
export function acrossTheSea(corners: number): Ring {
  const ring: Ring = Array.from({ length: corners - 3 }, (_, at) => [
    at % 2 === 0 ? 179.9 : -179.9,
    Number((-40 + (80 * at) / corners).toFixed(4)),
  ]);
  return closed([...ring, [-170, 41], [-170, -41]]);
}

/** A feature of GeoJSON. */
export const feature = (coordinates: Ring[], name: string) => ({
  type: 'Feature',
  properties: { name },
  geometry: { type: 'Polygon', coordinates },
});
