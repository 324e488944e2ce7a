import { useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { parseDateTime } from '../../server/contract/localTime.ts';
import { dateField, readDate, readTime, timeField } from '../format/depotMoment.ts';
import { useT } from '../i18n/useT.ts';
import { Choice } from './Select.tsx';
import { nameOfPeriod, namedPeriod, PERIODS, type Period } from './period.ts';
import { TextField } from './TextField.tsx';
import './PeriodField.css';

const OWN = 'own';
const CHOICES = [...PERIODS, OWN] as const;
const CHOICES_OF_ALL = [...PERIODS, 'all', OWN] as const;

export interface PeriodFieldProps {
  value: Period;
  onChange: (value: Period) => void;
  /** Longer periods are refused. */
  maxDays: number;
  /** Offers the whole past, too. */
  hasAll?: boolean;
  fault?: string | null;
}

/** From when to when, in the depot's time zone: a usual period, or any of one's own. */
export function PeriodField({ value, onChange, maxDays, hasAll = false, fault = null }: PeriodFieldProps) {
  const app = useAppContext();
  const t = useT();
  const time = useStore(app.settings, (state) => state.time);
  const [chosen, setChosen] = useState<(typeof CHOICES_OF_ALL)[number]>(
    () => nameOfPeriod(value, app.serverTime.now(), time) ?? OWN,
  );
  return (
    <div className="period">
      <Choice
        label={t('period.title')}
        value={chosen}
        options={(hasAll ? CHOICES_OF_ALL : CHOICES).map((id) => ({ id, label: t(`period.${id}`) }))}
        onChange={(name) => {
          setChosen(name);
          if (name !== OWN) onChange(namedPeriod(name, app.serverTime.now(), time));
        }}
      />
      {chosen === OWN && (
        <OwnPeriod value={value} onChange={onChange} maxDays={maxDays} timeZone={time.timeZone} />
      )}
      {fault !== null && (
        <p className="period__fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

/** From when to when, typed. */
export function OwnPeriod({
  value,
  onChange,
  maxDays,
  timeZone,
}: Pick<PeriodFieldProps, 'value' | 'onChange' | 'maxDays'> & { timeZone: string }) {
  const t = useT();
  // One's own period after the whole past begins with the longest that may be.
  const first = Math.max(value.from, value.to - maxDays * 86_400_000);
  const [typed, setTyped] = useState(() => ({
    fromDate: dateField(first, timeZone),
    fromTime: timeField(first, timeZone),
    toDate: dateField(value.to, timeZone),
    toTime: timeField(value.to, timeZone),
  }));
  const from = read(typed.fromDate, typed.fromTime, timeZone);
  const to = read(typed.toDate, typed.toTime, timeZone);
  const isBackwards = from.at !== null && to.at !== null && to.at <= from.at;
  const isTooLong = from.at !== null && to.at !== null && to.at - from.at > maxDays * 86_400_000;

  const type = (change: Partial<typeof typed>) => {
    const next = { ...typed, ...change };
    setTyped(next);
    const start = read(next.fromDate, next.fromTime, timeZone).at;
    const end = read(next.toDate, next.toTime, timeZone).at;
    if (start !== null && end !== null && start < end && end - start <= maxDays * 86_400_000)
      onChange({ from: start, to: end });
  };

  return (
    <div className="period__own">
      <TextField
        label={t('period.from_date')}
        value={typed.fromDate}
        onChange={(fromDate) => type({ fromDate })}
        fault={from.day === null ? t('period.no_date') : null}
        maxLength={10}
      />
      <TextField
        label={t('period.from_time')}
        value={typed.fromTime}
        onChange={(fromTime) => type({ fromTime })}
        fault={from.second === null ? t('period.no_time') : null}
        maxLength={8}
      />
      <TextField
        label={t('period.to_date')}
        value={typed.toDate}
        onChange={(toDate) => type({ toDate })}
        fault={
          to.day === null
            ? t('period.no_date')
            : isBackwards
              ? t('period.backwards')
              : isTooLong
                ? t('period.too_long', { days: maxDays })
                : null
        }
        maxLength={10}
      />
      <TextField
        label={t('period.to_time')}
        value={typed.toTime}
        onChange={(toTime) => type({ toTime })}
        fault={to.second === null ? t('period.no_time') : null}
        maxLength={8}
      />
    </div>
  );
}

function read(date: string, clock: string, timeZone: string) {
  const day = readDate(date);
  const second = readTime(clock);
  return { day, second, at: day === null || second === null ? null : parseDateTime(day, second, timeZone) };
}
