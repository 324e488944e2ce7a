import { reportKinds, type ReportKind } from '../../server/contract/reportRows.ts';
import type { User } from '../../server/contract/users.ts';
import type { TextKey } from '../i18n/text.ts';
import { canOpen } from '../navigation/navigation.ts';
import type { Answered, ReportFilter } from './reportQuery.ts';

/** The kinds of reports that a user may run, in their order. */
export const kindsFor = (user: User): readonly ReportKind[] =>
  reportKinds.filter((kind) => (kind !== 'events' && kind !== 'video') || canOpen(user, kind));

/** What the kinds are called. */
export const KIND_NAMES: Readonly<Record<ReportKind, TextKey>> = {
  summary: 'reports.kind.summary',
  daily: 'reports.kind.daily',
  utilisation: 'reports.kind.utilisation',
  hours: 'reports.kind.hours',
  trips: 'reports.kind.trips',
  stops: 'reports.kind.stops',
  'geofence-visits': 'reports.kind.geofence_visits',
  overspeed: 'reports.kind.overspeed',
  events: 'reports.kind.events',
  video: 'reports.kind.video',
};

/** What the screen of reports is left with and comes back with. */
export interface ReportsView {
  /** As the form stands; null before the first visit. */
  filter: ReportFilter | null;
  /** The report that is shown, and what it was asked for; `byDriver`: its sums are cut where another driver takes over. */
  shown: { answered: Answered; filter: ReportFilter; byDriver: boolean } | null;
  /** The row that is shown on the map, and where History opens. */
  selected: { rowKey: string; vehicleId: string; at: string; span: { from: number; to: number } } | null;
  /** Keys of the groups whose rows are not shown. */
  closedGroups: ReadonlySet<string>;
}

export const FIRST_VIEW: ReportsView = {
  filter: null,
  shown: null,
  selected: null,
  closedGroups: new Set(),
};
