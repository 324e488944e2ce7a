import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Geofence } from '../../../server/contract/geofences.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { speedText } from '../../format/numbers.ts';
import { useText } from '../../i18n/useText.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { scheduleText } from '../../ui/scheduleWords.ts';
import { areaM2, groupsText, sizeText } from '../fenceWords.ts';
import { ColorMark } from '../form/ColorField.tsx';

/** The columns of the list of geofences; `narrow` for beside the panel. */
export function useFenceColumns(narrow: boolean): readonly Column<Geofence>[] {
  const desk = useDesk();
  const say = useText();
  const groups = useStore(desk.groups.store, (state) => state.byId);
  return useMemo(() => {
    const groupsOf = (fence: Geofence) =>
      groupsText(fence.group_ids, (id) => groups.get(id)?.name ?? say('fence.group_unseen'), say);
    const hoursOf = ({ schedule }: Geofence) =>
      schedule === null ? say('schedule.always') : scheduleText(schedule);
    const few: Column<Geofence>[] = [
      {
        id: 'name',
        head: say('fence.name'),
        value: ({ name }) => name,
        cell: ({ name, color, not_monitored }) => (
          <span className="fence-list__name" title={name}>
            <ColorMark color={color} />
            <span className="strong ellipsis">{name}</span>
            {not_monitored && (
              <span className="in-warning" title={say('fence.not_monitored', not_monitored)}>
                {say('fences.not_monitored')}
              </span>
            )}
          </span>
        ),
        width: 'minmax(112px, 2fr)',
      },
      {
        id: 'shape',
        head: say('fence.shape'),
        value: ({ shape }) => say(`fence.shape.${shape}`),
        width: '56px',
      },
      {
        id: 'size',
        head: say('fences.size'),
        value: areaM2,
        cell: (fence) => <span title={sizeText(fence, say)}>{sizeText(fence, say)}</span>,
        align: 'end',
        width: '112px',
      },
    ];
    // Beside an open geofence its name counts, and its size says what shape it is.
    if (narrow) return few.filter(({ id }) => id !== 'shape');
    return [
      ...few,
      {
        id: 'limit',
        head: say('fences.limit'),
        value: ({ speed_limit_kmh }) => speed_limit_kmh,
        cell: ({ speed_limit_kmh }) => (speed_limit_kmh === null ? '' : speedText(speed_limit_kmh)),
        align: 'end',
        width: '64px',
      },
      {
        id: 'groups',
        head: say('fences.groups'),
        value: groupsOf,
        cell: (fence) => (
          <span className="quiet" title={groupsOf(fence)}>
            {groupsOf(fence)}
          </span>
        ),
        width: 'minmax(88px, 1fr)',
      },
      {
        id: 'schedule',
        head: say('fence.schedule'),
        value: hoursOf,
        cell: (fence) => (
          <span className="quiet" title={hoursOf(fence)}>
            {hoursOf(fence)}
          </span>
        ),
        width: 'minmax(64px, 1fr)',
      },
    ];
  }, [groups, say, narrow]);
}
