import { Archive, Truck, Unplug } from 'lucide-react';
import { useDeferredValue, useMemo, type ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components';
import { useStore } from 'zustand';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { formatNumber } from '../../format/numbers.ts';
import { sortedGroups } from '../../groups/groupOrder.ts';
import { openArchivedMenu, openVehicleMenu } from '../../commands/contextMenus.ts';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import { VehicleGlyph } from '../../map/glyphs/VehicleGlyph.tsx';
import { BulkActions, type BulkAction } from '../../resources/BulkActions.tsx';
import { ResourceList, type ResourceListProps } from '../../resources/ResourceScreen.tsx';
import { shownStatuses } from '../../telemetry/statusStore.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Choice } from '../../ui/Select.tsx';
import { archiveJobs, groupJobs } from '../bulk/bulkVehicles.ts';
import { SelectionMenu } from '../selection/SelectionBar.tsx';
import { selectVehicles } from '../selection/vehicleSelection.ts';
import { archivedVehicles, restoreAction, type useArchivedVehicles } from './archivedVehicles.ts';
import { useVehicleColumns } from './useVehicleColumns.tsx';
import { vehicleRights } from './vehicleAdmin.ts';
import { countsOf, wanted, type TableFilter, type VehicleLine } from './vehicleTable.ts';

const SKELETON = [
  [16, 120, 60, 120, 100, 90, 40],
  [16, 90, 56, 120, 70, 110, 32],
  [16, 105, 64, 120, 120, 70, 40],
] as const;

/** What the table shows and does of the vehicles in service, or of the archived ones. */
interface ListedVehicles extends Required<
  Pick<ResourceListProps<VehicleLine>, 'load' | 'onRetry' | 'onCheck' | 'onMenu' | 'empty'>
> {
  actionsOn: (vehicles: readonly Vehicle[]) => readonly BulkAction[];
  /** Beside the bulk actions. */
  more: ReactNode;
}

/** Every vehicle that may be seen, as a table. */
export function VehiclesTab({
  vehicles,
  archived,
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
  /** Where they are archived ones: how their reading goes. */
  archived: Pick<ReturnType<typeof useArchivedVehicles>, 'load' | 'retry'> | null;
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
  // The same vehicles as on Live; archived ones are not there.
  const selected = useStore(app.view, (state) => state.selectedIds);
  const archivedSelection = archivedVehicles(app).checked;
  const selectedArchived = useStore(archivedSelection);
  const { mayWrite } = vehicleRights(app);
  const checked = archived === null ? selected : selectedArchived;
  const { actionsOn, more, ...list }: ListedVehicles =
    archived === null
      ? {
          load,
          onRetry: () => app.retry('vehicles'),
          onCheck: (ids) => selectVehicles(app, ids),
          onMenu: ({ vehicle }, at) => openVehicleMenu(app, vehicle.vehicle_id, at),
          empty: <NoVehicles onAdd={onAdd} onImport={onImport} />,
          actionsOn: (chosen) => (mayWrite ? bulkActions(app, chosen, t) : []),
          more: <SelectionMenu />,
        }
      : {
          load: archived.load,
          onRetry: archived.retry,
          onCheck: (ids) => archivedSelection.setState(new Set(ids), true),
          onMenu: ({ vehicle }, at) => openArchivedMenu(app, vehicle, at),
          empty: (
            <Notice
              icon={Truck}
              title={t('vehicles.archived_none')}
              actions={
                <Button onPress={() => onFilterChange({ archived: false })}>{t('list.show_all')}</Button>
              }
            />
          ),
          actionsOn: (chosen) => [restoreAction(app, idsOf(chosen))],
          more: null,
        };
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
      status: statuses.get(vehicle.vehicle_id) ?? (vehicle.archived_at === null ? 'never' : 'offline'),
      groups: namesOf(vehicle.group_ids),
      contactAt: app.positions.get(vehicle.vehicle_id)?.contactAt ?? null,
    }));
  }, [found, statuses, groups, app]);
  const chosen = useMemo(
    () => (checked.size === 0 ? [] : vehicles.filter((it) => checked.has(it.vehicle_id))),
    [vehicles, checked],
  );
  const notShown = useMemo(() => {
    const shown = new Set(found);
    return chosen.filter((it) => !shown.has(it)).length;
  }, [chosen, found]);
  const group = groupId === null ? undefined : groups.get(groupId);
  const kind =
    status === null ? t('list.no_vehicle') : t('list.no_vehicle_of', { status: t(`status.${status}`) });
  const what = text.trim() === '' ? kind : t('vehicles.with_text', { what: kind, text: text.trim() });

  return (
    <ResourceList
      {...list}
      checked={checked}
      name={t('list.title')}
      columns={columns}
      rows={rows}
      total={vehicles.length}
      keyOf={keyOf}
      selectedKey={selectedId}
      onSelect={(row) => onSelect(row.vehicle.vehicle_id)}
      asked={`${text} ${status ?? ''} ${groupId ?? ''} ${archived !== null}`}
      typed={filter.text}
      onType={(typed) => onFilterChange({ text: typed })}
      texts={{
        search: t('vehicles.search'),
        placeholder: t('vehicles.search_by'),
        loading: t('list.loading'),
        failed: t('list.failed'),
        failedStill: t('list.failed_still'),
        stale: t('vehicles.stale'),
      }}
      skeleton={SKELETON}
      notes={
        mayWrite &&
        unknownTerminals > 0 && (
          <div className="unknown-terminal-strip">
            <Icon of={Unplug} />
            <span className="fill">{t('vehicles.unknown_terminals_strip', { count: unknownTerminals })}</span>
            <Button size="small" onPress={onAdd}>
              {t('vehicles.unknown_terminals_show')}
            </Button>
          </div>
        )
      }
      filters={
        <VehicleFilters filter={filter} onFilterChange={onFilterChange} vehicles={vehicles} narrow={narrow} />
      }
      noMatch={{
        title:
          group === undefined
            ? t('list.filtered', { what })
            : t('list.filtered_in', { what, group: group.name }),
        back: text.trim() === '' && groupId !== null ? t('list.show_all_groups') : t('list.show_all'),
        onBack: () => onFilterChange({ text: '', status: null, groupId: null }),
      }}
      bulk={
        chosen.length > 0 && (
          <BulkActions
            title={t('many.title', { count: chosen.length })}
            actions={actionsOn(chosen)}
            more={
              <>
                {more}
                {notShown > 0 && <span className="small">{t('picked.not_shown', { count: notShown })}</span>}
              </>
            }
            onClear={() => list.onCheck(new Set())}
          />
        )
      }
    />
  );
}

const keyOf = (row: VehicleLine): string => row.vehicle.vehicle_id;
const idsOf = (vehicles: readonly Vehicle[]): string[] => vehicles.map((it) => it.vehicle_id);

/** No vehicle is in service: how the first one gets here, for those who may add it. */
function NoVehicles({ onAdd, onImport }: { onAdd: () => void; onImport: () => void }) {
  const app = useAppContext();
  const t = useT();
  const count = useStore(app.unknownTerminals.store, (state) => state.byId.size);
  if (!vehicleRights(app).mayWrite) {
    return (
      <Notice icon={Truck} title={t('list.empty')}>
        {t('list.empty_user')}
      </Notice>
    );
  }
  return (
    <Notice
      icon={Truck}
      title={t('list.empty')}
      actions={
        <>
          <Button kind="primary" onPress={onAdd}>
            {count > 0 ? t('list.add_unknown_terminals') : t('vehicle.add_by_terminal')}
          </Button>
          <Button onPress={onImport}>{t('vehicles.import')}</Button>
        </>
      }
    >
      {count > 0 ? t('list.empty_unknown_terminals', { count }) : t('list.empty_waiting')}
    </Notice>
  );
}

function bulkActions(app: AppContext, vehicles: readonly Vehicle[], t: Translate): BulkAction[] {
  const count = vehicles.length;
  const ids = idsOf(vehicles);
  const ofMembers = (id: 'join' | 'leave'): BulkAction => ({
    id,
    label: t(`many.${id}`),
    title: t(`many.${id}_title`, { count }),
    groups: t('vehicles.groups'),
    submit: t(`many.${id}_do`, { count }),
    jobs: (groupIds) => groupJobs(app, ids, groupIds, id === 'join' ? 'add' : 'remove'),
  });
  return [
    ofMembers('join'),
    ofMembers('leave'),
    {
      id: 'archive',
      label: t('many.archive'),
      title: t('many.archive_title', { count }),
      about: <p>{t('many.archive_what')}</p>,
      submit: t('many.archive_do', { count }),
      jobs: () => archiveJobs(app, ids),
    },
  ];
}

const ALL = 'all';

/** What the table is narrowed down by besides words: a status, a group. */
function VehicleFilters({
  filter,
  onFilterChange,
  vehicles,
  narrow,
}: {
  filter: TableFilter;
  onFilterChange: (filter: Partial<TableFilter>) => void;
  vehicles: readonly Vehicle[];
  narrow: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const statuses = useStore(app.statuses, (state) => state.byVehicle);
  const groups = useStore(app.groups.store, (state) => state.byId);
  const lost = useLostSince() !== null;
  const { isDealer } = vehicleRights(app);
  const { text, groupId, archived = false } = filter;
  const counts = useMemo(
    () => countsOf(wanted(vehicles, { text, groupId, status: null }, statuses), statuses),
    [vehicles, text, groupId, statuses],
  );
  const options = useMemo(
    () => [
      { id: ALL, label: t('list.all_groups') },
      ...sortedGroups(groups.values()).map(({ group_id, name }) => ({ id: group_id, label: name })),
    ],
    [groups, t],
  );
  return (
    <>
      <div className="manage__statuses" role="group" aria-label={t('list.filter')}>
        {isDealer && (
          <ToggleButton
            className="manage__status"
            isSelected={archived}
            onChange={(on) => onFilterChange({ archived: on })}
          >
            <Icon of={Archive} />
            <span>{t('vehicles.archived')}</span>
          </ToggleButton>
        )}
        {(archived || vehicles.length === 0 ? [] : shownStatuses).map((status) => (
          <ToggleButton
            key={status}
            className="manage__status"
            isSelected={filter.status === status}
            onChange={(on) => onFilterChange({ status: on ? status : null })}
            aria-label={t('list.filter_count', { status: t(`status.${status}`), number: counts[status] })}
          >
            <VehicleGlyph state={status} size={20} stale={lost} course={status === 'moving' ? 0 : null} />
            <b>{formatNumber(counts[status])}</b>
            {!narrow && <span>{t(`status.${status}`)}</span>}
          </ToggleButton>
        ))}
      </div>
      {groups.size > 0 && (
        <Choice
          quiet
          label={t('list.group')}
          options={options}
          value={groupId !== null && groups.has(groupId) ? groupId : ALL}
          onChange={(id) => onFilterChange({ groupId: id === ALL ? null : id })}
        />
      )}
    </>
  );
}
