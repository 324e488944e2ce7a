import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { GeofenceVisit, Stop, Trip, VehicleSummary } from '../../server/contract/reportRows.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatAge } from '../format/age.ts';
import { formatDistance, formatNumber } from '../format/numbers.ts';
import { openHistory } from '../history/historyActions.ts';
import { useT } from '../i18n/useT.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import type { Answered } from './reportQuery.ts';

type Ends = Pick<Trip, 'start_time' | 'end_time' | 'open_start' | 'open_end' | 'duration_s'>;

/** A summary's day, or all days of a vehicle. */
export type SummaryRow = Omit<VehicleSummary, 'days'> & { date: string | null };

/** The columns of each kind of report. */
function useReportColumns(): {
  trips: readonly Column<Trip>[];
  stops: readonly Column<Stop>[];
  visits: readonly Column<GeofenceVisit>[];
  summary: readonly Column<SummaryRow>[];
} {
  const app = useAppContext();
  const t = useT();
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  const places = useStore(app.places.edition, ({ number }) => number);
  return useMemo(() => {
    const vehicleName = (id: string) => vehicles.get(id)?.name ?? t('reports.gone_vehicle');
    const geofenceName = (id: string) => geofences.get(id)?.name ?? t('place.unknown_geofence');
    const geofencesOf = (place: Stop['place']) => place.geozone_ids.map(geofenceName).join(', ');
    const placeColumn = <Row,>(
      id: string,
      head: string,
      of: (row: Row) => Stop['place'],
      width: string,
    ): Column<Row> => ({
      id,
      head,
      // By what the server has said: only the rows on the screen ask for more.
      value: (it) => `${geofencesOf(of(it))} ${of(it).address ?? ''}`,
      cell: (it) => <PlaceText text={app.places.of(of(it), geofencesOf(of(it)))} />,
      width,
    });

    const vehicle = <Row extends { vehicle_id: string }>(): Column<Row> => ({
      id: 'vehicle',
      head: t('reports.vehicle'),
      value: (it) => vehicleName(it.vehicle_id),
      cell: (it) => (
        <span className="strong ellipsis" title={vehicleName(it.vehicle_id)}>
          {vehicleName(it.vehicle_id)}
        </span>
      ),
      width: 'minmax(96px, 1fr)',
    });
    const start = <Row extends Ends>(head: string): Column<Row> => ({
      id: 'start',
      head,
      value: (it) => it.start_time,
      cell: (it) => <Edge at={it.start_time} open={it.open_start} side="start" />,
      width: '152px',
    });
    const end = <Row extends Ends>(head: string): Column<Row> => ({
      id: 'end',
      head,
      value: (it) => it.end_time,
      cell: (it) => <Edge at={it.end_time} open={it.open_end} side="end" />,
      width: '152px',
    });
    const duration = <Row,>(head: string, of: (row: Row) => number, width = '96px'): Column<Row> => ({
      id: `duration ${head}`,
      head,
      value: of,
      cell: (it) => (of(it) === 0 ? <span className="faint">–</span> : formatAge(of(it) * 1_000)),
      align: 'end',
      width,
    });
    const distance = <Row extends { distance_m: number }>(): Column<Row> => ({
      id: 'distance',
      head: t('reports.distance'),
      value: (it) => it.distance_m,
      cell: (it) => formatDistance(it.distance_m),
      align: 'end',
      width: '80px',
    });
    const top = <Row extends { max_speed_kmh: number | null }>(): Column<Row> => ({
      id: 'max',
      head: t('reports.max'),
      value: (it) => it.max_speed_kmh,
      cell: (it) =>
        it.max_speed_kmh === null ? <span className="faint">–</span> : formatNumber(it.max_speed_kmh),
      align: 'end',
      width: '72px',
    });
    const count = <Row,>(id: string, head: string, of: (row: Row) => number): Column<Row> => ({
      id,
      head,
      value: of,
      align: 'end',
      width: '64px',
    });
    const gaps = <Row extends { gaps: readonly { from: string; to: string }[] }>(): Column<Row> => ({
      id: 'gaps',
      head: t('reports.gaps'),
      value: (it) => it.gaps.length,
      cell: (it) =>
        it.gaps.length === 0 ? (
          <span className="faint">–</span>
        ) : (
          formatAge(it.gaps.reduce((sum, gap) => sum + Date.parse(gap.to) - Date.parse(gap.from), 0))
        ),
      align: 'end',
      width: '88px',
    });

    return {
      trips: [
        vehicle(),
        start(t('reports.trip_start')),
        placeColumn('from', t('reports.from_place'), (it) => it.start, 'minmax(120px, 1.5fr)'),
        end(t('reports.trip_end')),
        placeColumn('to', t('reports.to_place'), (it) => it.end, 'minmax(120px, 1.5fr)'),
        duration(t('reports.duration'), (it) => it.duration_s, '88px'),
        distance(),
        {
          id: 'average',
          head: t('reports.average'),
          value: (it) => it.average_speed_kmh,
          cell: (it) => formatNumber(it.average_speed_kmh),
          align: 'end',
          width: '88px',
        },
        top(),
        duration(t('reports.idle'), (it) => it.idle_s, '72px'),
      ],
      stops: [
        vehicle(),
        start(t('reports.stop_start')),
        end(t('reports.stop_end')),
        placeColumn('place', t('reports.place'), (it) => it.place, 'minmax(140px, 2fr)'),
        duration(t('reports.duration'), (it) => it.duration_s),
        duration(t('reports.idle'), (it) => it.idle_s),
        duration(t('reports.engine_on'), (it) => it.ignition_on_s),
        gaps(),
      ],
      visits: [
        vehicle(),
        {
          id: 'fence',
          head: t('reports.geofence'),
          value: (it) => geofenceName(it.geozone_id),
          width: 'minmax(120px, 1.5fr)',
        },
        {
          id: 'enter',
          head: t('reports.entered'),
          value: (it) => it.enter_time,
          cell: (it) => <Edge at={it.enter_time} open={it.open_start} side="start" />,
          width: '160px',
        },
        {
          id: 'exit',
          head: t('reports.left'),
          value: (it) => it.exit_time,
          cell: (it) => <Edge at={it.exit_time} open={it.open_end} side="end" />,
          width: '160px',
        },
        duration(t('reports.duration'), (it) => it.duration_s),
        distance(),
        top(),
        gaps(),
      ],
      summary: [
        vehicle(),
        {
          id: 'date',
          head: t('reports.day'),
          value: (it) => it.date ?? '',
          cell: (it) => it.date ?? <span className="strong">{t('reports.all_days')}</span>,
          width: '104px',
        },
        distance(),
        duration(t('reports.driving'), (it) => it.driving_s),
        duration(t('reports.standing'), (it) => it.stopped_s),
        duration(t('reports.idle'), (it) => it.idle_s),
        duration(t('reports.no_data'), (it) => it.gap_s),
        count('trips', t('reports.trips'), (it) => it.trips),
        count('stops', t('reports.stops'), (it) => it.stops),
        top(),
      ],
    };
    // Rows are drawn anew when their columns are: `places` moves on when an address has come.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `places`: addresses have come
  }, [app, t, vehicles, geofences, places]);
}

/** Long ones end in an ellipsis. */
const PlaceText = ({ text }: { text: string }) => (
  <span className="ellipsis" title={text}>
    {text}
  </span>
);

/** A moment at which something began or ended, or up to which the period goes. */
function Edge({ at, open, side }: { at: string; open: boolean; side: 'start' | 'end' }) {
  const t = useT();
  return (
    <>
      <TimeOfDay at={Date.parse(at)} withDate />
      {open && (
        <span className="faint"> {t(side === 'start' ? 'reports.open_start' : 'reports.open_end')}</span>
      )}
    </>
  );
}

const byStart = { id: 'start', desc: false };

/** A report's rows; a row leads to its vehicle on the map. */
export function ReportTable({ answered }: { answered: Answered }) {
  const app = useAppContext();
  const t = useT();
  const columns = useReportColumns();
  const name = t(`reports.kind.${answered.kind}`);
  const showPast = ({
    vehicle_id,
    ...ends
  }: { vehicle_id: string } & ({ start_time: string } | { enter_time: string })) =>
    openHistory(app, vehicle_id, 'start_time' in ends ? ends.start_time : ends.enter_time);
  const show = ({ vehicle_id }: { vehicle_id: string }) => app.navigation.go('live', { vehicle: vehicle_id });
  switch (answered.kind) {
    case 'trips':
      return (
        <DataTable
          name={name}
          columns={columns.trips}
          rows={answered.report.rows}
          keyOf={keyOfStart}
          onSelect={showPast}
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
          onSelect={showPast}
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
          onSelect={showPast}
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
