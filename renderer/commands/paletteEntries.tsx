import {
  Bookmark,
  Building2,
  Command as CommandIcon,
  Ellipsis,
  FileChartColumn,
  Hexagon,
  History,
  House,
  IdCard,
  LocateFixed,
  MapPin,
  Settings2,
  Signpost,
  UserRound,
  UsersRound,
  Waves,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Incident } from '../../server/contract/incidents.ts';
import type { FoundKind, FoundPlace } from '../../server/contract/places.ts';
import type { ReportKind } from '../../server/contract/reportRows.ts';
import type { Rule } from '../../server/contract/rules.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { driverText } from '../drivers/DriverName.tsx';
import type { EventsAddress } from '../events/eventsAddress.ts';
import { formatSpeed } from '../format/numbers.ts';
import type { TextKey } from '../i18n/text.ts';
import { showNotification, showVehicle } from '../live/liveActions.ts';
import { latLon } from '../map/geodesy.ts';
import { VehicleGlyph } from '../map/glyphs/VehicleGlyph.tsx';
import { showView } from '../mapViews/mapViewActions.ts';
import { canOpen } from '../navigation/navigation.ts';
import { alarmLabels } from '../notifications/alarmLabels.ts';
import { showFound } from '../points/mapPoint.ts';
import { partsOfFound } from '../points/placeSearch.ts';
import { KIND_NAMES, kindsFor } from '../reports/reportView.ts';
import { statusWords } from '../telemetry/statusWords.ts';
import { Icon } from '../ui/Icon.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { COMMANDS } from './commands.ts';
import { bestMatches, type Found, type Items, type ItemSearch, type Part } from '../search/itemSearch.ts';
import {
  driverSearch,
  geofenceSearch,
  groupSearch,
  incidentSearch,
  ruleSearch,
  userSearch,
  vehicleSearch,
} from '../search/searches.ts';
import { keycapOf } from './shortcuts.ts';

export interface PaletteEntry {
  id: string;
  group: TextKey;
  icon: ReactNode;
  parts: Part[];
  detail: string;
  keycap: string | null;
  run: () => void;
  /** Of an alarm: the events that it has shown already. */
  event_ids?: readonly string[];
}

const PER_GROUP = 6;

/** What the console itself finds for what was typed; after `>` commands alone. @param rules as far as they were read */
export function paletteEntries(
  app: AppContext,
  input: string,
  rules: ReadonlyMap<string, Rule> = new Map(),
): PaletteEntry[] {
  if (isCommandsOnly(input)) return commandEntries(app, input.slice(1), 40);
  if (input.trim() === '') return [...momentEntries(app, ''), ...commandEntries(app, '', 40)];
  return [
    ...vehicleEntries(app, input),
    ...momentEntries(app, input),
    ...incidentEntries(app, input),
    ...driverEntries(app, input),
    ...geofenceEntries(app, input),
    ...ruleEntries(app, rules, input),
    ...groupEntries(app, input),
    ...userEntries(app, input),
    ...reportEntries(app, input),
    ...settingsEntries(app, input),
    ...viewEntries(app, input, PER_GROUP),
    ...commandEntries(app, input, PER_GROUP),
  ];
}

/**
 * What is found now, without moving the row that the operator is at: down to it all stay where they are shown, and what
 * has come meanwhile stands below it.
 */
export function keptInPlace(
  shown: readonly PaletteEntry[],
  found: readonly PaletteEntry[],
  at: number,
): readonly PaletteEntry[] {
  const byId = new Map(found.map((entry) => [entry.id, entry]));
  const kept = shown.slice(0, at + 1).map((entry) => byId.get(entry.id) ?? entry);
  const ids = new Set(kept.map(({ id }) => id));
  return [...kept, ...found.filter(({ id }) => !ids.has(id))];
}

/** The newest of the events that were found, without those that an alarm in the palette stands for. */
export function eventsBeside(
  own: readonly PaletteEntry[],
  events: readonly PaletteEntry[],
): readonly PaletteEntry[] {
  const shown = new Set(own.flatMap((it) => it.event_ids ?? []).map(eventEntryId));
  return events.filter(({ id }) => !shown.has(id)).slice(0, PER_GROUP);
}

export const eventEntryId = (event_id: string): string => `event-${event_id}`;

/** Calls when what the palette finds may have changed; returns its end. */
export function onSearchedChange(app: AppContext, run: () => void): () => void {
  const { vehicles, drivers, geofences, groups, users, notifications, incidents } = app;
  const records = [vehicles, drivers, geofences, groups, users, notifications, incidents];
  const stops = [
    ...records.map(({ store }) => store.subscribe(run)),
    // Addresses that come, and how vehicles are.
    ...[app.places.edition, app.statuses, app.attention].map((store) => store.subscribe(run)),
  ];
  return () => stops.forEach((stop) => stop());
}

export const isCommandsOnly = (input: string): boolean => input.startsWith('>');

const PLACE_ICONS: Record<FoundKind, typeof House> = {
  coordinates: LocateFixed,
  address: House,
  street: Signpost,
  place: Building2,
  poi: MapPin,
  water: Waves,
};

/** What the map files hold of it: behind all that the console knows, because it comes later. */
export function placeEntries(app: AppContext, places: readonly FoundPlace[], typed: string): PaletteEntry[] {
  return places.map((place) => ({
    id: `place-${place.kind}-${place.lat}-${place.lon}-${encodeURIComponent(place.name)}`,
    group: 'palette.places',
    icon: <Icon of={PLACE_ICONS[place.kind]} />,
    parts: partsOfFound(place.name, typed),
    detail: [app.t(`place.${place.kind}`), place.town]
      .filter((it) => it !== null && it !== place.name)
      .join(', '),
    keycap: null,
    run: () => showFound(app, place),
  }));
}

/** Prepares the search for so many vehicles; returns whether any are left. */
export const warmSearch = (app: AppContext, most: number): boolean =>
  vehicleSearch.warm(app.vehicles.store.getState().byId, most);

function vehicleEntries(app: AppContext, typed: string): PaletteEntry[] {
  const { byId } = app.vehicles.store.getState();
  const { found, others } = vehicleSearch.best(byId, typed, PER_GROUP);
  return [
    ...foundVehicles(app, found),
    ...(others > 0 ? [furtherVehicles(app, typed, others)] : []),
    ...found
      .slice(0, 1)
      .flatMap(({ item: { name, vehicle_id: vehicle } }) =>
        pastOf(app, 'palette.moments', 'palette.events_of', name, { view: 'events', vehicle }),
      ),
  ];
}

/** Leads to what the console does not hold: all that was recorded of the best match, in the whole past. */
function pastOf(
  app: AppContext,
  group: TextKey,
  label: 'palette.events_of' | 'palette.notifications_of',
  name: string,
  address: Partial<Pick<EventsAddress, 'view' | 'vehicle' | 'geofence' | 'rule'>>,
): PaletteEntry[] {
  if (!canOpen(app.user, 'events')) return [];
  const id = address.vehicle ?? address.geofence ?? address.rule;
  return [
    {
      id: `events-${id}`,
      group,
      icon: <Icon of={History} />,
      parts: [{ text: app.t(label, { name }), typed: false }],
      detail: app.t('period.all'),
      keycap: null,
      run: () => app.navigation.go('events', { ...address, period: 'all' }),
    },
  ];
}

/** Leads to all that match, in the table of vehicles. */
const furtherVehicles = (app: AppContext, typed: string, count: number): PaletteEntry => ({
  id: 'further-vehicles',
  group: 'palette.vehicles',
  icon: <Icon of={Ellipsis} />,
  parts: [{ text: app.t('palette.further_vehicles', { count }), typed: false }],
  detail: '',
  keycap: null,
  run: () => app.navigation.go('vehicles', { q: typed.trim() }),
});

function foundVehicles(app: AppContext, found: readonly Found<Vehicle>[]): PaletteEntry[] {
  return found.map(({ item: vehicle, parts }) => {
    const id = vehicle.vehicle_id;
    const status = app.statuses.getState().byVehicle.get(id) ?? 'never';
    const needs = app.attention.getState().byVehicle.get(id);
    const live = app.positions.get(id);
    const does = statusWords(status, live, app.t);
    return {
      id: `vehicle-${id}`,
      group: 'palette.vehicles',
      icon: (
        <VehicleGlyph
          state={status}
          severity={needs?.severity ?? null}
          acknowledged={needs?.acknowledged ?? false}
          course={live?.fix?.course_deg ?? null}
          size={20}
        />
      ),
      parts,
      detail: [driverText(vehicle, app.t), app.places.ofVehicle(id), does]
        .filter((it) => it !== null && it !== '')
        .join(', '),
      keycap: null,
      run: () => {
        app.navigation.go('live', { vehicle: id });
        showVehicle(app, id, { locate: true });
      },
    };
  });
}

type EntryParts = Pick<PaletteEntry, 'id' | 'group' | 'icon' | 'run'> & { detail?: string };

/** The best matches among items of one kind. */
function foundEntries<Item>(
  search: ItemSearch<Item>,
  items: Items<Item>,
  typed: string,
  entryOf: (item: Item) => EntryParts,
  /** What stands behind them, of the best. */
  pastOfBest: (item: Item) => PaletteEntry[] = () => [],
): PaletteEntry[] {
  const { found } = search.best(items, typed, PER_GROUP);
  return [
    ...found.map(({ item, parts }) => ({ ...{ detail: '', keycap: null, parts }, ...entryOf(item) })),
    ...found.slice(0, 1).flatMap(({ item }) => pastOfBest(item)),
  ];
}

/** The same among a few that have no texts of their own but those of the language. */
function namedEntries<Item>(
  items: Iterable<Item>,
  textOf: (item: Item) => string,
  typed: string,
  entryOf: (item: Item) => EntryParts,
): PaletteEntry[] {
  return bestMatches(items, textOf, typed, PER_GROUP).map(({ item, parts }) => ({
    ...{ detail: '', keycap: null, parts },
    ...entryOf(item),
  }));
}

const driverEntries = (app: AppContext, typed: string): PaletteEntry[] =>
  foundEntries(driverSearch, app.drivers.store.getState().byId, typed, ({ driver_id }) => ({
    id: `driver-${driver_id}`,
    group: 'palette.drivers',
    icon: <Icon of={IdCard} />,
    detail: [...app.vehicles.store.getState().byId.values()]
      .filter((it) => it.current_driver?.driver_id === driver_id)
      .map((it) => it.name)
      .join(', '),
    run: () => app.navigation.go('vehicles', { tab: 'drivers', id: driver_id }),
  }));

const ruleEntries = (app: AppContext, rules: ReadonlyMap<string, Rule>, typed: string): PaletteEntry[] =>
  foundEntries(
    ruleSearch,
    rules,
    typed,
    ({ rule_id, severity, enabled }) => ({
      id: `rule-${rule_id}`,
      group: 'rail.rules',
      icon: <SeverityMark severity={severity} spoken={false} />,
      detail: enabled ? '' : app.t('palette.rule_off'),
      run: () => app.navigation.go('rules', { id: rule_id }),
    }),
    ({ name, rule_id: rule }) => pastOf(app, 'rail.rules', 'palette.notifications_of', name, { rule }),
  );

const groupEntries = (app: AppContext, typed: string): PaletteEntry[] =>
  foundEntries(groupSearch, app.groups.store.getState().byId, typed, ({ group_id }) => ({
    id: `group-${group_id}`,
    group: 'palette.groups',
    icon: <Icon of={UsersRound} />,
    run: () => app.navigation.go('vehicles', { group: group_id }),
  }));

function userEntries(app: AppContext, typed: string): PaletteEntry[] {
  if (!canOpen(app.user, 'users')) return [];
  return foundEntries(userSearch, app.users.store.getState().byId, typed, ({ user_id }) => ({
    id: `user-${user_id}`,
    group: 'palette.users',
    icon: <Icon of={UserRound} />,
    run: () => app.navigation.go('users', { id: user_id }),
  }));
}

/** Those that the console holds: every open one, and those looked at. */
function incidentEntries(app: AppContext, typed: string): PaletteEntry[] {
  const search = incidentSearch(app.vehicles.store.getState().byId);
  return foundEntries(search, app.incidents.store.getState().byId, typed, (it) => incidentEntry(app, it));
}

export const incidentEntry = (
  { t, navigation }: AppContext,
  { incident_id, severity, status }: Incident,
) => ({
  id: `incident-${incident_id}`,
  group: 'rail.incidents' as const,
  icon: <SeverityMark severity={severity} spoken={false} />,
  detail: t(`incident.status.${status}`),
  run: () => navigation.go('incidents', { id: incident_id }),
});

function reportEntries(app: AppContext, typed: string): PaletteEntry[] {
  if (!canOpen(app.user, 'reports')) return [];
  const textOf = (kind: ReportKind) => `${app.t('rail.reports')} · ${app.t(KIND_NAMES[kind])}`;
  return namedEntries(kindsFor(app.user), textOf, typed, (kind) => ({
    id: `report-${kind}`,
    group: 'rail.reports',
    icon: <Icon of={FileChartColumn} />,
    run: () => app.navigation.go('reports', { kind }),
  }));
}

const SETTINGS = [
  { tab: null, title: 'settings.general' },
  { tab: 'language', title: 'language.title' },
  { tab: 'terminals', title: 'intake.title', ofDealers: true },
  { tab: 'maps', title: 'maps.title' },
  { tab: 'api_tokens', title: 'api_tokens.tab' },
  { tab: 'keys', title: 'keys.title' },
  { tab: 'audit', title: 'audit.title', ofDealers: true },
  { tab: 'about', title: 'about.title' },
] as const;

function settingsEntries(app: AppContext, typed: string): PaletteEntry[] {
  const open = SETTINGS.filter((it) => !('ofDealers' in it) || app.user.role === 'dealer');
  const textOf = ({ title }: (typeof SETTINGS)[number]) => `${app.t('rail.settings')} · ${app.t(title)}`;
  return namedEntries(open, textOf, typed, ({ tab }) => ({
    id: `settings-${tab ?? 'depot'}`,
    group: 'palette.settings',
    icon: <Icon of={Settings2} />,
    run: () => app.navigation.go('settings', { tab }),
  }));
}

function momentEntries(app: AppContext, typed: string): PaletteEntry[] {
  const time = app.settings.getState().time;
  const open = [...app.notifications.store.getState().byId.values()]
    .filter((it) => typed !== '' || it.state === 'open')
    .sort((a, b) => (a.last_time < b.last_time ? 1 : -1))
    .map((notification) => {
      const vehicle = app.vehicles.store.getState().byId.get(notification.vehicle_id ?? '');
      const words = alarmLabels(notification, app);
      const text = `${vehicle?.name ?? ''} ${words.kind} ${time.clock(Date.parse(notification.last_time))}`;
      const { rule_name } = notification;
      // A rule is often named as what it is about.
      return { notification, words, text: rule_name === words.kind ? text : `${text} ${rule_name}` };
    });
  return bestMatches(open, (it) => it.text, typed, 4).map(({ item: { notification, words }, parts }) => ({
    id: `moment-${notification.notification_id}`,
    group: 'palette.moments',
    icon: <SeverityMark severity={notification.severity} spoken={false} />,
    parts,
    detail: `${words.what}, ${app.t(`notification.${notification.state}`)}`,
    keycap: null,
    event_ids: notification.event_ids,
    run: () => {
      app.navigation.go('live', {
        vehicle: notification.vehicle_id,
        notification: notification.notification_id,
      });
      showNotification(app, notification, { locate: true });
    },
  }));
}

function viewEntries(app: AppContext, typed: string, limit: number): PaletteEntry[] {
  const { views } = app.savedViews.store.getState().saved;
  return bestMatches(views, ({ name }) => app.t('views.palette', { name }), typed, limit).map(
    ({ item: view, parts }) => ({
      id: `view-${views.indexOf(view)}`,
      group: 'palette.commands',
      icon: <Icon of={Bookmark} />,
      parts,
      detail: '',
      keycap: null,
      run: () => showView(app, view),
    }),
  );
}

const geofenceEntries = (app: AppContext, typed: string): PaletteEntry[] =>
  foundEntries(
    geofenceSearch,
    app.geofences.store.getState().byId,
    typed,
    (geofence) => ({
      id: `fence-${geofence.geozone_id}`,
      group: 'palette.geofences',
      icon: <Icon of={Hexagon} />,
      detail:
        geofence.speed_limit_kmh === null
          ? ''
          : app.t('geofence.limit_is', { limit: formatSpeed(geofence.speed_limit_kmh) }),
      run: () => {
        app.navigation.go('live');
        app.view.setState({ geozoneId: geofence.geozone_id });
        const corners: readonly (readonly number[])[] =
          geofence.geometry.type === 'Point'
            ? [geofence.geometry.coordinates]
            : geofence.geometry.type === 'LineString'
              ? geofence.geometry.coordinates
              : geofence.geometry.type === 'Polygon'
                ? geofence.geometry.coordinates.flat()
                : geofence.geometry.coordinates.flat(2);
        app.map.current()?.camera.fitAll(corners.map((corner) => latLon([...corner])));
      },
    }),
    ({ name, geozone_id: geofence }) =>
      pastOf(app, 'palette.geofences', 'palette.events_of', name, { view: 'events', geofence }),
  );

function commandEntries(app: AppContext, typed: string, limit: number): PaletteEntry[] {
  const usable = COMMANDS.filter(
    (command) =>
      command.needsKey === undefined &&
      command.id !== 'palette' &&
      command.id !== 'search' &&
      command.when(app),
  );
  return bestMatches(usable, (command) => app.t(command.label), typed, limit).map(
    ({ item: command, parts }) => ({
      id: `command-${command.id}`,
      group: 'palette.commands',
      icon: <Icon of={CommandIcon} />,
      parts,
      detail: '',
      keycap: command.shortcut === null ? null : (command.keycap ?? keycapOf(command.shortcut)),
      run: () => command.run(app, ''),
    }),
  );
}
