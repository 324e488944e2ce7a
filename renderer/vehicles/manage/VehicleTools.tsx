import { useMemo } from 'react';
import { ToggleButton } from 'react-aria-components';
import { useStore } from 'zustand';
import { vehicleStatus, type Vehicle } from '../../../server/contract/vehicles.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useLostSince } from '../../desk/useMoment.ts';
import { numberText } from '../../format/numbers.ts';
import { sortedGroups } from '../../groups/groupOrder.ts';
import { useText } from '../../i18n/useText.ts';
import { VehicleGlyph } from '../../map/glyphs/VehicleGlyph.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { countsOf, wanted, type TableWish } from './vehicleTable.ts';

const ALL = 'all';

/** What the table is narrowed down by: words, a status, a group. */
export function VehicleTools({
  wish,
  onWish,
  vehicles,
  shown,
  narrow,
}: {
  wish: TableWish;
  onWish: (wish: Partial<TableWish>) => void;
  vehicles: readonly Vehicle[];
  /** Rows that are left. */
  shown: number;
  narrow: boolean;
}) {
  const desk = useDesk();
  const say = useText();
  const statuses = useStore(desk.statuses, (state) => state.byVehicle);
  const groups = useStore(desk.groups.store, (state) => state.byId);
  const lost = useLostSince() !== null;
  const { text, groupId } = wish;
  const counts = useMemo(
    () => countsOf(wanted(vehicles, { text, groupId, status: null }, statuses), statuses),
    [vehicles, text, groupId, statuses],
  );
  const options = useMemo(
    () => [
      { id: ALL, label: say('list.all_groups') },
      ...sortedGroups(groups.values()).map(({ group_id, name }) => ({ id: group_id, label: name })),
    ],
    [groups, say],
  );
  return (
    <div className="manage__tools">
      <div className="manage__search">
        <TextField
          hiddenLabel
          type="search"
          label={say('vehicles.search')}
          placeholder={say('vehicles.search_by')}
          value={text}
          onChange={(next) => onWish({ text: next })}
          maxLength={100}
        />
      </div>
      <div className="manage__statuses" role="group" aria-label={say('list.filter')}>
        {vehicleStatus.options.map((status) => (
          <ToggleButton
            key={status}
            className="manage__status"
            isSelected={wish.status === status}
            onChange={(on) => onWish({ status: on ? status : null })}
            aria-label={say('list.filter_count', { status: say(`status.${status}`), number: counts[status] })}
          >
            <VehicleGlyph state={status} size={20} stale={lost} course={status === 'moving' ? 0 : null} />
            <b>{numberText(counts[status])}</b>
            {!narrow && <span>{say(`status.${status}`)}</span>}
          </ToggleButton>
        ))}
      </div>
      {groups.size > 0 && (
        <Choice
          quiet
          label={say('list.group')}
          options={options}
          value={groupId !== null && groups.has(groupId) ? groupId : ALL}
          onChange={(id) => onWish({ groupId: id === ALL ? null : id })}
        />
      )}
      <span className="fill" />
      {shown !== vehicles.length && (
        <span className="faint small" role="status">
          {say('vehicles.shown', { shown: numberText(shown), all: numberText(vehicles.length) })}
        </span>
      )}
    </div>
  );
}
