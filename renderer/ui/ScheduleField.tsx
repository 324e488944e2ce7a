import { Plus, X } from 'lucide-react';
import { useId, useMemo, type ReactNode } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { Schedule } from '../../server/contract/schedule.ts';
import { useT } from '../i18n/useT.ts';
import { TimeZoneField } from '../setup/TimeZoneField.tsx';
import { Button } from './Button.tsx';
import { IconButton } from './IconButton.tsx';
import { dayNames, endsNextDay, isClock, tidyClock, type DayName } from './scheduleLabels.ts';
import { SegmentedControl } from './Segments.tsx';
import { TextField } from './TextField.tsx';
import './ScheduleField.css';

type Range = Schedule['ranges'][number];

const WORKING_HOURS: Range = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' };
/** The contract takes no more. */
const MOST_RANGES = 50;

/**
 * When something holds: always (`null`), or on days and hours of a time zone. What is being typed is handed on as it
 * is, with its fault beside it, so a value may be one that the contract does not take.
 */
export function ScheduleField({
  label,
  value,
  onChange,
  fault = null,
  timezone,
}: {
  label: string;
  value: Schedule | null;
  onChange: (value: Schedule | null) => void;
  fault?: string | null;
  /** Of the depot, for a new one. */
  timezone: string;
}): ReactNode {
  const t = useT();
  const faultId = useId();
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- `t`: the names are those of the language
  const names = useMemo(() => dayNames(), [t]);
  const setRanges = (ranges: Range[]) => {
    onChange(ranges.length === 0 || value === null ? null : { ...value, ranges });
  };
  return (
    <fieldset className="schedule" {...(fault === null ? {} : { 'aria-describedby': faultId })}>
      <legend className="field__label">{label}</legend>
      <SegmentedControl
        label={label}
        options={[
          { id: 'always', label: t('schedule.always') },
          { id: 'times', label: t('schedule.at_times') },
        ]}
        value={value === null ? 'always' : 'times'}
        onChange={(kind) => onChange(kind === 'always' ? null : { timezone, ranges: [WORKING_HOURS] })}
      />
      {value !== null && (
        <>
          {value.ranges.map((range, at) => (
            <RangeField
              // A range has no name but its place.
              key={at}
              number={at + 1}
              range={range}
              names={names}
              onChange={(changed) => setRanges(value.ranges.with(at, changed))}
              onRemove={
                value.ranges.length === 1 ? null : () => setRanges(value.ranges.filter((_, i) => i !== at))
              }
            />
          ))}
          <div>
            <Button
              size="small"
              icon={Plus}
              disabled={value.ranges.length >= MOST_RANGES}
              onPress={() => setRanges([...value.ranges, value.ranges.at(-1) ?? WORKING_HOURS])}
            >
              {t('schedule.add')}
            </Button>
          </div>
          <TimeZoneField
            value={value.timezone}
            onChange={(zone) => onChange({ ...value, timezone: zone })}
            fault={isTimeZone(value.timezone) ? null : t('schedule.zone_fault')}
            disabled={false}
          />
        </>
      )}
      {fault !== null && (
        <p className="schedule__fault" id={faultId}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}

function RangeField({
  number,
  range,
  names,
  onChange,
  onRemove,
}: {
  /** Its place among the ranges, from 1. */
  number: number;
  range: Range;
  names: readonly DayName[];
  onChange: (range: Range) => void;
  /** Null for the only one. */
  onRemove: (() => void) | null;
}) {
  const t = useT();
  const clockFault = [range.from, range.to].every((it) => isClock(it)) ? null : t('schedule.clock_fault');
  const sentence =
    range.days.length === 0
      ? t('schedule.no_day')
      : (clockFault ?? (endsNextDay(range) ? t('schedule.next_day') : null));
  return (
    <div className="schedule__range" role="group" aria-label={t('schedule.range', { number })}>
      <ToggleButtonGroup
        className="schedule__days"
        aria-label={t('schedule.days')}
        selectionMode="multiple"
        selectedKeys={range.days}
        onSelectionChange={(keys) =>
          onChange({ ...range, days: names.map(({ day }) => day).filter((day) => keys.has(day)) })
        }
      >
        {names.map(({ day, short, long }) => (
          <ToggleButton key={day} id={day} className="schedule__day" aria-label={long}>
            {short}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <div className="schedule__times">
        <ClockField
          label={t('schedule.from')}
          value={range.from}
          onChange={(from) => onChange({ ...range, from })}
        />
        <span aria-hidden>–</span>
        <ClockField label={t('schedule.to')} value={range.to} onChange={(to) => onChange({ ...range, to })} />
        <span className="small fill" role="status">
          {sentence}
        </span>
        {onRemove !== null && (
          <IconButton icon={X} size="small" label={t('schedule.remove', { number })} onPress={onRemove} />
        )}
      </div>
    </div>
  );
}

/** A time of the day, tidied when it is left. */
function ClockField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (clock: string) => void;
}) {
  return (
    <div
      className="schedule__time"
      onBlur={() => {
        const tidied = tidyClock(value);
        if (tidied !== value) onChange(tidied);
      }}
    >
      <TextField
        label={label}
        hiddenLabel
        numeric
        size="small"
        value={value}
        onChange={onChange}
        maxLength={5}
      />
    </div>
  );
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
