import type { ExpressionSpecification } from 'maplibre-gl';
import type { TileLayer } from '../../../server/contract/mapLayers.ts';
import { STREETS_SOURCE } from './mapTiles.ts';

export const isSo = (name: string): ExpressionSpecification => ['==', ['get', name], true];

export const among = (...kinds: readonly string[]): ExpressionSpecification => [
  'in',
  ['get', 'kind'],
  ['literal', [...kinds]],
];

export const isLine: ExpressionSpecification = [
  'in',
  ['geometry-type'],
  ['literal', ['LineString', 'MultiLineString']],
];

export function byKind<T extends string | number>(
  values: Partial<Record<string, T>>,
  otherwise: T,
): ExpressionSpecification {
  const cases = Object.entries(values).flat();
  return ['match', ['get', 'kind'], ...cases, otherwise] as unknown as ExpressionSpecification;
}

export function layerOf(layer: TileLayer) {
  return { source: STREETS_SOURCE, 'source-layer': layer };
}
