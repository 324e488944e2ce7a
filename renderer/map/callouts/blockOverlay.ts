import { toMercator, worldWidthPx } from '../geodesy.ts';
import { SELECTION_RADIUS_PX } from '../glyphs/glyphShapes.ts';
import type { MapStage } from '../mapStage.ts';
import type { MapVehicle } from '../vehicles/vehicleFeatures.ts';
import type { VehicleLayer } from '../vehicles/vehicleLayer.ts';
import {
  type BlockOffset,
  type BlockRequest,
  type Obstacle,
  type Point,
  type Rect,
  contains,
  leaderEnd,
  leaderStart,
  placeBlocks,
} from './placeBlocks.ts';

/** What a data block says; the words are the caller's. */
export interface BlockText {
  name: string;
  /** Speed and course, or how long silent; null leaves the line out. */
  detail: string | null;
  /** The alarm in words; null leaves the line out. */
  alarm: string | null;
}

/** Pixels at each edge of the map that tools stand on; no block is placed there. */
export interface Insets {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

const PLACE_PAUSE_MS = 250;
const BRACKET_REACH_PX = 15;
const SVG = 'http://www.w3.org/2000/svg';

interface Block {
  element: HTMLElement;
  leader: SVGLineElement;
  text: string;
  width: number;
  height: number;
  vehicle: MapVehicle;
  clearancePx: number;
  offset: BlockOffset | null;
}

/**
 * Data blocks over the map. They are moved in the map's own render event, in the same frame as the glyphs, and keep
 * their place beside the glyph while the map is dragged; a better place is looked for only when things come to rest.
 */
export function startBlockOverlay(
  stage: MapStage,
  vehicles: VehicleLayer,
  describe: (vehicle: MapVehicle) => BlockText,
  describeRest: (count: number) => string,
  isSelected: (id: string) => boolean,
  insets: Insets,
) {
  const { map } = stage;
  const blocks = new Map<string, Block>();
  const layer = document.createElement('div');
  layer.className = 'map-blocks';
  const leaders = document.createElementNS(SVG, 'svg');
  const rest = document.createElement('div');
  rest.className = 'map-blocks-rest';
  rest.hidden = true;
  layer.append(leaders, rest);
  stage.container.append(layer);
  let timer: ReturnType<typeof setTimeout> | null = null;

  // Kept, since reading it between two writes of a frame would lay the page out again each time.
  let size = sizeOf(stage.container);
  const projector = (): ((place: Point) => Point) => {
    // The map neither turns nor tilts, so one scale and one shift project everything.
    const scale = worldWidthPx(map.getZoom());
    const centre = map.getCenter();
    const middle = toMercator({ lat: centre.lat, lon: centre.lng });
    return ({ x, y }) => ({
      x: (x - middle.x) * scale + size.width / 2,
      y: (y - middle.y) * scale + size.height / 2,
    });
  };

  /** Brings the blocks in step with the vehicles; true when one is new. */
  const sync = (): boolean => {
    let added = false;
    const needed = vehicles.withBlock();
    const ids = new Set(needed.map(({ id }) => id));
    for (const [id, block] of blocks) {
      if (ids.has(id)) continue;
      block.element.remove();
      block.leader.remove();
      blocks.delete(id);
    }
    for (const vehicle of needed) {
      const known = blocks.get(vehicle.id);
      added ||= known === undefined;
      const block = known ?? newBlock(layer, leaders, vehicle);
      blocks.set(vehicle.id, block);
      block.vehicle = vehicle;
      block.clearancePx = isSelected(vehicle.id) ? SELECTION_RADIUS_PX + 1 : BRACKET_REACH_PX;
      write(block, describe(vehicle), isSelected(vehicle.id));
    }
    return added;
  };

  const place = (): void => {
    rest.hidden = true;
    if (blocks.size === 0) return;
    const project = projector();
    const requests: BlockRequest[] = vehicles.withBlock().flatMap(({ id }) => {
      const block = blocks.get(id);
      if (!block) return [];
      const { width, height, clearancePx } = block;
      return [
        {
          id,
          anchor: project(toMercator(block.vehicle)),
          width,
          height,
          clearancePx,
          mayCover: isSelected(id),
        },
      ];
    });
    const viewport: Rect = {
      x: insets.left,
      y: insets.top,
      width: size.width - insets.left - insets.right,
      height: size.height - insets.top - insets.bottom,
    };
    const glyphs: Obstacle[] = [];
    for (const drawn of vehicles.drawn()) {
      const point = project(drawn);
      if (contains(viewport, point)) glyphs.push({ ...drawn, ...point });
    }
    const present = new Map<string, BlockOffset>();
    for (const [id, { offset }] of blocks) if (offset) present.set(id, offset);
    const placed = placeBlocks(requests, glyphs, viewport, present);
    for (const [id, block] of blocks) block.offset = placed.get(id) ?? null;
    const left = requests.filter(({ id, anchor }) => contains(viewport, anchor) && !placed.has(id)).length;
    rest.hidden = left === 0;
    if (left > 0) rest.textContent = describeRest(left);
    move();
  };

  const move = (): void => {
    const project = projector();
    for (const block of blocks.values()) moveBlock(block, project(toMercator(block.vehicle)));
  };

  const settle = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      if (!map.isMoving()) {
        sync();
        place();
      }
    }, PLACE_PAUSE_MS);
  };
  const placeNow = (): void => {
    sync();
    place();
  };
  const offDrawn = vehicles.onDrawn(() => {
    if (sync()) place();
    else {
      settle();
      move();
    }
  });
  const onResize = (): void => {
    size = sizeOf(stage.container);
    placeNow();
  };
  map.on('render', move);
  map.on('moveend', placeNow);
  map.on('resize', onResize);

  return {
    /** The vehicle whose block lies under a point of the map, or null. */
    at(point: Point) {
      const project = projector();
      for (const [id, { vehicle, offset, width, height }] of blocks) {
        if (!offset) continue;
        const anchor = project(toMercator(vehicle));
        if (contains({ x: anchor.x + offset.x, y: anchor.y + offset.y, width, height }, point)) return id;
      }
      return null;
    },
    /** Asks for the words again, when time alone has changed them ("silent 12 min"). */
    refresh: placeNow,
    stop() {
      if (timer !== null) clearTimeout(timer);
      offDrawn();
      map.off('render', move);
      map.off('moveend', placeNow);
      map.off('resize', onResize);
      layer.remove();
    },
  };
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement): { width: number; height: number } => ({
  width: clientWidth,
  height: clientHeight,
});

function newBlock(layer: HTMLElement, leaders: SVGSVGElement, vehicle: MapVehicle): Block {
  const element = document.createElement('div');
  const leader = document.createElementNS(SVG, 'line');
  layer.append(element);
  leaders.append(leader);
  return {
    element,
    leader,
    text: '',
    width: 0,
    height: 0,
    vehicle,
    clearancePx: BRACKET_REACH_PX,
    offset: null,
  };
}

function write(block: Block, { name, detail, alarm }: BlockText, selected: boolean): void {
  const { vehicle } = block;
  const tone = vehicle.label?.severity ?? 'plain';
  const text = [tone, name, detail, alarm].join('\n');
  block.element.className = `map-block map-block-${tone}${selected ? ' map-block-selected' : ''}`;
  block.leader.setAttribute('class', `map-leader-${tone}`);
  if (text === block.text) return;
  block.text = text;
  block.element.replaceChildren(
    line('map-block-name', name),
    ...(detail === null ? [] : [line('map-block-detail', detail)]),
    ...(alarm === null ? [] : [line('map-block-alarm', alarm)]),
  );
  block.width = block.element.offsetWidth;
  block.height = block.element.offsetHeight;
}

function line(className: string, text: string): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.textContent = text;
  return element;
}

function moveBlock({ element, leader, offset, width, height, clearancePx }: Block, anchor: Point): void {
  const visible = offset !== null;
  element.style.visibility = visible ? 'visible' : 'hidden';
  const end = visible ? leaderEnd(offset, width, height) : null;
  const start = end && leaderStart(end, clearancePx);
  leader.style.visibility = start ? 'visible' : 'hidden';
  if (!visible || !end) return;
  element.style.transform = `translate(${anchor.x + offset.x}px, ${anchor.y + offset.y}px)`;
  if (!start) return;
  leader.setAttribute('x1', String(anchor.x + start.x));
  leader.setAttribute('y1', String(anchor.y + start.y));
  leader.setAttribute('x2', String(anchor.x + end.x));
  leader.setAttribute('y2', String(anchor.y + end.y));
}
