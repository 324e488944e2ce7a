import { useMemo } from 'react';
import { useDesk } from '../desk/DeskContext.tsx';
import { useDepotTime } from '../desk/useMoment.ts';
import { nameOfPeriod, namedPeriod } from '../ui/period.ts';
import { PeriodField } from '../ui/PeriodField.tsx';
import type { EventsAddress } from './eventsAddress.ts';

/** As long as events are kept by default. */
const LONGEST_DAYS = 730;

/** The period of the address; a usual one keeps its name, so that it goes on with the time. */
export function AddressPeriod({
  address: { view, period },
  onChange,
}: {
  address: EventsAddress;
  onChange: (part: Partial<EventsAddress>) => void;
}) {
  const desk = useDesk();
  const time = useDepotTime();
  const value = useMemo(
    () => (typeof period === 'string' ? namedPeriod(period, desk.serverTime.now(), time) : period),
    [period, desk, time],
  );
  return (
    <PeriodField
      key={view}
      value={value}
      longestDays={LONGEST_DAYS}
      onChange={(next) => onChange({ period: nameOfPeriod(next, desk.serverTime.now(), time) ?? next })}
    />
  );
}
