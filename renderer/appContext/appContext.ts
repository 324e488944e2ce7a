import type { StoreApi } from 'zustand/vanilla';
import type { Geofence } from '../../server/contract/geofences.ts';
import type { Driver } from '../../server/contract/drivers.ts';
import type { GroupEntry } from '../../server/contract/groups.ts';
import type { Incident } from '../../server/contract/incidents.ts';
import type { Notification, Snooze } from '../../server/contract/notifications.ts';
import type { UnknownTerminal } from '../../server/contract/positions.ts';
import type { Shift } from '../../server/contract/shifts.ts';
import type { User } from '../../server/contract/users.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { ServerTime } from '../clock/serverTime.ts';
import type { EventsView } from '../events/eventsAddress.ts';
import type { GeofenceActions } from '../geofences/geofenceActions.ts';
import type { History } from '../history/history.ts';
import type { Translate } from '../i18n/text.ts';
import type { IncidentWork } from '../incidents/incidentWork.ts';
import type { LiveViewStore, MapControl } from '../live/liveView.ts';
import type { MapList } from '../mapFiles/mapList.ts';
import type { MapUploads } from '../mapFiles/mapUploads.ts';
import type { SavedViews } from '../mapViews/savedViews.ts';
import type { Navigation } from '../navigation/navigation.ts';
import type { AckOutbox } from '../notifications/ackOutbox.ts';
import type { QueueViewStore } from '../notifications/queueViewStore.ts';
import type { SnoozedStore, SnoozeActions } from '../notifications/snoozes.ts';
import type { OpenedFiles } from '../openFiles/openedFiles.ts';
import type { Platform } from '../platform/platform.ts';
import type { ResourceStore } from '../resources/resourceStore.ts';
import type { Retries } from '../resources/retries.ts';
import type { PreferenceStore } from '../settings/preferences.ts';
import type { UserPreferences } from '../settings/userPreferences.ts';
import type { SettingsStore } from '../settings/settingsStore.ts';
import type { ConnectionStore } from '../stream/connectionStore.ts';
import type { FleetStream } from '../stream/fleetStream.ts';
import type { PlaceFinder } from '../telemetry/placeFinder.ts';
import type { PositionStore } from '../telemetry/positionStore.ts';
import type { StatusStore } from '../telemetry/statusStore.ts';
import type { Trails } from '../telemetry/trails.ts';
import type { ReportLayoutStore } from '../reports/reportLayouts.ts';
import type { ReportsView } from '../reports/reportView.ts';
import type { ToastStore } from '../ui/toastStore.ts';
import type { Attention } from '../vehicles/attention.ts';
import type { VehicleActions } from '../vehicles/vehicleActions.ts';
import type { Video } from '../video/videoActions.ts';
import type { Windows } from '../windows/windows.ts';

/** Lists that are read by REST once and then kept by the stream. */
export type ListName =
  | 'vehicles'
  | 'drivers'
  | 'groups'
  | 'users'
  | 'geofences'
  | 'notifications'
  | 'incidents'
  | 'shifts'
  | 'snoozes'
  | 'settings';

/** Everything of one operator's session; it is thrown away at logout. */
export interface AppContext {
  user: User;
  api: Api;
  platform: Platform;
  navigation: Navigation;
  /** This window among the others of the same login. */
  windows: Windows;
  /** Of this computer. */
  preferences: PreferenceStore;
  /** Of this user at all computers. */
  userPreferences: UserPreferences;
  t: Translate;
  clock: Clock;
  serverTime: ServerTime;
  stream: FleetStream;
  connection: ConnectionStore;
  settings: SettingsStore;
  vehicles: ResourceStore<Vehicle>;
  drivers: ResourceStore<Driver>;
  groups: ResourceStore<GroupEntry>;
  /** All users for dealers; others see themselves alone. */
  users: ResourceStore<User>;
  geofences: ResourceStore<Geofence>;
  notifications: ResourceStore<Notification>;
  /** All that are not closed, and closed ones that were looked at. */
  incidents: ResourceStore<Incident>;
  /** Those on duty, and those whose handover is open. */
  shifts: ResourceStore<Shift>;
  snoozes: ResourceStore<Snooze>;
  /** Open notifications that keep still while their vehicle or rule is snoozed. */
  snoozed: SnoozedStore;
  /** Unknown terminals; sent to dealers alone. */
  unknownTerminals: ResourceStore<UnknownTerminal>;
  /** Names of users by their id, as far as this user may know them. */
  userNames: StoreApi<{ byId: ReadonlyMap<string, string> }>;
  attention: StoreApi<{ byVehicle: ReadonlyMap<string, Attention> }>;
  /** Notifications that came just now, with the moment; their rows are lit for 4 s. */
  arrivals: StoreApi<{ byId: ReadonlyMap<string, number> }>;
  positions: PositionStore;
  statuses: StatusStore;
  trails: Trails;
  places: PlaceFinder;
  view: LiveViewStore;
  queueView: QueueViewStore;
  eventsView: EventsView;
  history: History;
  reportsView: StoreApi<ReportsView>;
  reportLayouts: ReportLayoutStore;
  toasts: ToastStore;
  vehicleActions: VehicleActions;
  geofenceActions: GeofenceActions;
  snoozeActions: SnoozeActions;
  acks: AckOutbox;
  incidentWork: IncidentWork;
  video: Video;
  map: MapControl;
  /** The map files of the depot. */
  mapList: MapList;
  mapUploads: MapUploads;
  /** Files that were dropped or opened, whose import waits. */
  openedFiles: OpenedFiles;
  savedViews: SavedViews;
  /** The server's time, held still while the server is lost: what is shown is of then. */
  asOf(): number;
  /** What is shown as failed. */
  retries: Retries;
  /** Reads a list at once that could not be read. */
  retry(list: ListName): void;
  logout(): void;
  /** Begins the stream and the reading; returns its end. */
  start(): () => void;
}
