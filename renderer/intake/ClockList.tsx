import { useState } from 'react';
import { useStore } from 'zustand';
import type { IntakeState } from '../../server/contract/intake.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { ClockSuggestion } from '../vehicles/manage/ClockSuggestion.tsx';

/** Vehicles whose terminal's clock is off by a zone: what each should be set to. */
export function ClockList({ clocks }: { clocks: IntakeState['clock_offsets'] }) {
  const { vehicles } = useAppContext();
  const t = useT();
  const byId = useStore(vehicles.store, (state) => state.byId);
  /** Until the counts are read anew, what was set here is as good as gone from the list. */
  const [done, setDone] = useState<ReadonlyMap<string, number>>(new Map());
  const shown = clocks.flatMap((clock) => {
    const vehicle = byId.get(clock.vehicle_id);
    return vehicle === undefined || done.get(clock.vehicle_id) === clock.suggested_clock_offset_s
      ? []
      : [{ vehicle, clock }];
  });
  if (shown.length === 0) return null;
  return (
    <section className="intake__part">
      <h2>{t('intake.clocks')}</h2>
      <ul>
        {shown.map(({ vehicle, clock }) => (
          <li key={vehicle.vehicle_id} className="intake-clock">
            <span className="strong ellipsis">{vehicle.name}</span>
            <ClockSuggestion
              vehicle={vehicle}
              suggestion_s={clock.suggested_clock_offset_s}
              onSet={() =>
                setDone((before) => new Map(before).set(vehicle.vehicle_id, clock.suggested_clock_offset_s))
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
