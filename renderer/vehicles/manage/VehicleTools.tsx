import { useMemo } from 'react';
import { ToggleButton } from 'react-aria-components';
import { useStore } from 'zustand';
import { vehicleStatus, type Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { formatNumber } from '../../format/numbers.ts';
import { sortedGroups } from '../../groups/groupOrder.ts';
import { useT } from '../../i18n/useT.ts';
import { VehicleGlyph } from '../../map/glyphs/VehicleGlyph.tsx';
import { Choice } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { countsOf, wanted, type TableFilter } from './vehicleTable.ts';

const ALL = 'all';

/** What the table is narrowed down by: words, a status, a group. */
export function VehicleTools({
  filter,
  onFilterChange,
  vehicles,
  shown,
  narrow,
}: {
  filter: TableFilter;
  onFilterChange: (filter: Partial<TableFilter>) => void;
  vehicles: readonly Vehicle[];
  /** Rows that are left. */
  shown: number;
  narrow: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const statuses = useStore(app.statuses, (state) => state.byVehicle);
  const groups = useStore(app.groups.store, (state) => state.byId);
  const lost = useLostSince() !== null;
  const { text, groupId } = filter;
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
    <div className="manage__tools">
      <div className="manage__search">
        <TextField
          hiddenLabel
          type="search"
          label={t('vehicles.search')}
          placeholder={t('vehicles.search_by')}
          value={text}
          onChange={(next) => onFilterChange({ text: next })}
          maxLength={100}
        />
      </div>
      <div className="manage__statuses" role="group" aria-label={t('list.filter')}>
        {vehicleStatus.options.map((status) => (
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
      <span className="fill" />
      {shown !== vehicles.length && (
        <span className="faint small" role="status">
          {t('vehicles.shown', { shown: formatNumber(shown), all: formatNumber(vehicles.length) })}
        </span>
      )}
    </div>
  );
}
