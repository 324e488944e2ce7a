import { ChartColumn, FoldVertical, Map as MapIcon, UnfoldVertical } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { DistanceBy } from '../../server/contract/reportRows.ts';
import { reportGroupings } from '../../server/contract/reportLayouts.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { Chart } from '../charts/Chart.tsx';
import type { ChartData } from '../charts/chartData.ts';
import { LANE_PX } from '../charts/chartLayout.ts';
import { createDepotTime } from '../format/depotTime.ts';
import { inSentence } from '../format/inSentence.ts';
import { formatNumber } from '../format/numbers.ts';
import { openHistory } from '../history/historyActions.ts';
import { useT } from '../i18n/useT.ts';
import { foldPane, sizePane } from '../live/liveLayout.ts';
import type { LatLon } from '../map/geodesy.ts';
import { canOpen } from '../navigation/navigation.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Choice } from '../ui/Select.tsx';
import { Splitter } from '../ui/Splitter.tsx';
import { useWindowSize } from '../ui/useWindowSize.ts';
import { createCalendarDays } from '../../server/contract/calendarDays.ts';
import { weekdayName } from '../format/calendarNames.ts';
import { spanText, type ChartWords } from './chartLanes.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { reportCharts } from './reportCharts.ts';
import { groupLineKey } from '../../server/contract/reportLines.ts';
import { ReportMap, type MapSubject } from './ReportMap.tsx';
import { KIND_NAMES, type ReportsView } from './reportView.ts';
import { reportSubjects, type AnyRow, type RowSubject } from './reportSubjects.ts';
import { usePrinting } from './ReportPrint.tsx';
import { ReportTable } from './ReportTable.tsx';
import { type GroupsOf, useGroupsOf } from './useGroupsOf.ts';
import { codeText, useReportNames, useShownLayout } from './useReportColumns.tsx';

const CHART_PX = { min: 96, max: 560, usual: 196, tall: 260 };
const MAP_PX = { min: 280, max: 900, usual: 400, wide: 560 };
/** From this width and height on there is room for more. */
const WIDE_PX = 1_700;
const TALL_PX = 950;
/** Below it the table has all the width. */
const MAP_FROM_PX = 1_100;
/** Head and axis of a chart. */
const CHART_FRAME_PX = 60;

/** A report: its chart, its rows, and on the map what the selected row is about. */
export function ReportBody({ answered, filter, byDriver }: NonNullable<ReportsView['shown']>) {
  const app = useAppContext();
  const t = useT();
  const { kind, report } = answered;
  const { rows, tz, positions, vehicles: looked } = report;
  const names = useReportNames(kind);
  const layout = useShownLayout(kind);
  const selected = useStore(app.reportsView, (state) => state.selected);
  const words = useMemo(
    (): ChartWords => ({
      t,
      vehicleName: names.vehicle,
      byDriver,
      geofenceName: names.geofence,
      time: createDepotTime(tz),
      days: createCalendarDays(tz),
      period: { from: Date.parse(report.from), to: Date.parse(report.to) },
    }),
    [t, names, byDriver, tz, report],
  );
  // Keys, subjects and charts of a kind take its rows.
  const { keyOf, subjectOf } = reportSubjects[kind] as unknown as {
    keyOf: (row: AnyRow) => string;
    subjectOf: (row: AnyRow, ...more: [ChartWords['period'], ChartWords['time']]) => RowSubject;
  };
  const chart = useMemo(
    () => (reportCharts[kind] as (rows: readonly AnyRow[], words: ChartWords) => ChartData)(rows, words),
    [kind, rows, words],
  );
  const byKey = useMemo(
    () => new Map((rows as readonly AnyRow[]).map((row) => [keyOf(row), row])),
    [rows, keyOf],
  );
  const subjectOfRow = useMemo(
    () => (row: AnyRow) => subjectOf(row, words.period, words.time),
    [subjectOf, words],
  );
  const groupsOf = useGroupsOf({
    by: layout.group_by,
    names,
    days: words.days,
    groupId: filter.groupId,
    subjectOf: subjectOfRow,
  });
  const select = (rowKey: string): void => {
    const row = byKey.get(rowKey);
    if (row === undefined) return;
    const { vehicleId, opensAt, from, to } = subjectOfRow(row);
    const own = new Set(groupsOf?.(row).map(groupLineKey));
    app.reportsView.setState(({ closedGroups }) => ({
      selected: { rowKey, vehicleId, at: new Date(opensAt).toISOString(), span: { from, to } },
      // It is to be seen in the table.
      closedGroups: new Set([...closedGroups].filter((key) => !own.has(key))),
    }));
  };
  const change = (part: Parameters<typeof app.reportLayouts.change>[1]) =>
    app.reportLayouts.change(kind, part);
  const measuredBy = useMemo(() => distancesBy(rows), [rows]);
  const panes = usePanes();
  const chartPane = useRef<HTMLDivElement>(null);
  const printZoom = usePrinting(chartPane);
  const chartPx =
    chart.shape === 'lanes'
      ? Math.min(panes.chart.size, CHART_FRAME_PX + LANE_PX * chart.lanes.length)
      : panes.chart.size;
  return (
    <div className="report">
      <div className="report__main">
        {printZoom !== null && (
          <p className="report-print__head">
            {t(KIND_NAMES[kind])} · {spanText(words.period, words)}
          </p>
        )}
        {!panes.chart.folded && (
          <div
            className="report__chart"
            ref={chartPane}
            style={{ height: chartPx, ...(printZoom === null ? {} : { zoom: printZoom }) }}
          >
            <Chart data={chart} selectedKey={selected?.rowKey ?? null} onPick={select} />
            <Splitter
              label={t('reports.resize_chart')}
              edge="bottom"
              {...CHART_PX}
              size={panes.chart.size}
              onSize={(size) => sizePane(app.preferences, 'report_chart', size)}
              onFold={() => foldPane(app.preferences, 'report_chart')}
            />
          </div>
        )}
        <div className="report__tools" role="toolbar" aria-label={t('reports.tools')}>
          <Choice
            quiet
            label={t('reports.group_by')}
            value={layout.group_by}
            options={reportGroupings.map((id) => ({ id, label: t(`reports.group_by.${id}`) }))}
            onChange={(group_by) => change({ group_by })}
          />
          {groupsOf !== null && <FoldGroups rows={rows} groupsOf={groupsOf} />}
          <ColumnChooser kind={kind} chosen={layout.columns} onChange={(columns) => change({ columns })} />
          <span className="fill faint small ellipsis to-right">
            {t('reports.looked_at', {
              rows: formatNumber(rows.length),
              vehicles: formatNumber(looked),
              positions: formatNumber(positions),
            })}
            {measuredBy.length > 0 &&
              ` · ${t('reports.distances_by', {
                by: measuredBy.map((by) => inSentence(codeText('distance_by', by, t))).join(', '),
              })}`}
          </span>
          <IconButton
            icon={ChartColumn}
            size="small"
            label={t('reports.show_chart')}
            pressed={!panes.chart.folded}
            onPress={() => foldPane(app.preferences, 'report_chart')}
          />
          {panes.map.fits && (
            <IconButton
              icon={MapIcon}
              size="small"
              label={t('reports.show_map')}
              pressed={!panes.map.folded}
              onPress={() => foldPane(app.preferences, 'report_map')}
            />
          )}
        </div>
        <ReportTable
          kind={kind}
          rows={rows}
          keyOf={keyOf}
          names={names}
          groupsOf={groupsOf}
          layout={layout}
          printing={printZoom !== null}
          selectedKey={selected?.rowKey ?? null}
          onSort={(sort) => change({ sort })}
          onSelect={(rowKey) => {
            // Enter or a click on what the map shows already leads on.
            if (selected?.rowKey === rowKey) openHistory(app, selected.vehicleId, selected.at, selected.span);
            else select(rowKey);
          }}
        />
      </div>
      {panes.map.fits && !panes.map.folded && (
        <div className="report__map" style={{ width: panes.map.size }}>
          <Splitter
            label={t('reports.resize_map')}
            edge="left"
            {...MAP_PX}
            size={panes.map.size}
            onSize={(size) => sizePane(app.preferences, 'report_map', size)}
            onFold={() => foldPane(app.preferences, 'report_map')}
          />
          <RowMap
            row={byKey.get(selected?.rowKey ?? '')}
            rows={rows}
            subjectOf={subjectOfRow}
            words={words}
          />
        </div>
      )}
    </div>
  );
}

/** Leaves of all groups the heading alone, or shows all their rows again. */
function FoldGroups({ rows, groupsOf }: { rows: readonly AnyRow[]; groupsOf: GroupsOf }) {
  const { reportsView } = useAppContext();
  const t = useT();
  const areClosed = useStore(reportsView, (state) => state.closedGroups.size > 0);
  return (
    <IconButton
      icon={areClosed ? UnfoldVertical : FoldVertical}
      size="small"
      label={t(areClosed ? 'reports.unfold_groups' : 'reports.fold_groups')}
      onPress={() =>
        reportsView.setState({
          closedGroups: new Set(areClosed ? [] : rows.flatMap((row) => groupsOf(row).map(groupLineKey))),
        })
      }
    />
  );
}

function RowMap({
  row,
  rows,
  subjectOf,
  words,
}: {
  row: AnyRow | undefined;
  rows: readonly AnyRow[];
  subjectOf: (row: AnyRow) => RowSubject;
  words: ChartWords;
}) {
  const app = useAppContext();
  const vehicleLimit = useStore(
    app.vehicles.store,
    (state) => state.byId.get(row?.vehicle_id ?? '')?.speed_limit_kmh ?? null,
  );
  const subject = useMemo((): MapSubject | null => {
    if (row === undefined) return null;
    const about = subjectOf(row);
    return {
      ...about,
      vehicleName: words.vehicleName(row.vehicle_id),
      when: 'date' in row ? weekdayName(row.date) : spanText(about, words),
      limitKmh: 'limit_kmh' in row ? row.limit_kmh : vehicleLimit,
      geozoneId: 'geozone_id' in row ? row.geozone_id : null,
    };
  }, [row, subjectOf, words, vehicleLimit]);
  const places = useMemo(() => rows.flatMap(placesOf).slice(0, MOST_PLACES), [rows]);
  return <ReportMap subject={subject} places={places} />;
}

const waysOf = (by: DistanceBy): readonly ('odometer' | 'track')[] =>
  by === null ? [] : by === 'mixed' ? ['odometer', 'track'] : [by];

/** How the distances of a report were measured. */
const distancesBy = (rows: readonly AnyRow[]): string[] => [
  ...new Set(rows.flatMap((row) => ('distance_by' in row ? waysOf(row.distance_by) : []))),
];

/** More of them are not distinct on a small map. */
const MOST_PLACES = 2_000;

function placesOf(row: AnyRow): readonly LatLon[] {
  if ('place' in row) return row.place === null ? [] : [row.place];
  return 'start' in row ? [row.start, row.end] : [];
}

/** The sizes of chart and map, as this operator left them at this computer. */
function usePanes() {
  const app = useAppContext();
  const { width, height } = useWindowSize();
  const chart = useStore(app.preferences, (state) => state.panes['report_chart']);
  const map = useStore(app.preferences, (state) => state.panes['report_map']);
  const sizeOf = (pane: typeof chart, usual: number) =>
    pane === undefined || pane.size === 0 ? usual : pane.size;
  return {
    chart: {
      size: sizeOf(chart, height >= TALL_PX ? CHART_PX.tall : CHART_PX.usual),
      folded: chart?.folded ?? false,
    },
    map: {
      fits: width >= MAP_FROM_PX && canOpen(app.user, 'history'),
      size: sizeOf(map, width >= WIDE_PX ? MAP_PX.wide : MAP_PX.usual),
      folded: map?.folded ?? false,
    },
  };
}
