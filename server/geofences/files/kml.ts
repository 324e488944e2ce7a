import type { Element } from '@xmldom/xmldom';
import { splitAtAntimeridian, type Corner } from './antimeridian.ts';
import { FileFault, type FileFeature, type FileGeometry } from './feature.ts';
import { named } from './geojson.ts';
import { colorsOfStyles, styleColor, type KmlColors } from './kmlStyles.ts';
import { children, parseXml, textOf, withName } from './xml.ts';

/**
 * The shapes of a KML 2.2 document (OGC 07-147r2): its Placemarks, in whatever folders and with whatever prefix, in the
 * words of GeoJSON. Names of folders are let go; heights too.
 *
 * @throws FileFault with the line for what is not XML, and for what is not KML
 */
export function featuresOfKml(text: string): FileFeature[] {
  const root = parseXml(text);
  if (root.localName !== 'kml' && root.localName !== 'Placemark') {
    throw new FileFault(`its root is <${root.nodeName}>, not <kml>`);
  }
  const colors = colorsOfStyles(root);
  return withName(root, 'Placemark').flatMap((placemark) => featuresOf(placemark, colors));
}

function featuresOf(placemark: Element, colors: KmlColors): FileFeature[] {
  const own = extendedData(placemark);
  const color = styleColor(placemark, colors);
  const properties: Record<string, unknown> = {
    ...(color === null ? {} : { color }),
    ...own,
    name: textOf(children(placemark, 'name')[0]) ?? own['name'],
  };
  return named(geometriesOf(placemark), properties);
}

/** What programs add of their own: `Data` without types, `SimpleData` with a schema, whose types are not asked for. */
function extendedData(placemark: Element): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const extended of children(placemark, 'ExtendedData')) {
    for (const data of withName(extended, 'Data')) {
      const name = data.getAttribute('name');
      if (name !== null) found[name] = textOf(children(data, 'value')[0]);
    }
    for (const data of withName(extended, 'SimpleData')) {
      const name = data.getAttribute('name');
      if (name !== null) found[name] = textOf(data);
    }
  }
  return found;
}

function geometriesOf(parent: Element): FileGeometry[] {
  return children(parent).flatMap((element): FileGeometry[] => {
    switch (element.localName) {
      case 'Point':
        return [{ type: 'Point', coordinates: cornersOf(element)[0] }];
      case 'LineString':
        return [{ type: 'LineString', coordinates: cornersOf(element) }];
      case 'LinearRing':
        return [polygonOf([closed(cornersOf(element))])];
      case 'Polygon':
        return [polygonOf(ringsOf(element))];
      case 'MultiGeometry':
        return together(geometriesOf(element));
      default:
        return [];
    }
  });
}

/** The border first, whatever comes first in the file. */
function ringsOf(polygon: Element): Corner[][] {
  const borders = [...children(polygon, 'outerBoundaryIs'), ...children(polygon, 'innerBoundaryIs')];
  return borders.flatMap((it) => children(it, 'LinearRing')).map((ring) => closed(cornersOf(ring)));
}

function polygonOf(rings: readonly Corner[][]): FileGeometry {
  const parts = splitAtAntimeridian(rings, true);
  const [first] = parts;
  return parts.length > 1
    ? { type: 'MultiPolygon', coordinates: parts }
    : { type: 'Polygon', coordinates: first ?? [] };
}

/** Polygons alone are one geofence of several parts. */
function together(parts: FileGeometry[]): FileGeometry[] {
  if (parts.length < 2 || parts.some((it) => it.type !== 'Polygon' && it.type !== 'MultiPolygon'))
    return parts;
  const polygons = parts.flatMap(({ type, coordinates }) =>
    type === 'MultiPolygon' && Array.isArray(coordinates) ? (coordinates as unknown[]) : [coordinates],
  );
  return [{ type: 'MultiPolygon', coordinates: polygons }];
}

/** `lon,lat,height` with spaces between; some programs also put spaces behind the commas. */
function cornersOf(element: Element): Corner[] {
  const text = textOf(children(element, 'coordinates')[0]) ?? '';
  return text
    .replaceAll(/\s*,\s*/g, ',')
    .split(/\s+/)
    .filter((it) => it !== '')
    .map((it): Corner => {
      const [lon = Number.NaN, lat = Number.NaN] = it.split(',').map(Number);
      return [lon, lat];
    });
}

function closed(ring: Corner[]): Corner[] {
  const [first, last] = [ring[0], ring.at(-1)];
  if (first === undefined || last === undefined) return ring;
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
}
