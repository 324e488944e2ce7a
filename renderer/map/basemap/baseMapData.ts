import type { Box } from './clipRing.ts';

/** Side of a cell of the close-up data, degrees. */
export const CELL_DEG = 10;

/** From this zoom on the close-up data is drawn; below it, the overview. */
export const DETAIL_ZOOM = 5;

/** A populated place: name, longitude, latitude, first zoom that shows it, inhabitants. */
export type Place = [name: string, lon: number, lat: number, minZoom: number, population: number];

/** One file of the base map: the overview, or a cell of the close-up data. Coordinates in GeoJSON order. */
export interface BaseMapPart {
  land: GeoJSON.Position[][][];
  borders: GeoJSON.Position[][];
  places: Place[];
}

/** Where the files of the base map are, as baseMapPlugin.ts wrote them: `virtual:base-map` offers it. */
export interface BaseMapIndex {
  readonly overview: string;
  /** Address of each cell that has anything to draw, by its name. */
  readonly cells: Readonly<Record<string, string>>;
}

/** The name of the cell that holds a place. */
export function cellName(lon: number, lat: number): string {
  return `${clampedCell(lon + 180, 360)}-${clampedCell(lat + 90, 180)}`;
}

export function cellBox(name: string): Box {
  const [column = 0, row = 0] = name.split('-').map(Number);
  const west = column * CELL_DEG - 180;
  const south = row * CELL_DEG - 90;
  return { west, south, east: west + CELL_DEG, north: south + CELL_DEG };
}

/** The cells that a view touches; a view over the antimeridian may reach beyond 180 degrees. */
export function cellsInView(view: Box): string[] {
  const names = new Set<string>();
  for (let lat = view.south; ; lat = Math.min(lat + CELL_DEG, view.north)) {
    for (let lon = view.west; ; lon = Math.min(lon + CELL_DEG, view.east)) {
      names.add(cellName(((((lon + 180) % 360) + 360) % 360) - 180, lat));
      if (lon >= view.east) break;
    }
    if (lat >= view.north) break;
  }
  return [...names];
}

/** Checks what was fetched before it is drawn; null when it is no part of the base map. */
export function parseBaseMapPart(value: unknown): BaseMapPart | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!('land' in value) || !('borders' in value) || !('places' in value)) return null;
  const { land, borders, places } = value;
  if (!isList(land, isPolygon) || !isList(borders, isLine) || !isList(places, isPlace)) return null;
  return { land, borders, places };
}

function clampedCell(offset: number, span: number): number {
  return Math.max(0, Math.min(span / CELL_DEG - 1, Math.floor(offset / CELL_DEG)));
}

function isList<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(isItem);
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isPosition = (value: unknown): value is GeoJSON.Position =>
  isList(value, isNumber) && value.length >= 2;
const isLine = (value: unknown): value is GeoJSON.Position[] => isList(value, isPosition);
const isPolygon = (value: unknown): value is GeoJSON.Position[][] => isList(value, isLine);

function isPlace(value: unknown): value is Place {
  return (
    Array.isArray(value) &&
    typeof value[0] === 'string' &&
    value.slice(1).every(isNumber) &&
    value.length === 5
  );
}
