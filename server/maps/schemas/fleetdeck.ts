import { tileLayerNames, tileLayers, type TileLayer } from '../../contract/mapLayers.ts';
import type { Mapped, SchemaMapping } from './mapping.ts';

/** Our own words: what a layer does not know is left out. */
export const fleetdeck: SchemaMapping = {
  sources: { road: ['road'], address: ['address'], place: ['place'] },
  layers: Object.fromEntries(tileLayerNames.map((layer) => [layer, (source) => ownWords(layer, source)])),
};

function ownWords(layer: TileLayer, properties: Mapped['properties']): Mapped | null {
  const kinds: readonly string[] = tileLayers[layer];
  return kinds.length === 0 || kinds.includes(String(properties['kind'])) ? { layer, properties } : null;
}
