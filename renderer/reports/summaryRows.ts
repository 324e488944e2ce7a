import type { VehicleSummary } from '../../server/contract/reports.ts';
import type { SummaryRow } from './reportColumns.tsx';

/** A row for each vehicle with all its days and, of several days, one for each day. */
export function summaryRows(vehicles: readonly VehicleSummary[]): SummaryRow[] {
  return vehicles.flatMap(({ days, ...whole }): SummaryRow[] => [
    { ...whole, date: days.length === 1 ? (days[0]?.date ?? null) : null },
    ...(days.length > 1
      ? days.map((day): SummaryRow => ({
          ...day,
          vehicle_id: whole.vehicle_id,
          odometer_m: null,
          first_time: null,
          last_time: null,
        }))
      : []),
  ]);
}
