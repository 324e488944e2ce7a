import { apiTokenRoutes } from './apiTokens.ts';
import { auditRoutes } from './audit.ts';
import { authRoutes } from './auth.ts';
import { backupRoutes } from './backups.ts';
import { assignmentRoutes, driveRoutes, driverRoutes } from './drivers.ts';
import { eventRoutes } from './events.ts';
import { geofenceRoutes } from './geofences.ts';
import { groupRoutes } from './groups.ts';
import { healthRoutes } from './health.ts';
import { historyRoutes } from './history.ts';
import { incidentRoutes } from './incidents.ts';
import { snapshotRoutes } from './incidentSnapshots.ts';
import { intakeRoutes } from './intake.ts';
import { mapRegionRoutes } from './mapRegions.ts';
import { mapRoutes } from './maps.ts';
import { mapViewRoutes } from './mapViews.ts';
import { onlineMapRoutes } from './onlineMaps.ts';
import { notificationRoutes } from './notifications.ts';
import { placeRoutes } from './places.ts';
import { positionRoutes } from './positions.ts';
import { preferenceRoutes } from './preferences.ts';
import { problemReportRoutes } from './problemReport.ts';
import { recipientRoutes } from './recipients.ts';
import { reportJobRoutes } from './reportJobs.ts';
import { reportLayoutRoutes } from './reportLayouts.ts';
import { reportScheduleRoutes } from './reportSchedules.ts';
import { reportRoutes } from './reports.ts';
import type { Route } from './route.ts';
import { ruleRoutes } from './rules.ts';
import { serviceRoutes } from './settings.ts';
import { shareRoutes } from './shares.ts';
import { shiftRoutes } from './shifts.ts';
import { streamRoute } from './stream.ts';
import { terminalCommandRoutes } from './terminalCommands.ts';
import { trackImportRoutes } from './trackImport.ts';
import { userRoutes } from './users.ts';
import { vehicleRoutes } from './vehicles.ts';
import { videoRoutes } from './video.ts';

/** Every operation of the REST API; the OpenAPI document is made from this list. */
export const apiRoutes: readonly Route[] = [
  ...Object.values(authRoutes),
  ...Object.values(apiTokenRoutes),
  ...Object.values(userRoutes),
  ...Object.values(mapViewRoutes),
  ...Object.values(reportLayoutRoutes),
  ...Object.values(preferenceRoutes),
  ...Object.values(groupRoutes),
  ...Object.values(vehicleRoutes),
  ...Object.values(shareRoutes),
  ...Object.values(driverRoutes),
  ...Object.values(driveRoutes),
  ...Object.values(assignmentRoutes),
  ...Object.values(terminalCommandRoutes),
  ...Object.values(positionRoutes),
  ...Object.values(trackImportRoutes),
  streamRoute,
  ...Object.values(geofenceRoutes),
  ...Object.values(ruleRoutes),
  ...Object.values(recipientRoutes),
  ...Object.values(notificationRoutes),
  ...Object.values(shiftRoutes),
  ...Object.values(eventRoutes),
  ...Object.values(incidentRoutes),
  ...Object.values(snapshotRoutes),
  ...Object.values(historyRoutes),
  ...Object.values(reportRoutes),
  ...Object.values(reportJobRoutes),
  ...Object.values(reportScheduleRoutes),
  ...Object.values(videoRoutes),
  ...Object.values(onlineMapRoutes),
  ...Object.values(mapRoutes),
  ...Object.values(mapRegionRoutes),
  ...Object.values(placeRoutes),
  ...Object.values(auditRoutes),
  ...Object.values(serviceRoutes),
  ...Object.values(backupRoutes),
  ...Object.values(healthRoutes),
  ...Object.values(problemReportRoutes),
  ...Object.values(intakeRoutes),
];
