import { Circle, Pentagon, Spline } from 'lucide-react';
import { useDesk } from '../../desk/DeskContext.tsx';
import type { Say } from '../../i18n/text.ts';
import { useText } from '../../i18n/useText.ts';
import { drawnFields } from '../../live/mapGeofences.ts';
import { Segments } from '../../ui/Segments.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { placeShape, startDrawing, typeInto } from '../drawingActions.ts';
import { measureText } from '../fenceWords.ts';
import { frameFence } from '../frameFence.ts';
import { numberOf } from './fenceDraft.ts';
import { shapeOf, type FenceEdit } from './fenceEdit.ts';
import { cornersText, readShape, sizeOf, type CornersFault } from './shapeText.ts';

const ICONS = { polygon: Pentagon, circle: Circle, line: Spline };
/** As the map draws a new one. */
const LINE_WIDTH_M = 100;

/** The shape of a geofence in hand: which one, how large, and its corners for who types them. */
export function ShapeFields({
  edit,
  faultOf,
}: {
  edit: FenceEdit;
  faultOf: (field: string) => string | null;
}) {
  const desk = useDesk();
  const say = useText();
  const { form, drawn } = edit;
  const shape = shapeOf(edit);
  const isParts = edit.kind === 'change' && edit.base.geometry.type === 'MultiPolygon';
  const shownSize = form.size ?? (drawn === null ? '' : (sizeOf(drawn)?.toString() ?? ''));
  const shownCorners = form.corners ?? (drawn === null ? '' : cornersText(drawn));
  const sizeM = shownSize === '' && shape === 'line' ? LINE_WIDTH_M : numberOf(shownSize);
  const holes = drawn?.shape === 'polygon' ? drawn.geometry.coordinates.slice(1) : [];

  const place = (corners: string, size: number) => {
    const read = readShape(shape, corners, size, holes);
    if ('shape' in read) placeShape(desk, read);
  };
  const typeSize = (size: string) => {
    const nextM = numberOf(size);
    const map = desk.map.current();
    if (nextM >= 1) {
      if (map?.drawing.isActive() === true && form.corners === null) map.drawing.setSizeM(nextM);
      else place(shownCorners, nextM);
    }
    typeInto(desk, { size });
  };
  const typeCorners = (corners: string) => {
    place(corners, sizeM);
    typeInto(desk, { corners });
  };
  const frame = () => {
    const map = desk.map.current();
    if (map !== null && drawn !== null && form.corners !== null) frameFence(map, drawnFields(drawn));
  };

  return (
    <>
      {edit.kind === 'new' && (
        <Segments
          label={say('fence.shape')}
          options={(['polygon', 'circle', 'line'] as const).map((id) => ({
            id,
            label: say(`fence.shape.${id}`),
            icon: ICONS[id],
          }))}
          value={shape}
          onChange={(chosen) => startDrawing(desk, chosen)}
        />
      )}
      <p className="quiet geofence-panel__how">{howText(edit, say)}</p>
      {shape !== 'polygon' && (
        <TextField
          label={say(shape === 'circle' ? 'fence.radius' : 'fence.width')}
          numeric
          value={shownSize}
          onChange={typeSize}
          fault={faultOf(shape === 'circle' ? 'radius_m' : 'width_m')}
          maxLength={9}
        />
      )}
      {!isParts && (
        <details className="geofence-panel__more" onBlur={frame}>
          <summary>{say(shape === 'circle' ? 'fence.type_centre' : 'fence.type_corners')}</summary>
          <TextField
            label={say(shape === 'circle' ? 'fence.centre' : 'fence.corners')}
            hint={say(shape === 'circle' ? 'fence.centre_hint' : 'fence.corners_hint')}
            multiline
            placeholder={say('fence.corners_example')}
            value={shownCorners}
            onChange={typeCorners}
            fault={cornersFault(form.corners, shape, sizeM, say)}
          />
        </details>
      )}
    </>
  );
}

function howText(edit: FenceEdit, say: Say): string {
  if (edit.sizes !== null) return measureText(edit.sizes, say);
  if (edit.kind === 'new') return say(`fence.how.${edit.shape}`);
  return say(edit.drawn === null ? 'fence.how.parts' : 'fence.how.change');
}

function cornersFault(
  typed: string | null,
  shape: ReturnType<typeof shapeOf>,
  sizeM: number,
  say: Say,
): string | null {
  if (typed === null || typed.trim() === '') return null;
  const read = readShape(shape, typed, sizeM);
  if ('shape' in read) return null;
  return faultText(read, shape, sizeM, say);
}

function faultText(fault: CornersFault, shape: ReturnType<typeof shapeOf>, sizeM: number, say: Say): string {
  if (fault.kind === 'line') return say('fence.corners_line', { line: fault.line });
  if (shape === 'circle' && !(sizeM >= 1)) return say('fence.radius_needed');
  return say(`fence.corners_few.${shape}`);
}
