import type { Event } from '../../server/contract/events.ts';
import type { Geofence } from '../../server/contract/geofences.ts';
import type { Incident } from '../../server/contract/incidents.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { openGeofence } from '../geofences/drawingActions.ts';
import { holdEvent, selectNotification } from '../events/eventsActions.ts';
import type { TextKey } from '../i18n/text.ts';
import { showNotification, showVehicle } from '../live/liveActions.ts';
import type { MenuEntry } from '../ui/menuEntry.ts';
import { archivedVehicles } from '../vehicles/manage/archivedVehicles.ts';
import { hasVehicles, selectVehicles } from '../vehicles/selection/vehicleSelection.ts';
import { isAt } from '../notifications/notificationCommands.ts';
import { meanRow } from '../notifications/queueView.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { keycapOf } from './shortcuts.ts';

/** A command by its id; with a label of its own where the menu says what it is about. */
type Item = string | readonly [id: string, label: TextKey];

/** What the menus hold, in sections: what may run of it is shown. */
export const CONTEXT_MENUS = {
  vehicle: [
    ['locate', 'follow', 'follow_too', 'open_history'],
    ['video', 'terminal_commands', 'snooze', 'open_incident'],
    ['copy_link', 'share_vehicle', 'attach_map_picture'],
  ],
  vehicles: [
    ['locate', 'follow'],
    ['video', 'terminal_commands', 'snooze', 'bulk_groups', 'bulk_geofence', 'bulk_report', 'bulk_events'],
    [['copy_link', 'picked.copy_table'], 'copy_names', 'copy_links'],
    ['clear_vehicles'],
  ],
  archived: [[['restore_vehicles', 'many.restore']]],
  alarm: [
    ['acknowledge', 'acknowledge_with_note', 'snooze', 'why', 'open_incident'],
    ['locate', 'follow', 'video', 'open_history', 'passed_here'],
    ['terminal_commands', 'copy_link'],
  ],
  event: [
    ['locate', 'video', 'open_history', 'passed_here'],
    ['open_incident', 'copy_link'],
  ],
  incident: [
    ['incident_take', 'incident_open', 'incident_in_progress', 'incident_waiting', 'incident_note'],
    ['incident_locate', 'incident_video', 'incident_call'],
    ['incident_pdf', 'incident_evidence'],
    ['incident_edit', 'incident_close', 'incident_reopen'],
  ],
  driver: [['driver_locate', 'driver_call'], ['row_copy_link']],
  rule: [['rule_notifications'], ['row_copy_link']],
  user: [['row_copy_link']],
  clips: [['video_retry', 'video_cancel', 'video_important', 'video_export']],
  geofence: [
    ['geofence_visits', 'geofence_events', 'edit_geofence'],
    [['point', 'menu_of.what_is_here'], 'copy_coordinates'],
    ['measure_distance', 'measure_area', 'select_in_view'],
  ],
  listed_geofence: [['edit_geofence', 'geofence_events'], ['row_copy_link']],
  place: [
    [['point', 'menu_of.what_is_here'], 'copy_coordinates'],
    ['draw_circle', 'measure_distance', 'measure_area'],
    ['select_in_view', 'fit', 'attach_map_picture'],
  ],
} as const satisfies Record<string, readonly (readonly Item[])[]>;
type ContextMenuKind = keyof typeof CONTEXT_MENUS;

const byId = new Map(COMMANDS.map((command) => [command.id, command]));

/** The commands of a menu that may run now, with the keys that do the same. */
export function entriesOf(app: AppContext, kind: ContextMenuKind): MenuEntry[][] {
  const sections: readonly (readonly Item[])[] = CONTEXT_MENUS[kind];
  return sections
    .map((section) =>
      section.flatMap((item) => {
        const [id, label] = typeof item === 'string' ? [item] : item;
        const command = byId.get(id);
        return command?.when(app) === true ? [entryOf(app, command, label)] : [];
      }),
    )
    .filter((section) => section.length > 0);
}

const entryOf = (app: AppContext, command: Command, label: TextKey = command.label): MenuEntry => ({
  id: command.id,
  label: app.t(label),
  keycap: command.shortcut === null ? null : (command.keycap ?? keycapOf(command.shortcut)),
  run: () => command.run(app, ''),
});

interface MenuPlace {
  x: number;
  y: number;
}

/** Opens a menu of what is selected; false where none of its commands may run. */
export function openMenu(
  app: AppContext,
  kind: ContextMenuKind,
  { x, y }: MenuPlace,
  label: string,
  point: { lat: number; lon: number } | null = null,
): boolean {
  // Its commands ask whether they may run at this point.
  app.view.setState({ menuPoint: point });
  const sections = entriesOf(app, kind);
  if (sections.length === 0) return false;
  app.view.setState({ contextMenu: { x, y, label, sections } });
  return true;
}

/** Opens the menu of an archived vehicle: of all that are checked when it is one of them. */
export function openArchivedMenu(app: AppContext, { vehicle_id, name }: Vehicle, at: MenuPlace): boolean {
  const { checked } = archivedVehicles(app);
  if (!checked.getState().has(vehicle_id)) {
    checked.setState(new Set<string>(), true);
    app.navigation.note({ id: vehicle_id });
  }
  const count = checked.getState().size;
  const label = count === 0 ? app.t('menu_of.vehicle', { name }) : app.t('picked.selected', { count });
  return openMenu(app, 'archived', at, label);
}

/**
 * Opens the menu of a vehicle: of all that are selected when it is one of them, else it is selected in their place. Beyond
 * Live vehicles are selected to do something with them.
 */
export function openVehicleMenu(app: AppContext, vehicleId: string, at: MenuPlace): boolean {
  const { selectedIds } = app.view.getState();
  if (!selectedIds.has(vehicleId)) {
    if (isAt(app, 'live')) showVehicle(app, vehicleId);
    else selectVehicles(app, [vehicleId]);
  }
  const name = app.vehicles.store.getState().byId.get(vehicleId)?.name ?? '';
  if (!hasVehicles(app)) return openMenu(app, 'vehicle', at, app.t('menu_of.vehicle', { name }));
  const count = app.view.getState().selectedIds.size;
  return openMenu(app, 'vehicles', at, app.t('picked.selected', { count }));
}

/** Selects an alarm of the queue, and opens its menu: of all that are checked when it is one of them. */
export function openAlarmMenu(app: AppContext, notification: Notification, at: MenuPlace): boolean {
  meanRow(app, notification.notification_id);
  showNotification(app, notification);
  return openMenu(app, 'alarm', at, app.t('menu_of.alarm'));
}

/** Selects a row of the lists of Events, and opens its menu. */
export function openListedMenu(app: AppContext, item: Notification | Event, at: MenuPlace): boolean {
  if ('notification_id' in item) {
    selectNotification(app, item);
    return openMenu(app, 'alarm', at, app.t('menu_of.alarm'));
  }
  holdEvent(app, item);
  const name = app.vehicles.store.getState().byId.get(item.vehicle_id ?? '')?.name ?? '';
  return openMenu(app, 'event', at, app.t('menu_of.vehicle', { name }));
}

/** Selects an incident of the list, and opens its menu. */
export function openIncidentMenu(app: AppContext, { incident_id, number }: Incident, at: MenuPlace): boolean {
  app.navigation.note({ id: incident_id });
  const name = app.t('incident.number', { number });
  return openMenu(app, 'incident', at, app.t('menu_of.vehicle', { name }));
}

/** Selects a geofence of the list, and opens its menu; that of the map is of a point of it as well. */
export function openGeofenceMenu(app: AppContext, { geozone_id, name }: Geofence, at: MenuPlace): boolean {
  openGeofence(app, geozone_id);
  if (app.view.getState().geozoneId !== geozone_id) return false;
  return openMenu(app, 'listed_geofence', at, app.t('menu_of.geofence', { name }));
}

/** Selects a row of a list of what people set up, and opens its menu. */
export function openRowMenu(
  app: AppContext,
  kind: 'driver' | 'rule' | 'user',
  { id, name }: { id: string; name: string },
  at: MenuPlace,
): boolean {
  app.navigation.note({ id });
  return openMenu(app, kind, at, app.t('menu_of.vehicle', { name }));
}
