import { SwitchButton, SwitchField } from 'react-aria-components';
import './Toggle.css';

/** Something that is on or off, at once. */
export function Toggle({
  label,
  hint,
  on,
  onChange,
  disabled = false,
}: {
  label: string;
  hint?: string;
  on: boolean;
  onChange: (on: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <SwitchField isSelected={on} onChange={onChange} isDisabled={disabled}>
      <SwitchButton className="toggle">
        <span className="toggle__track" aria-hidden>
          <span className="toggle__thumb" />
        </span>
        <span>
          {label}
          {hint !== undefined && <span className="toggle__hint">{hint}</span>}
        </span>
      </SwitchButton>
    </SwitchField>
  );
}
