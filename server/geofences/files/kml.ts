import { causeOf } from '../../contract/causeTexts.ts';
import { geofenceLimits } from '../../contract/geofenceGeometry.ts';
import type { Corner } from './antimeridian.ts';
import { FileError, type FileFeature, type FileGeometry } from './feature.ts';
import { checkShapes, named, tooManyCorners } from './geojson.ts';
import { children, parseXml, textOf, withName, type XmlElement } from './xml.ts';

// Own: @tmcw/togeojson 7.1.3 loses corners whose commas have spaces around them, takes a hole that comes first in the file
// for the border, needs a DOM, and bounds nothing.

/**
 * The shapes of a KML 2.2 document (OGC 07-147r2): its Placemarks, in whatever folders and with whatever prefix, in the
 * words of GeoJSON. Names of folders are let go; heights too.
 *
 * @throws FileError with the line for what is not XML, and for what is not KML
 */
export function featuresOfKml(text: string): FileFeature[] {
  const root = parseXml(text);
  if (root.name !== 'kml' && root.name !== 'Placemark') {
    throw new FileError(causeOf('file.wrong_root', { root: `<${root.name}>`, wanted: '<kml>' }));
  }
  const colors = colorsOfStyles(root);
  const read: Tally = { corners: 0, shapes: 0 };
  return withName(root, 'Placemark').flatMap((placemark) => featuresOf(placemark, colors, read));
}

/** What was read so far of a file. */
interface Tally {
  corners: number;
  shapes: number;
}

function featuresOf(placemark: XmlElement, colors: KmlColors, read: Tally): FileFeature[] {
  const own = extendedData(placemark);
  const color = styleColor(placemark, colors);
  const properties: Record<string, unknown> = {
    ...(color === null ? {} : { color }),
    ...own,
    name: textOf(children(placemark, 'name')[0]) ?? own['name'],
  };
  const features = named(geometriesOf(placemark, read), properties);
  read.shapes += features.length;
  checkShapes(read.shapes);
  return features;
}

/** What programs add of their own: `Data` without types, `SimpleData` with a schema, whose types are not asked for. */
function extendedData(placemark: XmlElement): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const extended of children(placemark, 'ExtendedData')) {
    for (const data of withName(extended, 'Data')) {
      const name = data.attributes.get('name');
      if (name !== undefined) found[name] = textOf(children(data, 'value')[0]);
    }
    for (const data of withName(extended, 'SimpleData')) {
      const name = data.attributes.get('name');
      if (name !== undefined) found[name] = textOf(data);
    }
  }
  return found;
}

function geometriesOf(parent: XmlElement, read: Tally): FileGeometry[] {
  return parent.children.flatMap((element): FileGeometry[] => {
    switch (element.name) {
      case 'Point':
        return [{ type: 'Point', coordinates: cornersOf(element, read)[0] }];
      case 'LineString':
        return [{ type: 'LineString', coordinates: cornersOf(element, read) }];
      case 'LinearRing':
        return [polygonOf([cornersOf(element, read)])];
      case 'Polygon':
        return [polygonOf(ringsOf(element, read))];
      case 'MultiGeometry':
        return together(geometriesOf(element, read));
      default:
        return [];
    }
  });
}

/** The border first, whatever comes first in the file. */
function ringsOf(polygon: XmlElement, read: Tally): Corner[][] {
  const borders = [...children(polygon, 'outerBoundaryIs'), ...children(polygon, 'innerBoundaryIs')];
  return borders.flatMap((it) => children(it, 'LinearRing')).map((ring) => cornersOf(ring, read));
}

function polygonOf(rings: Corner[][]): FileGeometry {
  return { type: 'Polygon', coordinates: rings, isShorterWay: true };
}

/** Polygons alone are one geofence of several parts. */
function together(parts: FileGeometry[]): FileGeometry[] {
  if (parts.length < 2 || parts.some((it) => it.type !== 'Polygon' && it.type !== 'MultiPolygon'))
    return parts;
  const polygons = parts.flatMap(({ type, coordinates }) =>
    type === 'MultiPolygon' && Array.isArray(coordinates) ? (coordinates as unknown[]) : [coordinates],
  );
  return [{ type: 'MultiPolygon', coordinates: polygons, isShorterWay: true }];
}

/** `lon,lat,height` with spaces between; some programs also put spaces around the commas. */
function cornersOf(element: XmlElement, read: Tally): Corner[] {
  const corners: Corner[] = [];
  let numbers: number[] = [];
  let isJoined = false;
  function finish(): void {
    if (numbers.length === 0) return;
    const [lon = Number.NaN, lat = Number.NaN] = numbers;
    corners.push([lon, lat]);
    read.corners += 1;
    if (read.corners > geofenceLimits.fileCorners) throw tooManyCorners(read.corners);
    numbers = [];
  }
  for (const [word] of (textOf(children(element, 'coordinates')[0]) ?? '').matchAll(/[^\s,]+|,/g)) {
    if (word === ',') {
      // Nothing between two commas is no number.
      if (isJoined) numbers.push(Number.NaN);
      isJoined = true;
      continue;
    }
    if (!isJoined) finish();
    numbers.push(Number(word));
    isJoined = false;
  }
  finish();
  return corners;
}

/** The colours (`#rrggbb`) of the styles that a document shares, by their ids. */
type KmlColors = ReadonlyMap<string, string>;

function colorsOfStyles(root: XmlElement): KmlColors {
  const colors = new Map<string, string>();
  for (const style of withName(root, 'Style')) {
    const [id, color] = [style.attributes.get('id'), colorOf(style)];
    if (id !== undefined && color !== null) colors.set(id, color);
  }
  // How it looks while nobody points at it; these refer to the styles above.
  for (const map of withName(root, 'StyleMap')) {
    const id = map.attributes.get('id');
    const normal = children(map, 'Pair').find((it) => textOf(children(it, 'key')[0]) === 'normal');
    const color = normal === undefined ? null : styleColor(normal, colors);
    if (id !== undefined && color !== null) colors.set(id, color);
  }
  return colors;
}

/** Of what holds a style of its own, or names a shared one; null when it has no colour. */
function styleColor(holder: XmlElement, colors: KmlColors): string | null {
  for (const style of children(holder, 'Style')) {
    const color = colorOf(style);
    if (color !== null) return color;
  }
  const url = textOf(children(holder, 'styleUrl')[0]);
  return url === null ? null : (colors.get(url.slice(url.indexOf('#') + 1)) ?? null);
}

/** The filling's colour if it is filled, else that of the border, else that of the pin. */
function colorOf(style: XmlElement): string | null {
  const [poly] = children(style, 'PolyStyle');
  const isFilled = poly !== undefined && textOf(children(poly, 'fill')[0]) !== '0';
  const parts = [
    isFilled ? poly : undefined,
    children(style, 'LineStyle')[0],
    children(style, 'IconStyle')[0],
  ];
  for (const part of parts) {
    const color = part === undefined ? null : colorOfKml(textOf(children(part, 'color')[0]));
    if (color !== null) return color;
  }
  return null;
}

/** KML writes alpha, blue, green, red. */
function colorOfKml(text: string | null): string | null {
  const digits = /^#?[0-9a-f]{2}([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? '');
  return digits === null ? null : `#${digits[3] ?? ''}${digits[2] ?? ''}${digits[1] ?? ''}`.toLowerCase();
}
