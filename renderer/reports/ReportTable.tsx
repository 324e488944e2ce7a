import { useMemo } from 'react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { DataTable } from '../ui/DataTable.tsx';
import { type SummaryRow, useReportColumns } from './reportColumns.tsx';
import type { Answered } from './reportQuery.ts';
import type { VehicleSummary } from '../../server/contract/reports.ts';

const byStart = { id: 'start', desc: false };

/** A report's rows; a row leads to its vehicle on the map. */
export function ReportTable({ answered }: { answered: Answered }) {
  const app = useAppContext();
  const t = useT();
  const columns = useReportColumns();
  const name = t(`reports.kind.${answered.kind}`);
  const show = ({ vehicle_id }: { vehicle_id: string }) => app.navigation.go('live', { vehicle: vehicle_id });
  switch (answered.kind) {
    case 'trips':
      return (
        <DataTable
          name={name}
          columns={columns.trips}
          rows={answered.report.rows}
          keyOf={keyOfStart}
          onSelect={show}
          initialSort={byStart}
        />
      );
    case 'stops':
      return (
        <DataTable
          name={name}
          columns={columns.stops}
          rows={answered.report.rows}
          keyOf={keyOfStart}
          onSelect={show}
          initialSort={byStart}
        />
      );
    case 'visits':
      return (
        <DataTable
          name={name}
          columns={columns.visits}
          rows={answered.report.rows}
          keyOf={keyOfVisit}
          onSelect={show}
          initialSort={{ id: 'enter', desc: false }}
        />
      );
    case 'summary':
      return <SummaryTable name={name} answered={answered} onSelect={show} />;
  }
}

function SummaryTable({
  name,
  answered,
  onSelect,
}: {
  name: string;
  answered: Extract<Answered, { kind: 'summary' }>;
  onSelect: (row: SummaryRow) => void;
}) {
  const columns = useReportColumns();
  const rows = useMemo(() => summaryRows(answered.report.rows), [answered]);
  return <DataTable name={name} columns={columns.summary} rows={rows} keyOf={keyOfDay} onSelect={onSelect} />;
}

const keyOfStart = (row: { vehicle_id: string; start_time: string }) => `${row.vehicle_id} ${row.start_time}`;
const keyOfVisit = (row: { vehicle_id: string; geozone_id: string; enter_time: string }) =>
  `${row.vehicle_id} ${row.geozone_id} ${row.enter_time}`;
const keyOfDay = (row: SummaryRow) => `${row.vehicle_id} ${row.date ?? ''}`;

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
