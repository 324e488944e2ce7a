import type { Cause } from '../../contract/causes.ts';
import { causeOf } from '../../contract/causeTexts.ts';
import type { MapArea } from '../../contract/maps.ts';
import type { NewOnlineMap, OnlineMapAbout } from '../../contract/onlineMaps.ts';
import { invalid } from '../../http/apiError.ts';
import { urlError } from '../../http/outgoingCall.ts';
import { OutgoingError, type OutgoingGet } from '../../http/outgoingGet.ts';
import { checkedArea, layersIn, MapFileError, plainText, schemaOf } from '../mapFile.ts';

/** An online source as it was read: what it is, and where its tiles are. */
export interface ReadSource {
  about: OnlineMapAbout;
  /** With `{z}`, `{x}` and `{y}` or `{-y}`. */
  tiles: string;
}

/** The edge of Web Mercator (EPSG:3857). */
const mercatorLat = 85.051129;
const world: MapArea = { west: -180, south: -mercatorLat, east: 180, north: mercatorLat };
/** A style with inline GeoJSON is some MB. */
const maxJsonBytes = 4 * 1024 * 1024;
/** Of one style; others are looked at no more. */
const maxSources = 4;
/** Beyond, pictures are enlarged by the map. */
const usualMaxZoom = { imagery: 19, streets: 14 };

/**
 * Reads what a source is: of streets by its style or TileJSON, of imagery from what was typed.
 *
 * @throws ApiError 400 with what is wrong with it
 */
export async function readSource(asked: NewOnlineMap, get: OutgoingGet['get']): Promise<ReadSource> {
  const url = checkedUrl('url', asked.url, asked.kind === 'imagery');
  const name = asked.name ?? url.hostname;
  try {
    if (asked.kind === 'imagery') return imageryOf(asked, name);
    const { tiles, about } = await streetsAt(url, get);
    const licence = about.licence === '' ? plainText(asked.attribution) : about.licence;
    if (licence === '') throw invalid('attribution', causeOf('map_source.no_attribution'), 'missing');
    return { tiles, about: { ...about, name, licence } };
  } catch (error) {
    if (error instanceof OutgoingError)
      throw invalid('url', [causeOf('map.path_unreadable'), ...error.causes]);
    if (error instanceof MapFileError)
      throw invalid('url', [causeOf('map_source.not_drawn'), ...error.causes]);
    throw error;
  }
}

function imageryOf(asked: NewOnlineMap, name: string): ReadSource {
  const { attribution = '', min_zoom = 0, max_zoom = usualMaxZoom.imagery, area = world } = asked;
  const licence = plainText(attribution);
  if (licence === '')
    throw invalid('attribution', 'is needed: the map shows it wherever the imagery is drawn', 'missing');
  if (min_zoom > max_zoom) throw invalid('max_zoom', causeOf('map_source.zooms'));
  const { west, south, east, north } = area;
  return {
    tiles: asked.url,
    about: {
      ...{ name, kind: 'imagery', schema: 'raster', min_zoom, max_zoom, licence },
      area: checkedArea(west, south, east, north),
    },
  };
}

/**
 * The streets that a MapLibre style or a TileJSON leads to.
 *
 * @throws OutgoingError, MapFileError
 */
export async function streetsAt(
  url: URL,
  get: OutgoingGet['get'],
): Promise<{ tiles: string; about: Omit<OnlineMapAbout, 'name'> }> {
  const json = await readJson(url, get);
  if (Array.isArray(json['tiles'])) return tileSetOf(json, url);
  const all = Object.entries((json['sources'] ?? {}) as Record<string, Record<string, unknown> | null>);
  const vector = all.filter(([, it]) => it?.['type'] === 'vector').slice(0, maxSources);
  if (vector.length === 0) throw new MapFileError(causeOf('map_source.no_streets'));
  let refusal: unknown;
  for (const [id, source] of vector) {
    try {
      // Of tiles that a style holds itself, only its layers say what is in them.
      const inline = { ...source, vector_layers: source?.['vector_layers'] ?? layersUsed(json, id) };
      if (Array.isArray(source?.['tiles'])) return tileSetOf(inline, url);
      const linked = linkedUrl(id, source?.['url'], url);
      return tileSetOf(await readJson(linked, get), linked);
    } catch (error) {
      refusal ??= error;
    }
  }
  throw refusal;
}

/** Where the TileJSON of a style's source is. */
function linkedUrl(source: string, link: unknown, from: URL): URL {
  if (typeof link !== 'string') throw new MapFileError(causeOf('map_source.no_url', { source }));
  const url = URL.parse(link, from.href);
  if (url === null) throw new MapFileError(causeOf('map_source.bad_url', { source, url: link }));
  if (url.protocol === 'https:' || url.protocol === 'http:') return url;
  throw new MapFileError(causeOf('map_source.link', { source, protocol: url.protocol }));
}

/** The layers of a source's tiles that the layers of a style draw, as a TileJSON would list them. */
function layersUsed(style: Record<string, unknown>, source: string): { id: unknown }[] {
  const layers = Array.isArray(style['layers'])
    ? (style['layers'] as (Record<string, unknown> | null)[])
    : [];
  return layers.filter((it) => it?.['source'] === source).map((it) => ({ id: it?.['source-layer'] }));
}

/** github.com/mapbox/tilejson-spec, 3.0.0 */
function tileSetOf(
  json: Record<string, unknown>,
  from: URL,
): { tiles: string; about: Omit<OnlineMapAbout, 'name'> } {
  const [first] = Array.isArray(json['tiles']) ? (json['tiles'] as unknown[]) : [];
  if (typeof first !== 'string') throw new MapFileError(causeOf('map_source.no_tile_urls'));
  // Braces are no letters of an address: they are put back.
  const address = URL.parse(first.slice(0, 2_000), from.href);
  const absolute = address?.href.replaceAll(/%7B/gi, '{').replaceAll(/%7D/gi, '}') ?? '';
  const template = json['scheme'] === 'tms' ? absolute.replace('{y}', '{-y}') : absolute;
  const wrong = templateError(template);
  if (wrong !== null) throw new MapFileError(causeOf('map_source.address'), wrong);
  const zoomOf = (value: unknown, usual: number) =>
    typeof value === 'number' && value >= 0 ? Math.min(24, Math.floor(value)) : usual;
  const [min_zoom, max_zoom] = [zoomOf(json['minzoom'], 0), zoomOf(json['maxzoom'], usualMaxZoom.streets)];
  if (min_zoom > max_zoom) throw new MapFileError(causeOf('map_file.zooms'));
  return {
    tiles: template,
    about: {
      ...{ kind: 'streets', schema: schemaOf(layersIn(json)), area: areaOf(json['bounds']) },
      ...{ min_zoom, max_zoom, licence: plainText(json['attribution']) },
    },
  };
}

function areaOf(bounds: unknown): MapArea {
  if (!Array.isArray(bounds) || bounds.length !== 4) return world;
  const [west, south, east, north] = bounds.map(Number) as [number, number, number, number];
  return checkedArea(Math.max(-180, west), Math.max(-90, south), Math.min(180, east), Math.min(90, north));
}

async function readJson(url: URL, get: OutgoingGet['get']): Promise<Record<string, unknown>> {
  const { status, body } = await get({
    url,
    headers: { Accept: 'application/json' },
    maxBytes: maxJsonBytes,
  });
  if (status !== 200) throw new OutgoingError(causeOf('outgoing.answered', { status: String(status) }));
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    if (typeof json === 'object' && json !== null) return json as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new MapFileError(causeOf('map_source.no_json'));
}

/** @throws ApiError 400 of what is not called */
function checkedUrl(field: string, written: string, isTemplate: boolean): URL {
  const wrong = isTemplate ? templateError(written) : null;
  if (wrong !== null) throw invalid(field, wrong);
  const url = URL.parse(written);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalid(field, 'is not an address that begins with http:// or https://', 'format');
  }
  if (url.username !== '' || url.password !== '') throw invalid(field, causeOf('address.credentials'));
  const fault = urlError(written, url);
  if (fault !== null) throw invalid(field, fault);
  return url;
}

/** What is wrong with a template, as `has no {x}`; null: nothing. */
function templateError(template: string): Cause | null {
  const [, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(template) ?? [];
  if (host.includes('{')) return causeOf('map_source.placeholder_in_host');
  const names = new Set(Array.from(template.matchAll(/\{([^{}]*)\}/g), ([, name]) => name ?? ''));
  const unknown = [...names].find((it) => !['z', 'x', 'y', '-y'].includes(it));
  if (unknown !== undefined)
    return causeOf('map_source.placeholder', { placeholder: `{${unknown.slice(0, 20)}}` });
  const lacking = !names.has('z') ? '{z}' : !names.has('x') ? '{x}' : '{y}';
  return lacking !== '{y}' || names.has('y') === names.has('-y')
    ? causeOf('map_source.no_placeholder', { placeholder: lacking })
    : null;
}

/** @param template as `templateError` lets it pass */
export function tileUrl(template: string, z: number, x: number, y: number): URL {
  const filled = { z, x, y, '-y': 2 ** z - 1 - y };
  return new URL(
    template.replaceAll(/\{(z|x|y|-y)\}/g, (_, name: keyof typeof filled) => String(filled[name])),
  );
}
