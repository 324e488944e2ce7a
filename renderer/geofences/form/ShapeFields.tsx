import { Circle, Pentagon, Spline } from 'lucide-react';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import type { Translate } from '../../i18n/text.ts';
import { keptFromForm, shownInForm } from '../../format/units.ts';
import { useT } from '../../i18n/useT.ts';
import { drawnFields } from '../../live/mapGeofences.ts';
import { SegmentedControl } from '../../ui/Segments.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { placeShape, resizeShape, startDrawing, typeInto } from '../drawingActions.ts';
import { formatMeasure } from '../geofenceLabels.ts';
import { frameGeofence } from '../frameGeofence.ts';
import { numberOf } from './geofenceDraft.ts';
import { shapeOf, type GeofenceEdit } from './geofenceEdit.ts';
import { type DrawnShape, isComplete } from '../../map/drawing/drawnShape.ts';

const ICONS = { polygon: Pentagon, circle: Circle, line: Spline };
/** As the map draws a new one. */
const LINE_WIDTH_M = 100;

/** The shape of a geofence in hand: which one, how large, and its corners for who types them. */
export function ShapeFields({
  edit,
  faultOf,
}: {
  edit: GeofenceEdit;
  faultOf: (field: string) => string | null;
}) {
  const app = useAppContext();
  const t = useT();
  const { form, drawn } = edit;
  const shape = shapeOf(edit);
  const isParts = edit.kind === 'change' && edit.base.geometry.type === 'MultiPolygon';
  const known = drawn === null ? null : sizeOf(drawn);
  const shownSize = form.size ?? (known === null ? '' : shownInForm('size_m', known));
  const shownCorners = form.corners ?? (drawn === null ? '' : formatCorners(drawn));
  const sizeM =
    shownSize === '' && shape === 'line' ? LINE_WIDTH_M : keptFromForm('size_m', numberOf(shownSize), known);
  const holes = drawn?.shape === 'polygon' ? drawn.geometry.coordinates.slice(1) : [];

  const place = (corners: string, size: number) => {
    const read = readShape(shape, corners, size, holes);
    if ('shape' in read) placeShape(app, read);
  };
  const typeSize = (size: string) => {
    const nextM = keptFromForm('size_m', numberOf(size));
    const map = app.map.drawing();
    if (nextM >= 1) {
      if (map?.drawing.isActive() === true && form.corners === null) resizeShape(app, nextM);
      else place(shownCorners, nextM);
    }
    typeInto(app, { size });
  };
  const typeCorners = (corners: string) => {
    place(corners, sizeM);
    typeInto(app, { corners });
  };
  const frame = () => {
    const map = app.map.drawing();
    if (map !== null && drawn !== null && form.corners !== null) frameGeofence(map, drawnFields(drawn));
  };

  return (
    <>
      {edit.kind === 'new' && (
        <SegmentedControl
          label={t('geofence.shape')}
          options={(['polygon', 'circle', 'line'] as const).map((id) => ({
            id,
            label: t(`geofence.shape.${id}`),
            icon: ICONS[id],
          }))}
          value={shape}
          onChange={(chosen) => startDrawing(app, chosen)}
        />
      )}
      <p className="quiet geofence-panel__how">{formatHint(edit, t)}</p>
      {shape !== 'polygon' && (
        <TextField
          label={t(shape === 'circle' ? 'geofence.radius' : 'geofence.width')}
          numeric
          value={shownSize}
          onChange={typeSize}
          fault={faultOf(shape === 'circle' ? 'radius_m' : 'width_m')}
          maxLength={9}
        />
      )}
      {!isParts && (
        <details className="geofence-panel__more" onBlur={frame}>
          <summary>{t(shape === 'circle' ? 'geofence.type_centre' : 'geofence.type_corners')}</summary>
          <TextField
            label={t(shape === 'circle' ? 'geofence.centre' : 'geofence.corners')}
            hint={t(shape === 'circle' ? 'geofence.centre_hint' : 'geofence.corners_hint')}
            multiline
            placeholder={t('geofence.corners_example')}
            value={shownCorners}
            onChange={typeCorners}
            fault={cornersFault(form.corners, shape, sizeM, t)}
          />
        </details>
      )}
    </>
  );
}

function formatHint(edit: GeofenceEdit, t: Translate): string {
  if (edit.sizes !== null) return formatMeasure(edit.sizes, t);
  if (edit.kind === 'new') return t(`geofence.how.${edit.shape}`);
  return t(edit.drawn === null ? 'geofence.how.parts' : 'geofence.how.change');
}

function cornersFault(
  typed: string | null,
  shape: ReturnType<typeof shapeOf>,
  sizeM: number,
  t: Translate,
): string | null {
  if (typed === null || typed.trim() === '') return null;
  const read = readShape(shape, typed, sizeM);
  if ('shape' in read) return null;
  return formatFault(read, shape, sizeM, t);
}

function formatFault(
  fault: CornersFault,
  shape: ReturnType<typeof shapeOf>,
  sizeM: number,
  t: Translate,
): string {
  if (fault.kind === 'line') return t('geofence.corners_line', { line: fault.line });
  if (shape === 'circle' && !(sizeM >= 1)) return t('geofence.radius_needed');
  return t(`geofence.corners_few.${shape}`);
}

/** A place as a hand types it: 52.52, 13.405 or 52.52 13.405; latitude first. */
const PLACE = /^([-−]?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*([-−]?\d{1,3}(?:\.\d+)?)$/;

/** What is wrong with typed corners: the line (from 1) that is no place, or that they are too few. */
type CornersFault = { kind: 'line'; line: number } | { kind: 'few' };

/** Reads one corner to a line, `lat, lon`. Positions come in GeoJSON order. */
export function readCorners(text: string): GeoJSON.Position[] | CornersFault {
  const places: GeoJSON.Position[] = [];
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '') continue;
    const hit = PLACE.exec(line);
    const [lat, lon] = [numberOf(hit?.[1] ?? ''), numberOf(hit?.[2] ?? '')];
    if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return { kind: 'line', line: at + 1 };
    places.push([lon, lat]);
  }
  return places;
}

/**
 * The shape that typed corners and a typed size (radius or width, metres) make. `holes` are kept inside of a polygon;
 * its ring need not be closed.
 */
export function readShape(
  shape: DrawnShape['shape'],
  corners: string,
  sizeM: number,
  holes: readonly GeoJSON.Position[][] = [],
): DrawnShape | CornersFault {
  const places = readCorners(corners);
  if (!Array.isArray(places)) return places;
  const drawn = shapeFrom(shape, places, sizeM, holes);
  return drawn !== null && isComplete(drawn) ? drawn : { kind: 'few' };
}

function shapeFrom(
  shape: DrawnShape['shape'],
  places: GeoJSON.Position[],
  sizeM: number,
  holes: readonly GeoJSON.Position[][],
): DrawnShape | null {
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return null;
  if (shape === 'polygon') {
    const isClosed = first[0] === last[0] && first[1] === last[1];
    const ring = isClosed && places.length > 1 ? places : [...places, first];
    return { shape, geometry: { type: 'Polygon', coordinates: [ring, ...holes] } };
  }
  if (!(sizeM >= 1)) return null;
  if (shape === 'line')
    return { shape, geometry: { type: 'LineString', coordinates: places }, width_m: sizeM };
  return places.length === 1
    ? { shape, geometry: { type: 'Point', coordinates: first }, radius_m: sizeM }
    : null;
}

/** The corners of a shape, one to a line; without the closing one, and without the holes of a polygon. */
export function formatCorners(drawn: DrawnShape): string {
  switch (drawn.shape) {
    case 'circle':
      return formatPlace(drawn.geometry.coordinates);
    case 'line':
      return drawn.geometry.coordinates.map(formatPlace).join('\n');
    case 'polygon':
      return (drawn.geometry.coordinates[0] ?? []).slice(0, -1).map(formatPlace).join('\n');
  }
}

const formatPlace = ([lon = 0, lat = 0]: GeoJSON.Position): string =>
  `${formatDegrees(lat)}, ${formatDegrees(lon)}`;

/** To a centimetre, never with an exponent. */
const formatDegrees = (degrees: number): string => degrees.toFixed(7).replace(/\.?0+$/, '');

/** Radius or width, metres; null for a polygon. */
export function sizeOf(drawn: DrawnShape): number | null {
  return drawn.shape === 'polygon' ? null : drawn.shape === 'circle' ? drawn.radius_m : drawn.width_m;
}
