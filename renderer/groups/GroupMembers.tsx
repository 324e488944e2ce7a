import { X } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { GroupEntry } from '../../server/contract/groups.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { MultiSelect } from '../ui/MultiSelect.tsx';
import { setInGroup } from '../vehicles/manage/vehicleAdmin.ts';

/** The vehicles of a group: each is put in or taken out at once. */
export function GroupMembers({
  group,
  members,
  vehicles,
  disabled,
}: {
  group: GroupEntry;
  members: readonly Vehicle[];
  /** All that may be seen, by name. */
  vehicles: readonly Vehicle[];
  disabled: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const { sentence, run } = useAction();
  const groupId = group.group_id;

  const set = useCallback(
    (vehicleId: string, member: boolean) => void run(() => setInGroup(app, vehicleId, groupId, member)),
    [app, groupId, run],
  );
  const others = useMemo(
    () =>
      vehicles
        .filter((it) => !it.group_ids.includes(groupId))
        .map(({ vehicle_id, name, plate, terminal_id }) => ({
          id: vehicle_id,
          name,
          detail: plate === null ? terminal_id : `${plate}, ${terminal_id}`,
        })),
    [vehicles, groupId],
  );
  const columns = useMemo((): Column<Vehicle>[] => {
    const list: Column<Vehicle>[] = [
      {
        id: 'name',
        head: t('vehicle.name'),
        value: ({ name }) => name,
        width: 'minmax(96px, 1fr)',
      },
      {
        id: 'plate',
        head: t('vehicle.plate'),
        value: ({ plate }) => plate,
        width: 'minmax(80px, 1fr)',
      },
    ];
    if (!disabled) {
      list.push({
        id: 'out',
        head: '',
        value: () => null,
        cell: ({ vehicle_id, name }) => (
          <IconButton
            icon={X}
            size="small"
            label={t('pick.remove', { name })}
            onPress={() => set(vehicle_id, false)}
          />
        ),
        sortable: false,
        width: '24px',
      });
    }
    return list;
  }, [t, disabled, set]);

  return (
    <>
      <h3>
        {t('list.title')} <span className="faint">{formatNumber(members.length)}</span>
      </h3>
      {!disabled && (
        <MultiSelect
          label={t('groups.put_in')}
          placeholder={t('vehicles.find')}
          items={others}
          value={NOTHING}
          onChange={(ids) => {
            for (const id of ids) set(id, true);
          }}
          fault={sentence}
        />
      )}
      {members.length === 0 ? (
        <p className="quiet">{t('groups.no_vehicles')}</p>
      ) : (
        <div className="group-side__table" style={{ '--rows': String(Math.min(members.length, 10) + 1) }}>
          <DataTable
            name={t('groups.members', { name: group.name })}
            columns={columns}
            rows={members}
            keyOf={keyOf}
            initialSort={BY_NAME}
          />
        </div>
      )}
    </>
  );
}

const NOTHING: readonly string[] = [];
const keyOf = ({ vehicle_id }: Vehicle): string => vehicle_id;
const BY_NAME = { id: 'name', desc: false };
