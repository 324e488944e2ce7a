import type { Geofence } from '../../server/contract/geofences.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { toDrawnShape } from '../live/mapGeofences.ts';
import type { DrawingCallbacks } from '../map/drawing/geofenceDrawing.ts';
import { measure, type DrawnShape } from '../map/drawing/drawnShape.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { isTouched } from './form/geofenceDraft.ts';
import { emptyForm, formOf, type GeofenceEdit, type GeofenceForm } from './form/geofenceEdit.ts';
import { addStep, startHistory, stepBack, stepForward, type ShapeHistory } from './form/shapeHistory.ts';

/**
 * Begins a new geofence on the map, or begins its shape anew; what was typed into its form stays. A map that is not there
 * yet goes on with it when it comes.
 */
export function startDrawing(app: AppContext, shape: DrawnShape['shape']): void {
  const map = app.map.drawing();
  const { geofenceEdit } = app.view.getState();
  const form = geofenceEdit?.kind === 'new' ? { ...geofenceEdit.form, corners: null, size: null } : emptyForm;
  map?.drawing.stop();
  if (map !== null) map.drawing.draw(shape, callbacksOf(app, map));
  app.view.setState({
    geofenceEdit: { kind: 'new', shape, drawn: null, sizes: null, history: startHistory(null), form },
    geozoneId: null,
  });
}

/** Takes an existing geofence in hand; one of several parts keeps its shape, its other fields can be changed. */
export function startEditing(
  app: AppContext,
  geofence: Geofence,
  form: GeofenceForm = formOf(geofence),
): void {
  const map = app.map.drawing();
  if (map === null) return;
  const drawn = toDrawnShape(geofence);
  app.view.setState({
    geofenceEdit: {
      kind: 'change',
      geozoneId: geofence.geozone_id,
      base: geofence,
      drawn,
      sizes: drawn === null ? null : measure(drawn),
      history: startHistory(drawn),
      form,
    },
    geozoneId: geofence.geozone_id,
  });
  if (drawn !== null) startEditSession(app, map, drawn);
}

/** Goes on with a geofence that was in hand when its map was left, or before it was there. */
export function resumeDrawing(app: AppContext, map: ConsoleMap): void {
  const { geofenceEdit } = app.view.getState();
  if (geofenceEdit === null) return;
  if (geofenceEdit.drawn !== null) startEditSession(app, map, geofenceEdit.drawn);
  else if (geofenceEdit.kind === 'new') map.drawing.draw(geofenceEdit.shape, callbacksOf(app, map));
}

/** Puts a typed shape in place of the drawn one. */
export function placeShape(app: AppContext, drawn: DrawnShape): void {
  const { geofenceEdit } = app.view.getState();
  const map = app.map.drawing();
  if (geofenceEdit === null) return;
  const history = addStep(geofenceEdit.history, drawn, 'corners');
  app.view.setState({ geofenceEdit: { ...geofenceEdit, drawn, sizes: measure(drawn), history } });
  if (map !== null) startEditSession(app, map, drawn);
}

/** A typed radius or width is a step, as the pointer's moves are. */
export function resizeShape(app: AppContext, sizeM: number): void {
  app.map.drawing()?.drawing.setSizeM(sizeM);
  noteStep(app, 'size');
}

/** What is drawn as it was one step before: a corner of a shape that is not finished, else the whole shape. */
export function undoDrawing(app: AppContext): void {
  if (app.map.drawing()?.drawing.undo() === true) return;
  const { geofenceEdit } = app.view.getState();
  if (geofenceEdit !== null) showStep(app, stepBack(historyOf(geofenceEdit)));
}

export function redoDrawing(app: AppContext): void {
  if (app.map.drawing()?.drawing.redo() === true) return;
  const { geofenceEdit } = app.view.getState();
  if (geofenceEdit !== null) showStep(app, stepForward(historyOf(geofenceEdit)));
}

/** `sizes` are there as soon as one corner is. */
export const canUndo = (edit: GeofenceEdit): boolean =>
  historyOf(edit).past.length > 0 || (edit.history.present === null && edit.sizes !== null);

export const canRedo = (app: AppContext, edit: GeofenceEdit): boolean =>
  app.map.drawing()?.drawing.canRedo() === true || historyOf(edit).future.length > 0;

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

/** Ends the drawing, after a question where something that was drawn or typed would be lost. */
export function leaveDrawing(app: AppContext): void {
  const { geofenceEdit } = app.view.getState();
  const hasBegun = geofenceEdit?.kind === 'new' && geofenceEdit.sizes !== null;
  if (geofenceEdit !== null && (hasBegun || isTouched(geofenceEdit)))
    app.view.setState({ overlay: 'discard_drawing' });
  else endDrawing(app);
}

/** Ends the drawing and cleans the map, saved or not. */
export function endDrawing(app: AppContext): void {
  app.view.setState({ geofenceEdit: null });
  app.map.drawing()?.drawing.stop();
}

/** With what is drawn as its last step, unless it is still being drawn for the first time. */
const historyOf = ({ history, drawn }: GeofenceEdit): ShapeHistory =>
  drawn === null || history.present === null ? history : addStep(history, drawn, 'pointer');

function noteStep(app: AppContext, cause: 'pointer' | 'size'): void {
  const { geofenceEdit } = app.view.getState();
  if (geofenceEdit === null || geofenceEdit.drawn === null) return;
  const history = addStep(geofenceEdit.history, geofenceEdit.drawn, cause);
  app.view.setState({ geofenceEdit: { ...geofenceEdit, history } });
}

/** Puts the shape of a step in hand; texts of the shape that are being typed give way to it. */
function showStep(app: AppContext, history: ShapeHistory | null): void {
  const { geofenceEdit } = app.view.getState();
  const map = app.map.drawing();
  if (geofenceEdit === null || history === null || map === null) return;
  const { present: drawn } = history;
  const form = { ...geofenceEdit.form, corners: null, size: null };
  const sizes = drawn === null ? null : measure(drawn);
  app.view.setState({ geofenceEdit: { ...geofenceEdit, drawn, sizes, history, form } });
  if (drawn !== null) startEditSession(app, map, drawn);
  else if (geofenceEdit.kind === 'new') {
    map.drawing.stop();
    map.drawing.draw(geofenceEdit.shape, callbacksOf(app, map));
  }
}

function startEditSession(app: AppContext, map: ConsoleMap, drawn: DrawnShape): void {
  const { geofenceEdit } = app.view.getState();
  map.drawing.stop();
  // A shape that no hand can edit can still be typed, and its other fields changed.
  map.drawing.edit(
    drawn,
    callbacksOf(app, map),
    geofenceEdit?.kind === 'change' ? geofenceEdit.geozoneId : undefined,
  );
}

function callbacksOf(app: AppContext, map: ConsoleMap): DrawingCallbacks {
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
    onStep: () => noteStep(app, 'pointer'),
    onFinish(drawn) {
      take(drawn);
      noteStep(app, 'pointer');
      // Corners can still be moved after Enter.
      if (app.view.getState().geofenceEdit !== null) startEditSession(app, map, drawn);
    },
    onCancel() {
      app.view.setState({ geofenceEdit: null });
    },
  };
}
