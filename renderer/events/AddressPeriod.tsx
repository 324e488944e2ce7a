import { useMemo } from 'react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
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
  const app = useAppContext();
  const time = useDepotTime();
  const value = useMemo(
    () => (typeof period === 'string' ? namedPeriod(period, app.serverTime.now(), time) : period),
    [period, app, time],
  );
  return (
    <PeriodField
      key={view}
      value={value}
      maxDays={LONGEST_DAYS}
      onChange={(next) => onChange({ period: nameOfPeriod(next, app.serverTime.now(), time) ?? next })}
    />
  );
}
