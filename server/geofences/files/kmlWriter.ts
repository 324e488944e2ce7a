import type { Geofence } from '../../contract/geofences.ts';
import type { GeofenceWriter } from './feature.ts';

export const kmlType = 'application/vnd.google-earth.kml+xml';

const head = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Geofences</name>
`;
const tail = '</Document></kml>\n';

/**
 * Geofences as KML 2.2, for other programs to draw. What those know nothing of stands in `ExtendedData`, so that read
 * back the geofences are the same: circles, which KML does not have, by their centre and radius.
 *
 * @param geofences all that will be written: their colours stand at the beginning
 */
export function kmlWriter(geofences: readonly Pick<Geofence, 'color'>[]): GeofenceWriter {
  const colors = [...new Set(geofences.flatMap(({ color }) => color ?? []))];
  return {
    contentType: kmlType,
    head: [head, ...colors.map(styleOf)].join(''),
    geofence: placemarkOf,
    tail,
  };
}

function styleOf(color: string): string {
  const digits = bgr(color);
  const line = `<LineStyle><color>ff${digits}</color><width>2</width></LineStyle>`;
  return `<Style id="${styleId(color)}">${line}<PolyStyle><color>40${digits}</color></PolyStyle></Style>\n`;
}

function styleId(color: string): string {
  return `color-${color.slice(1)}`;
}

/** KML writes blue, green, red. */
function bgr(color: string): string {
  return `${color.slice(5, 7)}${color.slice(3, 5)}${color.slice(1, 3)}`.toLowerCase();
}

function placemarkOf(geofence: Geofence): string {
  const { geozone_id, name, color } = geofence;
  const style = color === null ? '' : `<styleUrl>#${styleId(color)}</styleUrl>`;
  return `<Placemark id="${geozone_id}"><name>${xml(name)}</name>${style}${dataOf(geofence)}${geometryOf(geofence)}</Placemark>\n`;
}

function dataOf(geofence: Geofence): string {
  const { geozone_id, shape, radius_m, width_m, color, speed_limit_kmh, hysteresis_m } = geofence;
  const { min_inside_s, min_outside_s, schedule, group_ids, geometry } = geofence;
  const values: Record<string, string | number | null> = {
    ...{ geozone_id, shape, radius_m, width_m, color, speed_limit_kmh },
    ...{ hysteresis_m, min_inside_s, min_outside_s },
    center: geometry.type === 'Point' ? geometry.coordinates.join(',') : null,
    schedule: schedule === null ? null : JSON.stringify(schedule),
    group_ids: group_ids.length === 0 ? null : group_ids.join(' '),
  };
  const data = Object.entries(values).map(([key, value]) =>
    value === null ? '' : `<Data name="${key}"><value>${xml(String(value))}</value></Data>`,
  );
  return `<ExtendedData>${data.join('')}</ExtendedData>`;
}

function geometryOf({ geometry, radius_m }: Geofence): string {
  switch (geometry.type) {
    case 'Point':
      return polygonOf([circleRing(geometry.coordinates, radius_m ?? 0)]);
    case 'LineString':
      return `<LineString>${coordinatesOf(geometry.coordinates)}</LineString>`;
    case 'Polygon':
      return polygonOf(geometry.coordinates);
    case 'MultiPolygon':
      return `<MultiGeometry>${geometry.coordinates.map(polygonOf).join('')}</MultiGeometry>`;
  }
}

type Points = readonly (readonly number[])[];

function polygonOf([outer = [], ...holes]: readonly Points[]): string {
  const ring = (points: Points) => `<LinearRing>${coordinatesOf(points)}</LinearRing>`;
  const inner = holes.map((hole) => `<innerBoundaryIs>${ring(hole)}</innerBoundaryIs>`).join('');
  return `<Polygon><outerBoundaryIs>${ring(outer)}</outerBoundaryIs>${inner}</Polygon>`;
}

function coordinatesOf(points: Points): string {
  return `<coordinates>${points.map((it) => it.join(',')).join(' ')}</coordinates>`;
}

/** XML 1.0, section 2.2: what is left out here may not stand in a document, not even escaped. */
const notXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function xml(text: string): string {
  return (
    text
      .replaceAll(notXml, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // Plain ones would be read as a line feed.
      .replaceAll(/[\r\u0085\u2028\u2029]/g, (it) => `&#${it.charCodeAt(0)};`)
  );
}

/** Mean radius of the earth, metres (IUGG). */
const earthRadiusM = 6_371_008.8;
const radians = Math.PI / 180;
/** So many make a circle of 10 km that is nowhere more than 12 m off. */
const corners = 64;

/** A circle as a closed ring of longitudes and latitudes, for what knows no circles. */
function circleRing([lon = 0, lat = 0]: readonly number[], radius_m: number): number[][] {
  const ring = Array.from({ length: corners }, (_, at) => pointAt(lon, lat, (at * 360) / corners, radius_m));
  return [...ring, ...ring.slice(0, 1)];
}

/** So many metres away on a great circle that leaves in a direction; to seven decimals, a centimetre. */
function pointAt(lon: number, lat: number, bearingDeg: number, metres: number): number[] {
  const [phi, theta, delta] = [lat * radians, bearingDeg * radians, metres / earthRadiusM];
  const sin = Math.sin(phi) * Math.cos(delta) + Math.cos(phi) * Math.sin(delta) * Math.cos(theta);
  const east = Math.atan2(
    Math.sin(theta) * Math.sin(delta) * Math.cos(phi),
    Math.cos(delta) - Math.sin(phi) * sin,
  );
  const around = ((((lon + east / radians + 180) % 360) + 360) % 360) - 180;
  return [Number(around.toFixed(7)), Number((Math.asin(sin) / radians).toFixed(7))];
}
