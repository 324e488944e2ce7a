import type { ReactNode } from 'react';
import { FieldError, Input, Label, Text, TextArea, TextField as AriaTextField } from 'react-aria-components';
import { useUnsavedField } from './unsaved.ts';
import './TextField.css';

export interface TextFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  type?: 'text' | 'password' | 'tel' | 'search';
  /** Several lines. */
  multiline?: boolean;
  placeholder?: string;
  required?: boolean;
  autoComplete?: string;
  autoFocus?: boolean;
  /** What is wrong with the value; null while nothing is. */
  fault?: string | null;
  hint?: ReactNode;
  size?: 'normal' | 'small';
  /** Takes digits alone on a touch keyboard. */
  numeric?: boolean;
  /** Says the label to screen readers alone. */
  hiddenLabel?: boolean;
  maxLength?: number;
  disabled?: boolean;
}

export function TextField({
  label,
  value,
  onChange,
  type = 'text',
  multiline = false,
  placeholder,
  required = false,
  autoComplete = 'off',
  autoFocus = false,
  fault = null,
  hint,
  size = 'normal',
  numeric = false,
  hiddenLabel = false,
  maxLength,
  disabled = false,
}: TextFieldProps) {
  useUnsavedField(type === 'search' ? '' : value);
  const limits = maxLength === undefined ? {} : { maxLength };
  const hintInside = placeholder === undefined ? {} : { placeholder };
  return (
    <AriaTextField
      className={`field field--${size}`}
      value={value}
      onChange={onChange}
      type={type}
      isRequired={required}
      isInvalid={fault !== null}
      isDisabled={disabled}
      autoComplete={autoComplete}
      autoFocus={autoFocus}
      validationBehavior="aria"
      {...limits}
      {...(hiddenLabel ? { 'aria-label': label } : {})}
      {...(numeric ? { inputMode: 'decimal' as const } : {})}
    >
      {!hiddenLabel && <Label className="field__label">{label}</Label>}
      {multiline ? (
        <TextArea className="field__input field__input--area" rows={3} {...hintInside} />
      ) : (
        <Input className="field__input" spellCheck={false} {...hintInside} />
      )}
      {hint !== undefined && (
        <Text slot="description" className="field__hint">
          {hint}
        </Text>
      )}
      <FieldError className="field__fault">{fault}</FieldError>
    </AriaTextField>
  );
}
