import { Unplug } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { sortedGroups } from '../../groups/groupOrder.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { StaleBanner } from '../../ui/StaleBand.tsx';
import { BulkActionBar } from './BulkActionBar.tsx';
import { useVehicleColumns } from './useVehicleColumns.tsx';
import { vehicleRights } from './vehicleAdmin.ts';
import { wanted, type TableFilter, type VehicleLine } from './vehicleTable.ts';
import { NothingFound, NoVehicles } from './VehiclesEmpty.tsx';
import { VehicleTools } from './VehicleTools.tsx';

const SKELETON = [
  [16, 120, 60, 120, 100, 90, 40],
  [16, 90, 56, 120, 70, 110, 32],
  [16, 105, 64, 120, 120, 70, 40],
] as const;

/** Every vehicle that may be seen, as a table. */
export function VehiclesTab({
  vehicles,
  filter,
  onFilterChange,
  selectedId,
  onSelect,
  onAdd,
  onImport,
  narrow,
}: {
  /** In order of their names. */
  vehicles: readonly Vehicle[];
  filter: TableFilter;
  onFilterChange: (filter: Partial<TableFilter>) => void;
  selectedId: string | null;
  onSelect: (vehicleId: string) => void;
  onAdd: () => void;
  onImport: () => void;
  narrow: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const load = useStore(app.vehicles.store, (state) => state.load);
  const unknownTerminals = useStore(app.unknownTerminals.store, (state) => state.byId.size);
  const statuses = useStore(app.statuses, (state) => state.byVehicle);
  const groups = useStore(app.groups.store, (state) => state.byId);
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const { mayWrite } = vehicleRights(app);
  const columns = useVehicleColumns(narrow);
  const text = useDeferredValue(filter.text);
  const { status, groupId } = filter;

  const found = useMemo(
    () => wanted(vehicles, { text, status, groupId }, statuses),
    [vehicles, text, status, groupId, statuses],
  );
  const rows = useMemo(() => {
    const names = new Map(sortedGroups(groups.values()).map(({ group_id, name }) => [group_id, name]));
    const namesOf = (ids: readonly string[]) =>
      ids.length === 0
        ? ''
        : ids
            .flatMap((id) => names.get(id) ?? [])
            .sort()
            .join(', ');
    return found.map((vehicle): VehicleLine => ({
      vehicle,
      status: statuses.get(vehicle.vehicle_id) ?? 'never',
      groups: namesOf(vehicle.group_ids),
      contactAt: app.positions.get(vehicle.vehicle_id)?.contactAt ?? null,
    }));
  }, [found, statuses, groups, app]);
  const chosen = useMemo(
    () => (checked.size === 0 ? [] : vehicles.filter((it) => checked.has(it.vehicle_id))),
    [vehicles, checked],
  );

  if (load.phase === 'failed' && vehicles.length === 0) {
    return (
      <LoadFailure
        title={t('list.failed')}
        stillWorks={t('list.failed_still')}
        error={load.error}
        nextTryAt={load.nextTryAt}
        onRetry={() => app.retry('vehicles')}
      />
    );
  }
  if (load.phase === 'ready' && vehicles.length === 0) {
    return <NoVehicles mayWrite={mayWrite} onAdd={onAdd} onImport={onImport} />;
  }
  return (
    <>
      <StaleBanner>{t('vehicles.stale')}</StaleBanner>
      {mayWrite && unknownTerminals > 0 && (
        <div className="unknown-terminal-strip">
          <Icon of={Unplug} />
          <span className="fill">{t('vehicles.unknown_terminals_strip', { count: unknownTerminals })}</span>
          <Button size="small" onPress={onAdd}>
            {t('vehicles.unknown_terminals_show')}
          </Button>
        </div>
      )}
      <VehicleTools
        filter={filter}
        onFilterChange={onFilterChange}
        vehicles={vehicles}
        shown={rows.length}
        narrow={narrow}
      />
      {load.phase === 'loading' && vehicles.length === 0 ? (
        <SkeletonRows className="manage__skeleton" widths={SKELETON} rows={14} label={t('list.loading')} />
      ) : rows.length === 0 ? (
        <NothingFound filter={filter} onFilterChange={onFilterChange} />
      ) : (
        <DataTable
          name={t('list.title')}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          selectedKey={selectedId}
          onSelect={(row) => onSelect(row.vehicle.vehicle_id)}
          initialSort={BY_NAME}
          asked={`${text} ${status ?? ''} ${groupId ?? ''}`}
          {...(mayWrite ? { checked, onCheck: setChecked } : {})}
        />
      )}
      {chosen.length > 0 && <BulkActionBar vehicles={chosen} onClear={() => setChecked(new Set())} />}
    </>
  );
}

const keyOf = (row: VehicleLine): string => row.vehicle.vehicle_id;
const BY_NAME = { id: 'name', desc: false };
