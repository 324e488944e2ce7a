import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { GeofenceVisit, Stop, Trip, VehicleSummary } from '../../server/contract/reports.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { ageText } from '../format/age.ts';
import { distanceText, numberText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import type { Column } from '../ui/DataTable.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';

type Ends = Pick<Trip, 'start_time' | 'end_time' | 'open_start' | 'open_end' | 'duration_s'>;

/** A summary's day, or all days of a vehicle. */
export type SummaryRow = Omit<VehicleSummary, 'days'> & { date: string | null };

/** The columns of each kind of report. */
export function useReportColumns(): {
  trips: readonly Column<Trip>[];
  stops: readonly Column<Stop>[];
  visits: readonly Column<GeofenceVisit>[];
  summary: readonly Column<SummaryRow>[];
} {
  const desk = useDesk();
  const say = useText();
  const vehicles = useStore(desk.vehicles.store, (state) => state.byId);
  const fences = useStore(desk.geofences.store, (state) => state.byId);
  useStore(desk.places.edition);
  return useMemo(() => {
    const vehicleName = (id: string) => vehicles.get(id)?.name ?? say('reports.gone_vehicle');
    const fenceName = (id: string) => fences.get(id)?.name ?? say('place.unknown_geofence');
    const placeName = (place: { lat: number; lon: number; geozone_ids: readonly string[] }) =>
      place.geozone_ids.length > 0
        ? place.geozone_ids.map(fenceName).join(', ')
        : desk.places.at(place.lat, place.lon);

    const vehicle = <Row extends { vehicle_id: string }>(): Column<Row> => ({
      id: 'vehicle',
      head: say('reports.vehicle'),
      value: (it) => vehicleName(it.vehicle_id),
      cell: (it) => <span className="strong ellipsis">{vehicleName(it.vehicle_id)}</span>,
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
      cell: (it) => (of(it) === 0 ? <span className="faint">–</span> : ageText(of(it) * 1_000)),
      align: 'end',
      width,
    });
    const distance = <Row extends { distance_m: number }>(): Column<Row> => ({
      id: 'distance',
      head: say('reports.distance'),
      value: (it) => it.distance_m,
      cell: (it) => distanceText(it.distance_m),
      align: 'end',
      width: '80px',
    });
    const top = <Row extends { max_kmh: number | null }>(): Column<Row> => ({
      id: 'max',
      head: say('reports.max'),
      value: (it) => it.max_kmh,
      cell: (it) => (it.max_kmh === null ? <span className="faint">–</span> : numberText(it.max_kmh)),
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
      head: say('reports.gaps'),
      value: (it) => it.gaps.length,
      cell: (it) =>
        it.gaps.length === 0 ? (
          <span className="faint">–</span>
        ) : (
          ageText(it.gaps.reduce((sum, gap) => sum + Date.parse(gap.to) - Date.parse(gap.from), 0))
        ),
      align: 'end',
      width: '88px',
    });

    return {
      trips: [
        vehicle(),
        start(say('reports.trip_start')),
        {
          id: 'from',
          head: say('reports.from_place'),
          value: (it) => it.start.geozone_ids.map(fenceName).join(', '),
          cell: (it) => <span className="ellipsis">{placeName(it.start)}</span>,
          width: 'minmax(120px, 1.5fr)',
        },
        end(say('reports.trip_end')),
        {
          id: 'to',
          head: say('reports.to_place'),
          value: (it) => it.end.geozone_ids.map(fenceName).join(', '),
          cell: (it) => <span className="ellipsis">{placeName(it.end)}</span>,
          width: 'minmax(120px, 1.5fr)',
        },
        duration(say('reports.duration'), (it) => it.duration_s, '88px'),
        distance(),
        {
          id: 'average',
          head: say('reports.average'),
          value: (it) => it.average_kmh,
          cell: (it) => numberText(it.average_kmh),
          align: 'end',
          width: '88px',
        },
        top(),
        duration(say('reports.idle'), (it) => it.idle_s, '72px'),
      ],
      stops: [
        vehicle(),
        start(say('reports.stop_start')),
        end(say('reports.stop_end')),
        {
          id: 'place',
          head: say('reports.place'),
          value: (it) => it.place.geozone_ids.map(fenceName).join(', '),
          cell: (it) => <span className="ellipsis">{placeName(it.place)}</span>,
          width: 'minmax(140px, 2fr)',
        },
        duration(say('reports.duration'), (it) => it.duration_s),
        duration(say('reports.idle'), (it) => it.idle_s),
        duration(say('reports.engine_on'), (it) => it.ignition_on_s),
        gaps(),
      ],
      visits: [
        vehicle(),
        {
          id: 'fence',
          head: say('reports.geofence'),
          value: (it) => fenceName(it.geozone_id),
          width: 'minmax(120px, 1.5fr)',
        },
        {
          id: 'enter',
          head: say('reports.entered'),
          value: (it) => it.enter_time,
          cell: (it) => <Edge at={it.enter_time} open={it.open_start} side="start" />,
          width: '160px',
        },
        {
          id: 'exit',
          head: say('reports.left'),
          value: (it) => it.exit_time,
          cell: (it) => <Edge at={it.exit_time} open={it.open_end} side="end" />,
          width: '160px',
        },
        duration(say('reports.duration'), (it) => it.duration_s),
        distance(),
        top(),
        gaps(),
      ],
      summary: [
        vehicle(),
        {
          id: 'date',
          head: say('reports.day'),
          value: (it) => it.date ?? '',
          cell: (it) => it.date ?? <span className="strong">{say('reports.all_days')}</span>,
          width: '104px',
        },
        distance(),
        duration(say('reports.driving'), (it) => it.driving_s),
        duration(say('reports.standing'), (it) => it.stopped_s),
        duration(say('reports.idle'), (it) => it.idle_s),
        duration(say('reports.no_data'), (it) => it.gap_s),
        count('trips', say('reports.trips'), (it) => it.trips),
        count('stops', say('reports.stops'), (it) => it.stops),
        top(),
      ],
    };
  }, [desk, say, vehicles, fences]);
}

/** A moment at which something began or ended, or up to which the period goes. */
function Edge({ at, open, side }: { at: string; open: boolean; side: 'start' | 'end' }) {
  const say = useText();
  return (
    <>
      <TimeOfDay at={Date.parse(at)} withDate />
      {open && (
        <span className="faint"> {say(side === 'start' ? 'reports.open_start' : 'reports.open_end')}</span>
      )}
    </>
  );
}
