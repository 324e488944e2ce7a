import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { ReportLayout } from '../../server/contract/reportLayouts.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { calendarNames } from '../format/calendarNames.ts';
import { useT } from '../i18n/useT.ts';
import type { CalendarDays } from '../../server/contract/calendarDays.ts';
import { rowGroups } from '../../server/contract/reportGroups.ts';
import type { RowGroup } from '../../server/contract/reportLines.ts';
import type { AnyRow, RowSubject } from './reportSubjects.ts';
import type { ReportNames } from './useReportColumns.tsx';

export type GroupsOf = (row: AnyRow) => readonly RowGroup[];

/** The groups of a report's rows; null where they are not grouped. */
export function useGroupsOf({
  by,
  names,
  days,
  groupId,
  subjectOf,
}: {
  by: ReportLayout['group_by'];
  names: ReportNames;
  days: CalendarDays;
  /** The group that the report was asked for; its rows are gathered under no other. */
  groupId: string | null;
  subjectOf: (row: AnyRow) => RowSubject;
}): GroupsOf | null {
  const app = useAppContext();
  const t = useT();
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const groups = useStore(app.groups.store, (state) => state.byId);
  return useMemo(() => {
    const of = rowGroups(by, {
      vehicleName: names.vehicle,
      groupsOf: (vehicleId) =>
        (vehicles.get(vehicleId)?.group_ids ?? [])
          .filter((id) => groupId === null || id === groupId)
          .flatMap((id) => {
            const name = groups.get(id)?.name;
            return name === undefined ? [] : [{ id, name }];
          }),
      noGroup: t('reports.no_group'),
      noDriver: t('reports.no_driver'),
      days,
      spans: calendarNames((parts) => t('reports.week', { ...parts })),
    });
    if (of === null) return null;
    return (row: AnyRow) => {
      const date = 'date' in row ? row.date : null;
      const driver = 'driver' in row ? (row.driver ?? null) : null;
      const driverId = 'driver_id' in row ? (row.driver_id ?? null) : null;
      const from = date === null ? subjectOf(row).from : 0;
      return of({ vehicleId: row.vehicle_id, driver, driverId, date, from });
    };
  }, [by, names, vehicles, groups, groupId, days, subjectOf, t]);
}
