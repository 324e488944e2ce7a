import type { VehicleState } from './glyphShapes.ts';
import { BRACKETS, BRACKET_WIDTH_PX, GLYPH_BOX, glyphShape } from './glyphShapes.ts';

export interface VehicleGlyphProps {
  state: VehicleState;
  severity?: 'alarm' | 'warning' | null;
  acknowledged?: boolean;
  stale?: boolean;
  /** Degrees from north; only a moving vehicle is turned to it. */
  course?: number | null;
  /** Side of the glyph, pixels. */
  size?: number;
  /** Spoken in place of the picture; without it the glyph is decoration. */
  label?: string;
}

/** A vehicle's glyph as the map draws it, for lists and panels. */
export function VehicleGlyph({
  state,
  severity = null,
  acknowledged = false,
  stale = false,
  course = null,
  size = 24,
  label,
}: VehicleGlyphProps) {
  const open = severity !== null && !acknowledged;
  const alarm = severity === 'alarm' ? 'var(--alarm)' : 'var(--warn)';
  const colour = open ? alarm : `var(--${state === 'never' ? 'offline' : state})`;
  const shape = glyphShape(state, stale);
  const half = GLYPH_BOX / 2;
  const turned = state === 'moving' && course !== null ? `rotate(${course} ${half} ${half})` : undefined;
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${GLYPH_BOX} ${GLYPH_BOX}`}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      fill="none"
      overflow="visible"
    >
      <g transform={turned}>
        {shape.fill !== null && <path d={shape.fill} fill={colour} />}
        {shape.strokes.map(({ path, widthPx, dash }) => (
          <path key={path} d={path} stroke={colour} strokeWidth={widthPx} strokeDasharray={dash?.join(' ')} />
        ))}
      </g>
      {severity !== null && (
        <path
          d={BRACKETS}
          stroke={open ? alarm : 'var(--text-3)'}
          strokeWidth={open ? BRACKET_WIDTH_PX.open : BRACKET_WIDTH_PX.acknowledged}
        />
      )}
    </svg>
  );
}
