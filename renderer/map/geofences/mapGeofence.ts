/** A geofence as the API shows it, as far as the map draws it. Geometries in GeoJSON order (lon, lat). */
export interface MapGeofence {
  id: string;
  /** Its area and its label are computed once for each. */
  version: number;
  name: string;
  shape: 'polygon' | 'circle' | 'line';
  /** Polygon or MultiPolygon; Point of a circle; LineString of a line. */
  geometry: GeoJSON.Polygon | GeoJSON.MultiPolygon | GeoJSON.Point | GeoJSON.LineString;
  /** Of a circle. */
  radius_m?: number;
  /** Of a line: the full width. */
  width_m?: number;
  color?: string | null;
}
