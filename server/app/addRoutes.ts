import { causeOf } from '../contract/causeTexts.ts';
import { addApiTokenRoutes, type ApiTokens } from '../auth/apiTokens.ts';
import { addAuthRoutes } from '../auth/authRoutes.ts';
import type { Authorization } from '../auth/authorization.ts';
import type { FirstRun } from '../auth/firstRun.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { Clock } from '../clock.ts';
import type { IntakeState } from '../contract/intake.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { addDriverRoutes } from '../drivers/driverRoutes.ts';
import { addGeofenceFileRoutes, addGeofenceRoutes } from '../geofences/geofenceRoutes.ts';
import type { GeofenceWork } from '../geofences/geofenceWork.ts';
import { addGroupRoutes } from '../groups/groupRoutes.ts';
import type { Api } from '../http/api.ts';
import { ApiError } from '../http/apiError.ts';
import type { CallLimits } from '../http/rateLimit.ts';
import { addIncidentExportRoutes, type createIncidentPdfLine } from '../incidents/incidentExports.ts';
import { addIncidentRoutes } from '../incidents/incidentRoutes.ts';
import type { Incidents } from '../incidents/incidents.ts';
import type { IncidentSight } from '../incidents/presentIncident.ts';
import type { SnapshotFiles } from '../incidents/snapshotFiles.ts';
import { addSnapshotRoutes } from '../incidents/snapshotRoutes.ts';
import { addMapRoutes } from '../maps/mapRoutes.ts';
import type { Maps } from '../maps/maps.ts';
import type { MapUploads } from '../maps/mapUploads.ts';
import type { MapRegions } from '../maps/regions/mapRegions.ts';
import { addMapRegionRoutes } from '../maps/regions/regionRoutes.ts';
import type { Acknowledge } from '../notifications/acknowledge.ts';
import { addChannelRoutes, addRecipientRoutes } from '../notifications/channels/recipientRoutes.ts';
import {
  addEventRoutes,
  addNotificationRoutes,
  addSnoozeRoutes,
} from '../notifications/notificationRoutes.ts';
import { retentionMs, type RecentNotifications } from '../notifications/recentNotifications.ts';
import type { IsOwnAddress } from '../notifications/ruleChannels.ts';
import { addRuleRoutes } from '../notifications/ruleRoutes.ts';
import type { PlacesWithin } from '../places/boundedPlaces.ts';
import { addPlaceRoutes, type Places } from '../places/places.ts';
import type { PlaceSearch } from '../places/search/placeSearch.ts';
import type { PreviewWork } from '../preview/previewWork.ts';
import { addPreviewRoutes } from '../preview/previewRoutes.ts';
import type { Pipeline } from '../pipeline.ts';
import { addHistoryRoutes, type HistoryLine } from '../history/historyRoutes.ts';
import { addReportScheduleRoutes } from '../reports/schedules/scheduleRoutes.ts';
import { addReportJobRoutes } from '../reports/jobs/jobRoutes.ts';
import { addReportRoutes } from '../reports/reportRoutes.ts';
import { addShiftRoutes } from '../shifts/shiftRoutes.ts';
import type { Store } from '../store/operations.ts';
import type { StreamHub } from '../stream/streamHub.ts';
import { addFleetTracksRoute, addPositionRoutes } from '../telemetry/positionRoutes.ts';
import { addTrackImportRoute, type TrackFiles } from '../telemetry/trackImport/trackImport.ts';
import { countIntake } from '../telemetry/intakeCounter.ts';
import { addIntakeRoutes } from '../telemetry/intakeRoutes.ts';
import { addTerminalCommandRoutes } from '../telemetry/terminalCommands/terminalCommandRoutes.ts';
import type { TerminalCommands } from '../telemetry/terminalCommands/terminalCommands.ts';
import type { HashQueue } from '../users/hashQueue.ts';
import { addUserRoutes } from '../users/userRoutes.ts';
import { addShareRoutes, type Shares } from '../shares/shares.ts';
import { addVehicleRoutes } from '../vehicles/vehicleRoutes.ts';
import type { VideoService } from '../video/videoService.ts';
import { addAuditRoutes } from './auditRoutes.ts';
import { monitoredListeners, type Intake } from './intake.ts';
import type { Reports } from './openReports.ts';
import type { Repositories } from './openRepositories.ts';
import type { OpenShifts } from './openShifts.ts';
import type { Notifying } from './openNotifications.ts';
import { addVehicleDataRoutes } from './vehicleData.ts';

export interface RouteDeps extends Repositories {
  authorization: Authorization;
  sessions: Sessions;
  apiTokens: ApiTokens;
  firstRun: FirstRun;
  limits: CallLimits;
  hashQueue: HashQueue;
  notifying: Notifying;
  onShift: OpenShifts;
  recent: RecentNotifications;
  acknowledge: Acknowledge;
  incidents: Incidents;
  incidentSight: IncidentSight;
  snapshots: SnapshotFiles;
  incidentPdf: ReturnType<typeof createIncidentPdfLine>;
  pipeline: Pipeline;
  shares: Shares;
  /** Where this host answers, this machine's own address first. */
  urls: () => readonly string[];
  commands: TerminalCommands;
  video: VideoService;
  hub: StreamHub;
  store: Store;
  past: PreviewWork;
  reports: Reports;
  history: HistoryLine;
  trackFiles: TrackFiles;
  geofenceWork: GeofenceWork;
  maps: Maps;
  uploads: MapUploads;
  regions: MapRegions;
  places: Places;
  placesWithin: PlacesWithin;
  placeSearch: PlaceSearch;
  settings: () => SettingsFields;
  /** Archives a vehicle and deletes all that is kept of it. */
  purgeVehicle: (vehicleId: string, ifMatch: number | null) => Promise<void>;
  /** How far a terminal's clock seems to be ahead, in seconds, when its vehicle is not set to that; else null. */
  clockSuggestion: (terminalId: string) => number | null;
  intake: Pick<Intake, 'listeners'>;
  intakeState: () => IntakeState;
  isOwnAddress: IsOwnAddress;
  clock: Clock;
  tls: boolean;
}

/** Adds the routes of all domains. Literal paths come before paths with an id in the same position. */
export function addRoutes(api: Api, deps: RouteDeps): void {
  const { users, groups, vehicles, geofences, rules, sight, pipeline, store, settings, clock } = deps;
  const { snoozes, channels, escalations, escalationViews, testRule, countTest } = deps.notifying;
  const groupExists = (id: string) => groups.exists(id);

  addAuthRoutes(api, deps);
  addApiTokenRoutes(api, deps.apiTokens, users);
  addUserRoutes(api, users, deps.sessions);
  addGroupRoutes(api, groups, users, {
    vehiclesIn: (groupId) => vehicles.inGroup(groupId),
    setVehicle: (ref, groupId, member, viewer) =>
      vehicles.setGroup(vehicles.find(ref, viewer).vehicle_id, groupId, member),
    leave: ({ group_id, name }) => {
      const geofence = geofences.ofGroup(group_id);
      if (geofence !== undefined) {
        throw new ApiError('in_use', causeOf('group.in_geofence', { geofence: geofence.name }));
      }
      vehicles.leaveGroup(group_id);
      deps.drivers.leaveGroup(group_id);
      rules.groupGone(group_id, name);
    },
  });
  addVehicleRoutes(api, deps);
  addShareRoutes(api, deps);
  addVehicleDataRoutes(api, {
    store,
    vehicles,
    video: deps.video,
    incidents: deps.incidents,
    snapshots: deps.snapshots,
    forgetDeleted: async () => {
      await pipeline.runExclusive(async () => {
        deps.recent.reload(await store.recentNotifications(clock.now() - retentionMs));
      });
      await escalations.load();
    },
  });
  addDriverRoutes(api, deps);
  addTerminalCommandRoutes(api, deps);

  const apiListener = countIntake((reports, origin) => pipeline.accept(reports, origin), clock);
  addPositionRoutes(api, { vehicles, fleet: deps.fleet, accept: apiListener.accept, store });
  addIntakeRoutes(api, {
    state: deps.intakeState,
    listeners: () => monitoredListeners(deps.intake.listeners),
  });
  addTrackImportRoute(api, {
    ...{ files: deps.trackFiles, vehicles, store, settings, clock },
    storePast: (positions) => pipeline.storePast(positions),
  });
  addFleetTracksRoute(api, { store, vehicles, groupExists });
  deps.hub.addRoute(api);

  addGeofenceFileRoutes(api, geofences, deps.geofenceWork);
  addPreviewRoutes(api, {
    work: deps.past,
    vehicles,
    geofences,
    rules,
    checkRule: (wanted, viewer) => rules.check(wanted, viewer),
    sight,
    settings,
    clock,
  });
  addGeofenceRoutes(api, geofences);

  addRuleRoutes(api, {
    ...{ rules, testRule, countTest },
    depotSteps: () => channels.alarmSteps(),
    userOf: (id) => users.get(id),
  });
  addSnoozeRoutes(api, snoozes);
  addChannelRoutes(api, channels, { ...deps, isUser: (id) => users.get(id) !== undefined });
  addRecipientRoutes(api, { ...deps, channels });
  addNotificationRoutes(api, {
    store,
    vehicles,
    rules,
    sight,
    snoozes,
    escalationViews,
    clock,
    acknowledge: deps.acknowledge,
  });
  addEventRoutes(api, { store, vehicles, sight });
  const findTask = deps.video.tasks.find.bind(deps.video.tasks);
  addIncidentRoutes(api, { ...deps, sight: deps.incidentSight, findTask });
  addSnapshotRoutes(api, { ...deps, sight: deps.incidentSight });
  addIncidentExportRoutes(api, { ...deps, findTask, sendEvidence: deps.video.sendEvidence });

  addShiftRoutes(api, { ...deps, ...deps.onShift, deliver: deps.reports.deliver });

  addReportRoutes(api, { ...deps, line: deps.reports.line, groupExists });
  addReportJobRoutes(api, deps.reports.jobs);
  addReportScheduleRoutes(api, deps.reports.schedules);
  addHistoryRoutes(api, { ...deps, line: deps.history, sight, groupExists });
  deps.video.addRoutes(api);
  addMapRegionRoutes(api, deps.regions);
  addMapRoutes(api, deps);
  addPlaceRoutes(api, { places: deps.places, search: deps.placeSearch });
  addAuditRoutes(api, {
    store,
    nameOf(kind, id) {
      if (kind === 'user') return users.get(id)?.login ?? null;
      if (kind === 'report_schedule') return deps.reports.schedules.nameOf(id);
      if (kind === 'share') return deps.shares.nameOf(id);
      if (kind === 'api_token') return deps.apiTokens.get(id)?.name ?? null;
      if (kind === 'profile')
        return vehicles.get(deps.video.profiles.get(id)?.vehicle_id ?? '')?.name ?? null;
      const named = {
        group: groups,
        vehicle: vehicles,
        driver: deps.drivers,
        geofence: geofences,
        rule: rules,
        shift: deps.onShift.shifts,
      } as const;
      return kind in named ? (named[kind as keyof typeof named].get(id)?.name ?? null) : null;
    },
  });
}
