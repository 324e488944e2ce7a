import type { Geofence } from '../../server/contract/geofences.ts';
import type { Desk } from '../desk/desk.ts';
import { toDrawnShape } from '../live/mapGeofences.ts';
import type { DrawingCallbacks } from '../map/drawing/geofenceDrawing.ts';
import { measure, type DrawnShape } from '../map/drawing/drawnShape.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { isTouched } from './form/fenceDraft.ts';
import { emptyForm, formOf, type FenceForm } from './form/fenceEdit.ts';

/** Begins a new geofence on the map, or begins its shape anew; what was typed into its form stays. */
export function startDrawing(desk: Desk, shape: DrawnShape['shape']): void {
  const map = desk.map.current();
  if (map === null) return;
  const { fenceEdit } = desk.view.getState();
  const form = fenceEdit?.kind === 'new' ? { ...fenceEdit.form, corners: null, size: null } : emptyForm;
  map.drawing.stop();
  map.drawing.draw(shape, callbacksOf(desk));
  desk.view.setState({ fenceEdit: { kind: 'new', shape, drawn: null, sizes: null, form }, geozoneId: null });
}

/** Takes an existing geofence in hand; one of several parts keeps its shape, its other fields can be changed. */
export function startEditing(desk: Desk, fence: Geofence, form: FenceForm = formOf(fence)): void {
  const map = desk.map.current();
  if (map === null) return;
  const drawn = toDrawnShape(fence);
  desk.view.setState({
    fenceEdit: {
      kind: 'change',
      geozoneId: fence.geozone_id,
      base: fence,
      drawn,
      sizes: drawn === null ? null : measure(drawn),
      form,
    },
    geozoneId: fence.geozone_id,
  });
  if (drawn !== null) takeInHand(desk, map, drawn);
}

/** Goes on with a geofence that was in hand when its map was left. */
export function resumeDrawing(desk: Desk, map: ConsoleMap): void {
  const { fenceEdit } = desk.view.getState();
  if (fenceEdit === null) return;
  if (fenceEdit.drawn !== null) takeInHand(desk, map, fenceEdit.drawn);
  else if (fenceEdit.kind === 'new') map.drawing.draw(fenceEdit.shape, callbacksOf(desk));
}

/** Puts a typed shape in place of the drawn one. */
export function placeShape(desk: Desk, drawn: DrawnShape): void {
  const { fenceEdit } = desk.view.getState();
  const map = desk.map.current();
  if (fenceEdit === null) return;
  desk.view.setState({ fenceEdit: { ...fenceEdit, drawn, sizes: measure(drawn) } });
  if (map !== null) takeInHand(desk, map, drawn);
}

/** Selects a geofence, unless one is in hand of which something would be lost. */
export function openFence(desk: Desk, geozoneId: string): void {
  const { fenceEdit } = desk.view.getState();
  if (fenceEdit !== null && isTouched(fenceEdit)) return;
  if (fenceEdit !== null) endDrawing(desk);
  desk.view.setState({ geozoneId });
}

/** Changes what is typed. */
export function typeInto(desk: Desk, typed: Partial<FenceForm>): void {
  const { fenceEdit } = desk.view.getState();
  if (fenceEdit !== null)
    desk.view.setState({ fenceEdit: { ...fenceEdit, form: { ...fenceEdit.form, ...typed } } });
}

/** Ends the drawing and cleans the map, saved or not. */
export function endDrawing(desk: Desk): void {
  desk.view.setState({ fenceEdit: null });
  desk.map.current()?.drawing.stop();
}

function takeInHand(desk: Desk, map: ConsoleMap, drawn: DrawnShape): void {
  const { fenceEdit } = desk.view.getState();
  map.drawing.stop();
  try {
    map.drawing.edit(
      drawn,
      callbacksOf(desk),
      fenceEdit?.kind === 'change' ? fenceEdit.geozoneId : undefined,
    );
  } catch (error) {
    // The map says which shapes no hand can edit; they can still be typed, and their other fields changed.
    if (!(error instanceof RangeError)) throw error;
    map.drawing.stop();
  }
}

function callbacksOf(desk: Desk): DrawingCallbacks {
  const take = (drawn: DrawnShape | null) => {
    const { fenceEdit } = desk.view.getState();
    if (fenceEdit === null) return;
    // A tool that is taken in hand may tell of the shape that it was given: what is being typed stays as it is.
    const isSame = JSON.stringify(drawn) === JSON.stringify(fenceEdit.drawn);
    const form = isSame ? fenceEdit.form : { ...fenceEdit.form, corners: null, size: null };
    desk.view.setState({ fenceEdit: { ...fenceEdit, drawn, form } });
  };
  return {
    onChange(drawn, sizes) {
      take(drawn);
      const { fenceEdit } = desk.view.getState();
      if (fenceEdit !== null) desk.view.setState({ fenceEdit: { ...fenceEdit, sizes } });
    },
    onFinish(drawn) {
      take(drawn);
      const map = desk.map.current();
      // Corners can still be moved after Enter.
      if (map !== null && desk.view.getState().fenceEdit !== null) takeInHand(desk, map, drawn);
    },
    onCancel() {
      desk.view.setState({ fenceEdit: null });
    },
  };
}
