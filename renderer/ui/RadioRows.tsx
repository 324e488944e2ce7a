import { Label, RadioButton, RadioField, RadioGroup } from 'react-aria-components';
import { useUnsavedField } from './unsaved.ts';
import './RadioRows.css';

interface RadioRow<T extends string> {
  id: T;
  label: string;
  hint?: string;
  disabled?: boolean;
}

/** One of a few that all stand there to be seen. */
export function RadioRows<T extends string>({
  label,
  value,
  onChange,
  options,
  columns = 1,
  autoFocus = false,
}: {
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly RadioRow<T>[];
  columns?: 1 | 2;
  /** The chosen row takes the focus. */
  autoFocus?: boolean;
}) {
  useUnsavedField(value);
  return (
    <RadioGroup
      className={`radio-rows radio-rows--${columns}`}
      value={value}
      onChange={(id) => {
        const chosen = options.find((it) => it.id === id);
        if (chosen !== undefined) onChange(chosen.id);
      }}
    >
      <Label className="field__label">{label}</Label>
      {options.map((it) => (
        <RadioField
          key={it.id}
          value={it.id}
          isDisabled={it.disabled ?? false}
          autoFocus={autoFocus && it.id === value}
        >
          <RadioButton className="radio-row">
            <span className="radio-row__mark" aria-hidden />
            <span>
              {it.label}
              {it.hint !== undefined && <span className="radio-row__hint">{it.hint}</span>}
            </span>
          </RadioButton>
        </RadioField>
      ))}
    </RadioGroup>
  );
}
