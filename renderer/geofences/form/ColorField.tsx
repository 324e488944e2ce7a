import { Label, RadioButton, RadioField, RadioGroup } from 'react-aria-components';
import { useT } from '../../i18n/useT.ts';
import './ColorField.css';

/** Far from red and amber, which belong to alarms, and seen on land and water in both themes. */
const COLORS = [
  { hex: '#3d8bd9', name: 'blue' },
  { hex: '#1c9aa6', name: 'teal' },
  { hex: '#3f9c5a', name: 'green' },
  { hex: '#8a9a2e', name: 'olive' },
  { hex: '#8468d4', name: 'violet' },
  { hex: '#c25bb0', name: 'magenta' },
  { hex: '#9a7359', name: 'brown' },
  { hex: '#7d8b93', name: 'grey' },
] as const;

const NONE = 'none';

/** One of a few colours, or none; a colour that came by the API stays among them. */
export function ColorField({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint: string;
  /** #1a2b3c */
  value: string | null;
  onChange: (color: string | null) => void;
}) {
  const t = useT();
  const known = COLORS.some(({ hex }) => hex === value?.toLowerCase());
  return (
    <RadioGroup
      className="color-swatches"
      orientation="horizontal"
      value={value?.toLowerCase() ?? NONE}
      onChange={(chosen) => onChange(chosen === NONE ? null : chosen)}
    >
      <Label className="field__label">{label}</Label>
      <div className="color-swatches__row">
        <RadioField value={NONE} aria-label={t('geofence.color_none')}>
          <RadioButton className="color-swatches__one">
            <span className="color-swatches__none" />
          </RadioButton>
        </RadioField>
        {COLORS.map(({ hex, name }) => (
          <Swatch key={hex} hex={hex} label={t(`geofence.color.${name}`)} />
        ))}
        {value !== null && !known && <Swatch hex={value.toLowerCase()} label={value} />}
      </div>
      <span className="field__hint">{hint}</span>
    </RadioGroup>
  );
}

function Swatch({ hex, label }: { hex: string; label: string }) {
  return (
    <RadioField value={hex} aria-label={label}>
      <RadioButton className="color-swatches__one">
        <span className="color-swatches__paint" style={{ background: hex }} title={label} />
      </RadioButton>
    </RadioField>
  );
}

/** The mark of a geofence's own colour in a list: a dashed ring where it has none. */
export function ColorMark({ color }: { color: string | null }) {
  return color === null ? (
    <span className="color-mark color-mark--none" aria-hidden />
  ) : (
    <span className="color-mark" style={{ background: color }} aria-hidden />
  );
}
