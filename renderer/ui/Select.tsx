import { ChevronDown } from 'lucide-react';
import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import { Icon } from './Icon.tsx';
import './Select.css';

export interface SelectOption<T extends string> {
  id: T;
  label: string;
}

export interface SelectProps<T extends string> {
  label: string;
  options: readonly SelectOption<T>[];
  value: T;
  onChange: (value: T) => void;
  /** Without a frame and with its label for screen readers alone, for the head of a pane. */
  quiet?: boolean;
  disabled?: boolean;
}

/** One of a few, from a list that opens. */
export function Choice<T extends string>({
  label,
  options,
  value,
  onChange,
  quiet = false,
  disabled = false,
}: SelectProps<T>) {
  return (
    <Select
      className={`choice${quiet ? ' choice--quiet' : ''}`}
      value={value}
      isDisabled={disabled}
      onChange={(key) => {
        const chosen = options.find((option) => option.id === key);
        if (chosen !== undefined) onChange(chosen.id);
      }}
      {...(quiet ? { 'aria-label': label } : {})}
    >
      {!quiet && <Label className="field__label">{label}</Label>}
      <Button className="choice__button">
        <span className="ellipsis" title={options.find((option) => option.id === value)?.label}>
          <SelectValue />
        </span>
        <Icon of={ChevronDown} />
      </Button>
      <Popover className="popover" offset={4}>
        <ListBox className="choice__list" items={options}>
          {(option) => (
            <ListBoxItem className="choice__option" id={option.id} textValue={option.label}>
              {option.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
