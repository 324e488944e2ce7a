import { randomUUID } from 'node:crypto';
import { settingsFields } from '../../../server/contract/settings.ts';
import { newVehicle } from '../../../server/contract/vehicles.ts';
import type { PositionRow } from '../../../server/store/telemetry/rows.ts';
import { emptyReport, type TerminalReport } from '../../../server/telemetry/terminalReport.ts';
import type { VehicleRecord } from '../../../server/vehicles/vehicleRecord.ts';
import { position } from '../store/telemetry/sampleRows.ts';

export const settings = settingsFields.parse({});

/** A position that was received as soon as it was taken. */
export function positionRow(more: Partial<PositionRow> = {}): PositionRow {
  const time_ms = more.time_ms ?? 0;
  return position({ vehicle_id: 'v1', time_ms, received_ms: time_ms, lat: 52.5, lon: 13.4, ...more });
}

export function report(more: Partial<TerminalReport> = {}): TerminalReport {
  return { ...emptyReport, terminal_id: '100', time_ms: 0, place: { lat: 52.5, lon: 13.4 }, ...more };
}

export function vehicleRecord(more: Partial<VehicleRecord> = {}): VehicleRecord {
  const at = '1970-01-01T00:00:00.000Z';
  return {
    ...newVehicle.parse({ terminal_id: '100', name: 'Van' }),
    vehicle_id: randomUUID(),
    archived_at: null,
    groups_changed_at: at,
    version: 1,
    created_at: at,
    updated_at: at,
    ...more,
  };
}

/** Distinguishes positions. */
export function keyOf(row: Pick<PositionRow, 'vehicle_id' | 'time_ms'>): string {
  return `${row.vehicle_id} ${row.time_ms}`;
}
