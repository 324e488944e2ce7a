import {
  type GeoJSONStoreFeatures,
  type HexColor,
  TerraDraw,
  TerraDrawLineStringMode,
  TerraDrawModeUndoRedo,
  TerraDrawPolygonMode,
  TerraDrawSelectMode,
  ValidateNotSelfIntersecting,
} from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';
import { corridorRing } from '../geofences/geofenceShapes.ts';
import { type MapStage, NOTHING, geoJsonSource } from '../mapStage.ts';
import { HANDLE_RADIUS_PX, PREVIEW_SOURCE, type DrawingTool, type ToolEvents } from './drawingTool.ts';
import { type DrawnShape, isComplete, roundPosition, tidyLine } from './drawnShape.ts';

type PathShape = Exclude<DrawnShape, { shape: 'circle' }>;

const MODE_OF = { polygon: 'polygon', line: 'linestring' } as const;

/**
 * Draws and edits polygons and lines corner by corner. Corners are dragged, midpoints make new ones, a right click
 * takes one away. Holes of a polygon are kept as they are; only its outer border is edited. Throws a RangeError for a
 * shape that no hand can edit.
 */
export function startPathTool(
  stage: MapStage,
  shape: PathShape['shape'],
  start: PathShape | null,
  lineWidthM: number,
  events: ToolEvents,
): DrawingTool {
  const { map } = stage;
  const colours = coloursOf(stage);
  let widthM = start?.shape === 'line' ? start.width_m : lineWidthM;
  const holes = start?.shape === 'polygon' ? start.geometry.coordinates.slice(1) : [];
  // Keys belong to the drawing as a whole, whatever has the focus.
  const polygonMode = new TerraDrawPolygonMode({
    keyEvents: { cancel: null, finish: 'Enter' },
    validation: (feature, { updateType }) =>
      updateType.valueOf() === 'finish' ? ValidateNotSelfIntersecting(feature) : { valid: true },
    styles: { ...colours.polygon },
  });
  const lineMode = new TerraDrawLineStringMode({
    keyEvents: { cancel: null, finish: 'Enter' },
    styles: { ...colours.line },
  });
  const editable = {
    feature: {
      draggable: true,
      selfIntersectable: shape === 'line',
      coordinates: { midpoints: { draggable: true }, draggable: true, deletable: true },
    },
  };
  const draw = new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map, prefixId: 'drawing' }),
    // The steps of a finished shape are its owner's.
    ...(start === null ? { undoRedo: { modeLevel: new TerraDrawModeUndoRedo() } } : {}),
    modes: [
      polygonMode,
      lineMode,
      new TerraDrawSelectMode({
        allowManualDeselection: false,
        keyEvents: null,
        flags: { polygon: editable, linestring: editable },
        styles: { ...colours.select },
      }),
    ],
  });

  const current = (): DrawnShape | null => {
    for (const { geometry } of draw.getSnapshot()) {
      if (geometry.type === 'Polygon' && shape === 'polygon') {
        const rings = [tidyLine(geometry.coordinates[0] ?? []), ...holes];
        return { shape, geometry: { type: 'Polygon', coordinates: rings } };
      }
      if (geometry.type === 'LineString' && shape === 'line') {
        return {
          shape,
          geometry: { type: 'LineString', coordinates: tidyLine(geometry.coordinates) },
          width_m: widthM,
        };
      }
    }
    return null;
  };
  const preview = (): void => {
    const drawn = current();
    const corridor =
      drawn?.shape === 'line' && isComplete(drawn)
        ? corridorRing(drawn.geometry.coordinates, drawn.width_m)
        : null;
    const data: GeoJSON.Geometry = corridor
      ? { type: 'Polygon', coordinates: [corridor] }
      : { type: 'MultiLineString', coordinates: holes };
    geoJsonSource(map, PREVIEW_SOURCE)
      .setData({ type: 'Feature', properties: {}, geometry: data })
      .catch(events.onFault);
  };
  const onChange = (_ids: unknown, type: string): void => {
    if (type === 'styling') return;
    if (shape === 'line') preview();
    events.onChange(current());
  };
  const finish = (): void => {
    const drawn = current();
    if (drawn && isComplete(drawn)) events.onFinish(drawn);
  };

  draw.start();
  try {
    if (start) edit(draw, start);
    else draw.setMode(MODE_OF[shape]);
  } catch (error) {
    draw.stop();
    throw error;
  }
  draw.on('change', onChange);
  let isPressed = false;
  const canvas = map.getCanvas();
  const onPress = () => (isPressed = true);
  const onRelease = () => (isPressed = false);
  canvas.addEventListener('pointerdown', onPress, { capture: true });
  window.addEventListener('pointerup', onRelease, { capture: true });
  // A drag while editing finishes a move, not the work.
  draw.on('finish', (_id, { action }) => {
    if (action === 'draw') finish();
    // A midpoint that is dragged is put in first; where it comes to lie is the same step.
    else if (!isPressed || action !== 'insertMidpoint') events.onStep();
  });
  if (start) preview();

  return {
    current,
    finish() {
      if (start) finish();
      else {
        const enter = { key: 'Enter', heldKeys: [], preventDefault: () => undefined };
        if (shape === 'polygon') polygonMode.onKeyUp(enter);
        else lineMode.onKeyUp(enter);
      }
    },
    setSizeM(sizeM) {
      widthM = sizeM;
      if (shape !== 'line') return;
      preview();
      events.onChange(current());
    },
    undo: () => start === null && draw.undo(),
    redo: () => start === null && draw.redo(),
    canRedo: () => start === null && draw.canRedo(),
    stop() {
      canvas.removeEventListener('pointerdown', onPress, { capture: true });
      window.removeEventListener('pointerup', onRelease, { capture: true });
      draw.stop();
      geoJsonSource(map, PREVIEW_SOURCE).setData(NOTHING).catch(events.onFault);
    },
  };
}

function edit(draw: TerraDraw, start: PathShape): void {
  const outline =
    start.shape === 'line'
      ? { type: 'LineString' as const, coordinates: start.geometry.coordinates.map(roundPosition) }
      : { type: 'Polygon' as const, coordinates: [(start.geometry.coordinates[0] ?? []).map(roundPosition)] };
  const id = draw.getFeatureId();
  const feature: GeoJSONStoreFeatures = {
    type: 'Feature',
    id,
    properties: { mode: MODE_OF[start.shape] },
    geometry: outline,
  };
  const [answer] = draw.addFeatures([feature]);
  if (answer?.valid !== true)
    throw new RangeError(`this shape cannot be edited by hand: ${answer?.reason ?? 'unknown'}`);
  draw.setMode('select');
  draw.selectFeature(id);
}

/** The tool's styles, read from the theme whenever a feature is styled. */
function coloursOf(stage: MapStage) {
  const accent = (): HexColor => hex(stage.palette().accent);
  const surface = (): HexColor => hex(stage.palette().surface);
  return {
    polygon: {
      fillColor: accent,
      fillOpacity: 0.14,
      outlineColor: accent,
      outlineWidth: 2,
      closingPointColor: surface,
      closingPointWidth: HANDLE_RADIUS_PX,
      closingPointOutlineColor: accent,
      closingPointOutlineWidth: 2,
    },
    line: {
      lineStringColor: accent,
      lineStringWidth: 2,
      closingPointColor: surface,
      closingPointWidth: HANDLE_RADIUS_PX,
      closingPointOutlineColor: accent,
      closingPointOutlineWidth: 2,
    },
    select: {
      selectedPolygonColor: accent,
      selectedPolygonFillOpacity: 0.14,
      selectedPolygonOutlineColor: accent,
      selectedPolygonOutlineWidth: 2,
      selectedLineStringColor: accent,
      selectedLineStringWidth: 2,
      selectionPointColor: surface,
      selectionPointWidth: HANDLE_RADIUS_PX,
      selectionPointOutlineColor: accent,
      selectionPointOutlineWidth: 2,
      midPointColor: accent,
      midPointWidth: 4,
      midPointOutlineColor: surface,
      midPointOutlineWidth: 1,
    },
  };
}

/** The tokens are written as hex colours, which is all that the tool takes. */
function hex(colour: string): HexColor {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) throw new Error(`${colour} is no hex colour`);
  return `#${colour.slice(1)}`;
}
