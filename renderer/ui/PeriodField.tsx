import { useState } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { dateField, momentOf, readDate, readTime, timeField } from '../format/depotMoment.ts';
import { useText } from '../i18n/useText.ts';
import { Choice } from './Choice.tsx';
import { nameOfPeriod, namedPeriod, PERIODS, type Period } from './period.ts';
import { TextField } from './TextField.tsx';
import './PeriodField.css';

const OWN = 'own';
const CHOICES = [...PERIODS, OWN] as const;

export interface PeriodFieldProps {
  value: Period;
  onChange: (value: Period) => void;
  /** Longer periods are refused. */
  longestDays: number;
  fault?: string | null;
}

/** From when to when, in the depot's time zone: a usual period, or any of one's own. */
export function PeriodField({ value, onChange, longestDays, fault = null }: PeriodFieldProps) {
  const desk = useDesk();
  const say = useText();
  const time = useStore(desk.settings, (state) => state.time);
  const [chosen, setChosen] = useState<(typeof CHOICES)[number]>(
    () => nameOfPeriod(value, desk.serverTime.now(), time) ?? OWN,
  );
  return (
    <div className="period">
      <Choice
        label={say('period.title')}
        value={chosen}
        options={CHOICES.map((id) => ({ id, label: say(`period.${id}`) }))}
        onChange={(name) => {
          setChosen(name);
          if (name !== OWN) onChange(namedPeriod(name, desk.serverTime.now(), time));
        }}
      />
      {chosen === OWN && (
        <OwnPeriod value={value} onChange={onChange} longestDays={longestDays} timeZone={time.timeZone} />
      )}
      {fault !== null && (
        <p className="period__fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

function OwnPeriod({
  value,
  onChange,
  longestDays,
  timeZone,
}: Pick<PeriodFieldProps, 'value' | 'onChange' | 'longestDays'> & { timeZone: string }) {
  const say = useText();
  const [typed, setTyped] = useState(() => ({
    fromDate: dateField(value.from, timeZone),
    fromTime: timeField(value.from, timeZone),
    toDate: dateField(value.to, timeZone),
    toTime: timeField(value.to, timeZone),
  }));
  const from = read(typed.fromDate, typed.fromTime, timeZone);
  const to = read(typed.toDate, typed.toTime, timeZone);
  const isBackwards = from.at !== null && to.at !== null && to.at <= from.at;
  const isTooLong = from.at !== null && to.at !== null && to.at - from.at > longestDays * 86_400_000;

  const type = (change: Partial<typeof typed>) => {
    const next = { ...typed, ...change };
    setTyped(next);
    const start = read(next.fromDate, next.fromTime, timeZone).at;
    const end = read(next.toDate, next.toTime, timeZone).at;
    if (start !== null && end !== null && start < end && end - start <= longestDays * 86_400_000)
      onChange({ from: start, to: end });
  };

  return (
    <div className="period__own">
      <TextField
        label={say('period.from_date')}
        value={typed.fromDate}
        onChange={(fromDate) => type({ fromDate })}
        fault={from.day === null ? say('period.no_date') : null}
        maxLength={10}
      />
      <TextField
        label={say('period.from_time')}
        value={typed.fromTime}
        onChange={(fromTime) => type({ fromTime })}
        fault={from.second === null ? say('period.no_time') : null}
        maxLength={8}
      />
      <TextField
        label={say('period.to_date')}
        value={typed.toDate}
        onChange={(toDate) => type({ toDate })}
        fault={
          to.day === null
            ? say('period.no_date')
            : isBackwards
              ? say('period.backwards')
              : isTooLong
                ? say('period.too_long', { days: longestDays })
                : null
        }
        maxLength={10}
      />
      <TextField
        label={say('period.to_time')}
        value={typed.toTime}
        onChange={(toTime) => type({ toTime })}
        fault={to.second === null ? say('period.no_time') : null}
        maxLength={8}
      />
    </div>
  );
}

function read(date: string, clock: string, timeZone: string) {
  const day = readDate(date);
  const second = readTime(clock);
  return { day, second, at: day === null || second === null ? null : momentOf(day, second, timeZone) };
}
