import { accountAttacks } from './attacks/accounts.ts';
import { driverAttacks } from './attacks/drivers.ts';
import { geofenceAttacks } from './attacks/geofences.ts';
import { notifyingAttacks } from './attacks/notifying.ts';
import { pastAndVideoAttacks } from './attacks/pastAndVideo.ts';
import { laterReportAttacks } from './attacks/laterReports.ts';
import { mapAttacks } from './attacks/maps.ts';
import { serviceAttacks } from './attacks/service.ts';
import { incidentAttacks } from './attacks/incidents.ts';
import { invalidClientsAttacks } from './attacks/invalidClients.ts';
import { shareAttacks } from './attacks/shares.ts';
import { shiftAttacks } from './attacks/shifts.ts';
import { vehicleAttacks } from './attacks/vehicles.ts';

/** Of every operation of the contract at least one. */
export const operationAttacks = [
  ...accountAttacks,
  ...vehicleAttacks,
  ...driverAttacks,
  ...geofenceAttacks,
  ...notifyingAttacks,
  ...incidentAttacks,
  ...pastAndVideoAttacks,
  ...laterReportAttacks,
  ...shiftAttacks,
  ...shareAttacks,
  ...mapAttacks,
  ...serviceAttacks,
];

export const allAttacks = [...operationAttacks, ...invalidClientsAttacks];
