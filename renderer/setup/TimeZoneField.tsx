import { useMemo } from 'react';
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { useT } from '../i18n/useT.ts';

/** A time zone of the IANA list, found by typing a part of its name. */
export function TimeZoneField({
  value,
  onChange,
  fault,
  disabled,
}: {
  value: string;
  onChange: (zone: string) => void;
  fault: string | null;
  disabled: boolean;
}) {
  const t = useT();
  const zones = useMemo(() => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])], []);
  return (
    <ComboBox
      className="field"
      inputValue={value}
      onInputChange={onChange}
      isDisabled={disabled}
      isInvalid={fault !== null}
      allowsCustomValue
      menuTrigger="input"
    >
      <Label className="field__label">{t('settings.timezone')}</Label>
      <Input className="field__input" spellCheck={false} />
      <Text slot="description" className="field__hint">
        {fault ?? (disabled ? t('settings.overridden') : offsetOf(value))}
      </Text>
      <Popover className="popover" offset={4}>
        <ListBox className="choice__list">
          {zones.map((zone) => (
            <ListBoxItem key={zone} id={zone} className="choice__option" textValue={zone}>
              {zone}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** CET, GMT+1; nothing for a zone that is not on the list. */
function offsetOf(zone: string): string {
  try {
    const names = (['short', 'shortOffset'] as const).map(
      (timeZoneName) =>
        new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName })
          .formatToParts()
          .find((part) => part.type === 'timeZoneName')?.value,
    );
    return [...new Set(names)].join(', ');
  } catch {
    return '';
  }
}
