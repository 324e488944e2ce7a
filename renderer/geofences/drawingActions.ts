import type { Geofence } from '../../server/contract/geofences.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { toDrawnShape } from '../live/mapGeofences.ts';
import type { DrawingCallbacks } from '../map/drawing/geofenceDrawing.ts';
import { measure, type DrawnShape } from '../map/drawing/drawnShape.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { isTouched } from './form/geofenceDraft.ts';
import { emptyForm, formOf, type GeofenceForm } from './form/geofenceEdit.ts';

/** Begins a new geofence on the map, or begins its shape anew; what was typed into its form stays. */
export function startDrawing(app: AppContext, shape: DrawnShape['shape']): void {
  const map = app.map.current();
  if (map === null) return;
  const { geofenceEdit } = app.view.getState();
  const form = geofenceEdit?.kind === 'new' ? { ...geofenceEdit.form, corners: null, size: null } : emptyForm;
  map.drawing.stop();
  map.drawing.draw(shape, callbacksOf(app));
  app.view.setState({
    geofenceEdit: { kind: 'new', shape, drawn: null, sizes: null, form },
    geozoneId: null,
  });
}

/** Takes an existing geofence in hand; one of several parts keeps its shape, its other fields can be changed. */
export function startEditing(
  app: AppContext,
  geofence: Geofence,
  form: GeofenceForm = formOf(geofence),
): void {
  const map = app.map.current();
  if (map === null) return;
  const drawn = toDrawnShape(geofence);
  app.view.setState({
    geofenceEdit: {
      kind: 'change',
      geozoneId: geofence.geozone_id,
      base: geofence,
      drawn,
      sizes: drawn === null ? null : measure(drawn),
      form,
    },
    geozoneId: geofence.geozone_id,
  });
  if (drawn !== null) startEditSession(app, map, drawn);
}

/** Goes on with a geofence that was in hand when its map was left. */
export function resumeDrawing(app: AppContext, map: ConsoleMap): void {
  const { geofenceEdit } = app.view.getState();
  if (geofenceEdit === null) return;
  if (geofenceEdit.drawn !== null) startEditSession(app, map, geofenceEdit.drawn);
  else if (geofenceEdit.kind === 'new') map.drawing.draw(geofenceEdit.shape, callbacksOf(app));
}

/** Puts a typed shape in place of the drawn one. */
export function placeShape(app: AppContext, drawn: DrawnShape): void {
  const { geofenceEdit } = app.view.getState();
  const map = app.map.current();
  if (geofenceEdit === null) return;
  app.view.setState({ geofenceEdit: { ...geofenceEdit, drawn, sizes: measure(drawn) } });
  if (map !== null) startEditSession(app, map, drawn);
}

/** Selects a geofence, unless one is in hand of which something would be lost. */
export function openGeofence(app: AppContext, geozoneId: string): void {
  const { geofenceEdit } = app.view.getState();
  if (geofenceEdit !== null && isTouched(geofenceEdit)) return;
  if (geofenceEdit !== null) endDrawing(app);
  app.view.setState({ geozoneId });
}

/** Changes what is typed. */
export function typeInto(app: AppContext, typed: Partial<GeofenceForm>): void {
  const { geofenceEdit } = app.view.getState();
  if (geofenceEdit !== null)
    app.view.setState({ geofenceEdit: { ...geofenceEdit, form: { ...geofenceEdit.form, ...typed } } });
}

/** Ends the drawing and cleans the map, saved or not. */
export function endDrawing(app: AppContext): void {
  app.view.setState({ geofenceEdit: null });
  app.map.current()?.drawing.stop();
}

function startEditSession(app: AppContext, map: ConsoleMap, drawn: DrawnShape): void {
  const { geofenceEdit } = app.view.getState();
  map.drawing.stop();
  try {
    map.drawing.edit(
      drawn,
      callbacksOf(app),
      geofenceEdit?.kind === 'change' ? geofenceEdit.geozoneId : undefined,
    );
  } catch (error) {
    // The map says which shapes no hand can edit; they can still be typed, and their other fields changed.
    if (!(error instanceof RangeError)) throw error;
    map.drawing.stop();
  }
}

function callbacksOf(app: AppContext): DrawingCallbacks {
  const take = (drawn: DrawnShape | null) => {
    const { geofenceEdit } = app.view.getState();
    if (geofenceEdit === null) return;
    // A tool may report the shape that it was given when it is selected: what is being typed stays as it is.
    const isSame = JSON.stringify(drawn) === JSON.stringify(geofenceEdit.drawn);
    const form = isSame ? geofenceEdit.form : { ...geofenceEdit.form, corners: null, size: null };
    app.view.setState({ geofenceEdit: { ...geofenceEdit, drawn, form } });
  };
  return {
    onChange(drawn, sizes) {
      take(drawn);
      const { geofenceEdit } = app.view.getState();
      if (geofenceEdit !== null) app.view.setState({ geofenceEdit: { ...geofenceEdit, sizes } });
    },
    onFinish(drawn) {
      take(drawn);
      const map = app.map.current();
      // Corners can still be moved after Enter.
      if (map !== null && app.view.getState().geofenceEdit !== null) startEditSession(app, map, drawn);
    },
    onCancel() {
      app.view.setState({ geofenceEdit: null });
    },
  };
}
