import { useMemo } from 'react';
import { ToggleButton } from 'react-aria-components';
import { useStore } from 'zustand';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { VehicleGlyph } from '../map/glyphs/VehicleGlyph.tsx';
import { listedStatuses, sortedByName, statusCounts } from './listOrder.ts';

/** The four counts, each a filter of the list. */
export function StatusFilter({ vehicles }: { vehicles: readonly Vehicle[] }) {
  return <FilterButtons vehicles={vehicles} className="status-filter" />;
}

/** The same as a strip of 48 px, in place of a folded list. */
export function VehicleStrip() {
  const { vehicles } = useAppContext();
  const byId = useStore(vehicles.store, (state) => state.byId);
  const sorted = useMemo(() => sortedByName(byId.values()), [byId]);
  return <FilterButtons vehicles={sorted} className="vehicle-strip" />;
}

function FilterButtons({ vehicles, className }: { vehicles: readonly Vehicle[]; className: string }) {
  const app = useAppContext();
  const t = useT();
  const statuses = useStore(app.statuses, (state) => state.byVehicle);
  const chosen = useStore(app.view, (state) => state.statusFilter);
  const groupId = useStore(app.view, (state) => state.groupId);
  const lost = useLostSince() !== null;
  const isLoading = useStore(
    app.vehicles.store,
    (state) => state.load.phase === 'loading' && state.byId.size === 0,
  );
  const counts = useMemo(() => statusCounts(vehicles, groupId, statuses), [vehicles, groupId, statuses]);
  return (
    <div className={className} role="group" aria-label={t('list.filter')}>
      {listedStatuses.map((status) => (
        <ToggleButton
          key={status}
          className={`${className}__one`}
          isSelected={chosen === status}
          onChange={(on) => app.view.setState({ statusFilter: on ? status : null })}
          aria-label={t('list.filter_count', { status: t(`status.${status}`), number: counts[status] })}
        >
          <span className={`${className}__count`}>
            <VehicleGlyph state={status} size={16} stale={lost} course={status === 'moving' ? 0 : null} />
            {isLoading ? <span className="skeleton__bar" style={{ width: 24 }} /> : counts[status]}
          </span>
          {className === 'status-filter' && (
            <span className={`${className}__word`}>{t(`status.${status}`)}</span>
          )}
        </ToggleButton>
      ))}
    </div>
  );
}
