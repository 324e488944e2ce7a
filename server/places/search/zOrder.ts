import { tileAt } from '../../maps/composeTile.ts';

/** Cells of the index are tiles of this zoom: some 10 km wide. */
const zoom = 12;

/** The cell of a place; cells near each other have near numbers, most often. */
export function cellOf(lat: number, lon: number): number {
  const { x, y } = tileAt(lat, lon, zoom);
  return interleaved(x, y);
}

/** The cell of a place and the eight round it. */
export function cellsRound(lat: number, lon: number): number[] {
  const { x, y } = tileAt(lat, lon, zoom);
  const side = 2 ** zoom;
  return [-1, 0, 1].flatMap((down) =>
    [-1, 0, 1].flatMap((right) =>
      y + down < 0 || y + down >= side ? [] : [interleaved((x + right + side) % side, y + down)],
    ),
  );
}

function interleaved(x: number, y: number): number {
  let cell = 0;
  for (let bit = 0; bit < zoom; bit++)
    cell |= (((x >> bit) & 1) << (2 * bit)) | (((y >> bit) & 1) << (2 * bit + 1));
  return cell;
}
