import { eventKind, type EventKind, type Event } from '../../server/contract/events.ts';
import { severity, type Severity } from '../../server/contract/rules.ts';
import { PERIODS, type Period, type PeriodName } from '../ui/period.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Notification } from '../../server/contract/notifications.ts';

export const NOTIFICATION_STATES = ['all', 'open', 'shelved', 'acknowledged'] as const;
export type NotificationStateFilter = (typeof NOTIFICATION_STATES)[number];

/** What the screen of events shows, as its address names it. Null: not narrowed by it. */
export interface EventsAddress {
  view: 'notifications' | 'events';
  state: NotificationStateFilter;
  severity: Severity | null;
  kind: EventKind | null;
  /** One, or several separated by commas. */
  vehicle: string | null;
  rule: string | null;
  geofence: string | null;
  /** One with a name goes on with the time; another has two ends. */
  period: PeriodName | Period;
}

/** The vehicles that an address is narrowed to; none: all. */
export const vehiclesOf = ({ vehicle }: Pick<EventsAddress, 'vehicle'>): string[] =>
  vehicle?.split(',') ?? [];

export const DEFAULT_PERIOD: PeriodName = 'week';

/** Words that nobody knows are left out: an address may have been cut on its way. */
export function readEventsAddress(query: Readonly<Record<string, string>>): EventsAddress {
  const word = <T extends string>(name: string, known: readonly T[]): T | null =>
    known.find((it) => it === query[name]) ?? null;
  return {
    view: word('view', ['events']) ?? 'notifications',
    state: word('state', NOTIFICATION_STATES) ?? 'all',
    severity: word('severity', severity.options),
    kind: word('kind', eventKind.options),
    vehicle: query['vehicle'] ?? null,
    rule: query['rule'] ?? null,
    geofence: query['geofence'] ?? null,
    period:
      ownPeriod(query['from'], query['to']) ?? word('period', [...PERIODS, 'all'] as const) ?? DEFAULT_PERIOD,
  };
}

/** The words of the address; null takes one out. What is the default is not named. */
export function writeEventsAddress(address: EventsAddress): Record<string, string | null> {
  const { view, state, period } = address;
  const isOwn = typeof period !== 'string';
  return {
    view: view === 'notifications' ? null : view,
    state: state === 'all' ? null : state,
    severity: address.severity,
    kind: address.kind,
    vehicle: address.vehicle,
    rule: address.rule,
    geofence: address.geofence,
    period: isOwn || period === DEFAULT_PERIOD ? null : period,
    from: isOwn ? new Date(period.from).toISOString() : null,
    to: isOwn ? new Date(period.to).toISOString() : null,
  };
}

function ownPeriod(from: string | undefined, to: string | undefined): Period | null {
  const period = { from: Date.parse(from ?? ''), to: Date.parse(to ?? '') };
  return period.from < period.to ? period : null;
}

/** What the operator holds on the screen of events; keys act on it. */
export interface EventsHeld {
  notification: Notification | null;
  event: Event | null;
}

export type EventsView = StoreApi<EventsHeld>;

export function createEventsView(): EventsView {
  return createStore<EventsHeld>(() => ({ notification: null, event: null }));
}
