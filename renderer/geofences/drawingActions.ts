import type { Geofence } from '../../server/contract/geofences.ts';
import type { Desk } from '../desk/desk.ts';
import { toDrawnShape } from '../live/mapGeofences.ts';
import type { DrawingCallbacks } from '../map/drawing/geofenceDrawing.ts';
import type { DrawnShape } from '../map/drawing/drawnShape.ts';

/** Begins a new geofence on the map; the panel beside it takes its name and its limits. */
export function startDrawing(desk: Desk, shape: DrawnShape['shape']): void {
  const map = desk.map.current();
  if (map === null) return;
  const callbacks = callbacksOf(desk);
  map.drawing.draw(shape, callbacks);
  desk.view.setState({ fenceEdit: { kind: 'new', shape, drawn: null, sizes: null }, geozoneId: null });
}

/** Takes an existing geofence in hand; one of several parts keeps its shape, its other fields can be changed. */
export function startEditing(desk: Desk, fence: Geofence): void {
  const map = desk.map.current();
  const drawn = toDrawnShape(fence);
  if (map === null) return;
  desk.view.setState({
    fenceEdit: { kind: 'change', geozoneId: fence.geozone_id, drawn, sizes: null },
    geozoneId: fence.geozone_id,
  });
  if (drawn === null) return;
  try {
    map.drawing.edit(drawn, callbacksOf(desk), fence.geozone_id);
  } catch (error) {
    // The map says which shapes no hand can edit; name and limits still can be.
    if (!(error instanceof RangeError)) throw error;
  }
}

/** Takes up the shape again after Enter ended the drawing on the map, so that corners can still be moved. */
function goOn(desk: Desk, drawn: DrawnShape): void {
  const edit = desk.view.getState().fenceEdit;
  desk.map
    .current()
    ?.drawing.edit(drawn, callbacksOf(desk), edit?.kind === 'change' ? edit.geozoneId : undefined);
}

/** Ends the drawing and cleans the map, saved or not. */
export function endDrawing(desk: Desk): void {
  desk.view.setState({ fenceEdit: null });
  desk.map.current()?.drawing.stop();
}

function callbacksOf(desk: Desk): DrawingCallbacks {
  return {
    onChange(drawn, sizes) {
      const { fenceEdit } = desk.view.getState();
      if (fenceEdit !== null) desk.view.setState({ fenceEdit: { ...fenceEdit, drawn, sizes } });
    },
    onFinish(drawn) {
      const { fenceEdit } = desk.view.getState();
      if (fenceEdit === null) return;
      desk.view.setState({ fenceEdit: { ...fenceEdit, drawn } });
      goOn(desk, drawn);
    },
    onCancel() {
      desk.view.setState({ fenceEdit: null });
    },
  };
}
