/** Where a channel's picture lies in the pane, in pixels. */
export interface Tile {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface LayoutFilter {
  width: number;
  height: number;
  channels: number;
  /** Width by height of a picture. */
  aspect: number;
  /** The channel, by its place, that the operator made large; null: what wastes least. */
  large: number | null;
}

/** Wider than this, four pictures waste least as one large and three small (LOOKS 4). */
const WIDE = 2.2;
const GAP_PX = 2;
/** Small pictures beside a large one are a third of it: three of them are as high as it is. */
const SMALL_PARTS = 3;

/** Places pictures without cropping any, centred in the pane, in the order of the channels. */
export function playerLayout({ width, height, channels, aspect, large }: LayoutFilter): Tile[] {
  const pane = { width: Math.max(0, width - 2 * GAP_PX), height: Math.max(0, height - 2 * GAP_PX) };
  if (channels === 0) return [];
  const isWide = width > WIDE * height && (channels === 3 || channels === 4);
  const chosen = channels === 1 ? null : (large ?? (isWide ? 0 : null));
  const tiles =
    chosen === null ? bestGrid(pane, channels, aspect) : besideLarge(pane, channels, aspect, chosen);
  return centred(tiles, { width, height });
}

interface Pane {
  width: number;
  height: number;
}

function bestGrid(pane: Pane, channels: number, aspect: number): Tile[] {
  let best: Tile[] = [];
  for (let columns = 1; columns <= channels; columns += 1) {
    const rows = Math.ceil(channels / columns);
    const byWidth = (pane.width - (columns - 1) * GAP_PX) / columns;
    const byHeight = ((pane.height - (rows - 1) * GAP_PX) / rows) * aspect;
    const tileWidth = Math.max(0, Math.min(byWidth, byHeight));
    if (tileWidth <= (best[0]?.width ?? 0)) continue;
    const tileHeight = tileWidth / aspect;
    best = Array.from({ length: channels }, (_, index) => ({
      left: (index % columns) * (tileWidth + GAP_PX),
      top: Math.floor(index / columns) * (tileHeight + GAP_PX),
      width: tileWidth,
      height: tileHeight,
    }));
  }
  return best;
}

/** One large, the others in a column at its right or in a row below, whichever makes it larger. */
function besideLarge(pane: Pane, channels: number, aspect: number, large: number): Tile[] {
  const parts = Math.max(SMALL_PARTS, channels - 1);
  const gaps = (parts - 1) * GAP_PX;
  const column = Math.min(
    pane.height * aspect,
    (pane.width - GAP_PX + (gaps / parts) * aspect) / (1 + 1 / parts),
  );
  const rowHeight = Math.min(
    pane.width / aspect,
    (pane.height - GAP_PX + gaps / parts / aspect) / (1 + 1 / parts),
  );
  const inColumn = column >= rowHeight * aspect;
  const width = Math.max(0, inColumn ? column : rowHeight * aspect);
  const height = width / aspect;
  const small = inColumn
    ? { width: ((height - gaps) / parts) * aspect, height: (height - gaps) / parts }
    : { width: (width - gaps) / parts, height: (width - gaps) / parts / aspect };
  let place = 0;
  return Array.from({ length: channels }, (_, index) => {
    if (index === large) return { left: 0, top: 0, width, height };
    const tile = inColumn
      ? { left: width + GAP_PX, top: place * (small.height + GAP_PX), ...small }
      : { left: place * (small.width + GAP_PX), top: height + GAP_PX, ...small };
    place += 1;
    return tile;
  });
}

function centred(tiles: Tile[], pane: Pane): Tile[] {
  const right = Math.max(...tiles.map((it) => it.left + it.width));
  const bottom = Math.max(...tiles.map((it) => it.top + it.height));
  const dx = (pane.width - right) / 2;
  const dy = (pane.height - bottom) / 2;
  return tiles.map((it) => ({ ...it, left: it.left + dx, top: it.top + dy }));
}
