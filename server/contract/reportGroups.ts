import type { ReportLayout } from './reportLayouts.ts';
import type { CalendarDays, CalendarNames } from './calendarDays.ts';
import type { RowGroup } from './reportLines.ts';

export interface GroupingWords {
  vehicleName: (id: string) => string;
  /** The groups that a vehicle is in, as far as they count for this report. */
  groupsOf: (vehicleId: string) => readonly { id: string; name: string }[];
  noGroup: string;
  noDriver: string;
  days: CalendarDays;
  spans: CalendarNames;
}

/** What a row is gathered by: its vehicle, and the date or the moment (Unix ms) at which it begins. */
export interface Groupable {
  vehicleId: string;
  /** Who drove; null: nobody is known. */
  driver: string | null;
  /** Two drivers may have one name; null: who drove is known by name or card alone. */
  driverId: string | null;
  date: string | null;
  from: number;
}

/**
 * The groups that a row stands in; null where rows are not grouped. By days, weeks and months of the depot's calendar a
 * row belongs to the one in which it begins; by groups it stands in each one that its vehicle is in.
 */
export function rowGroups(
  by: ReportLayout['group_by'],
  { vehicleName, groupsOf, noGroup, noDriver, days, spans }: GroupingWords,
): ((row: Groupable) => readonly RowGroup[]) | null {
  switch (by) {
    case 'none':
      return null;
    case 'vehicle':
      return ({ vehicleId }) => {
        const name = vehicleName(vehicleId);
        return [{ key: vehicleId, name, order: name }];
      };
    case 'driver':
      // Behind all that have a name.
      return ({ driver, driverId }) => [
        driver === null
          ? { key: '', name: noDriver, order: '\uffff' }
          : { key: driverId ?? `name ${driver}`, name: driver, order: driver },
      ];
    case 'group':
      return ({ vehicleId }) => {
        const groups = groupsOf(vehicleId).map(({ id, name }) => ({ key: id, name, order: name }));
        // Behind all that have a name.
        return groups.length > 0 ? groups : [{ key: '', name: noGroup, order: '\uffff' }];
      };
    case 'day':
    case 'week':
    case 'month': {
      // Naming a span costs more than finding it again, and a report has few of them.
      const known = new Map<string, RowGroup>();
      return ({ date, from }) => {
        const of = date ?? days.dateAt(from);
        let group = known.get(of);
        if (group === undefined) {
          const { key, name } = spans[by](of);
          group = { key, name, order: Date.parse(key) };
          known.set(of, group);
        }
        return [group];
      };
    }
  }
}
