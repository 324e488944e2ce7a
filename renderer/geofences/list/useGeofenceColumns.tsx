import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Geofence } from '../../../server/contract/geofences.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { formatSpeed } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { scheduleText } from '../../ui/scheduleLabels.ts';
import { areaM2, groupsText, sizeText } from '../geofenceLabels.ts';
import { ColorMark } from '../form/ColorField.tsx';

/** The columns of the list of geofences; `narrow` for beside the panel. */
export function useGeofenceColumns(narrow: boolean): readonly Column<Geofence>[] {
  const app = useAppContext();
  const t = useT();
  const groups = useStore(app.groups.store, (state) => state.byId);
  return useMemo(() => {
    const groupsOf = (geofence: Geofence) =>
      groupsText(geofence.group_ids, (id) => groups.get(id)?.name ?? t('geofence.group_unseen'), t);
    const hoursOf = ({ schedule }: Geofence) =>
      schedule === null ? t('schedule.always') : scheduleText(schedule);
    const few: Column<Geofence>[] = [
      {
        id: 'name',
        head: t('geofence.name'),
        value: ({ name }) => name,
        cell: ({ name, color, not_monitored }) => (
          <span className="geofence-list__name" title={name}>
            <ColorMark color={color} />
            <span className="strong ellipsis">{name}</span>
            {not_monitored && (
              <span className="in-warning" title={t('geofence.not_monitored', not_monitored)}>
                {t('geofences.not_monitored')}
              </span>
            )}
          </span>
        ),
        width: 'minmax(112px, 2fr)',
      },
      {
        id: 'shape',
        head: t('geofence.shape'),
        value: ({ shape }) => t(`geofence.shape.${shape}`),
        width: '56px',
      },
      {
        id: 'size',
        head: t('geofences.size'),
        value: areaM2,
        cell: (geofence) => <span title={sizeText(geofence, t)}>{sizeText(geofence, t)}</span>,
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
        head: t('geofences.limit'),
        value: ({ speed_limit_kmh }) => speed_limit_kmh,
        cell: ({ speed_limit_kmh }) => (speed_limit_kmh === null ? '' : formatSpeed(speed_limit_kmh)),
        align: 'end',
        width: '64px',
      },
      {
        id: 'groups',
        head: t('geofences.groups'),
        value: groupsOf,
        cell: (geofence) => (
          <span className="quiet" title={groupsOf(geofence)}>
            {groupsOf(geofence)}
          </span>
        ),
        width: 'minmax(88px, 1fr)',
      },
      {
        id: 'schedule',
        head: t('geofence.schedule'),
        value: hoursOf,
        cell: (geofence) => (
          <span className="quiet" title={hoursOf(geofence)}>
            {hoursOf(geofence)}
          </span>
        ),
        width: 'minmax(64px, 1fr)',
      },
    ];
  }, [groups, t, narrow]);
}
