import { aboutTexts } from './en/about.ts';
import { apiTokensTexts } from './en/apiTokens.ts';
import { auditTexts } from './en/audit.ts';
import { driversTexts } from './en/drivers.ts';
import { escalationTexts } from './en/escalation.ts';
import { eventsTexts } from './en/events.ts';
import { geofencesTexts } from './en/geofences.ts';
import { hintsTexts } from './en/hints.ts';
import { historyTexts } from './en/history.ts';
import { incidentsTexts } from './en/incidents.ts';
import { intakeTexts } from './en/intake.ts';
import { laterReportsTexts } from './en/laterReports.ts';
import { mapsTexts } from './en/maps.ts';
import { numbersTexts } from './en/numbers.ts';
import { problemReportTexts } from './en/problemReport.ts';
import { queueTexts } from './en/queue.ts';
import { reportsTexts } from './en/reports.ts';
import { resourcesTexts } from './en/resources.ts';
import { rulesTexts } from './en/rules.ts';
import { setupTexts } from './en/setup.ts';
import { sharesTexts } from './en/shares.ts';
import { shiftsTexts } from './en/shifts.ts';
import { soundsTexts } from './en/sounds.ts';
import { terminalCommandsTexts } from './en/terminalCommands.ts';
import { updatesTexts } from './en/updates.ts';
import { usersTexts } from './en/users.ts';
import { vehicleBulkTexts } from './en/vehicleBulk.ts';
import { vehiclesTexts } from './en/vehicles.ts';
import { videoTexts } from './en/video.ts';

/** What only parts say whose code comes after the first picture. */
export const laterTexts = {
  ...aboutTexts,
  ...apiTokensTexts,
  ...auditTexts,
  ...driversTexts,
  ...escalationTexts,
  ...eventsTexts,
  ...geofencesTexts,
  ...hintsTexts,
  ...historyTexts,
  ...incidentsTexts,
  ...intakeTexts,
  ...laterReportsTexts,
  ...mapsTexts,
  ...numbersTexts,
  ...problemReportTexts,
  ...queueTexts,
  ...reportsTexts,
  ...resourcesTexts,
  ...rulesTexts,
  ...setupTexts,
  ...sharesTexts,
  ...shiftsTexts,
  ...soundsTexts,
  ...terminalCommandsTexts,
  ...updatesTexts,
  ...usersTexts,
  ...vehicleBulkTexts,
  ...vehiclesTexts,
  ...videoTexts,
} as const;
