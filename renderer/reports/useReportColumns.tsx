import { useMemo } from 'react';
import { useStore } from 'zustand';
import { type ColumnKind, reportColumns, type ReportColumn } from '../../server/contract/reportColumns.ts';
import type { ReportLayout } from '../../server/contract/reportLayouts.ts';
import type { ReportKind, ReportPlace, ReportRows } from '../../server/contract/reportRows.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatAge } from '../format/age.ts';
import { formatBytes, formatDistance, formatNumber, speedNumber } from '../format/numbers.ts';
import { en } from '../i18n/en.ts';
import type { TextKey, Translate } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { canOpen } from '../navigation/navigation.ts';
import { useRuleNames } from '../rules/ruleList.ts';
import { TimeOfDay } from '../ui/Moment.tsx';
import type { Column } from '../ui/tableOrder.ts';
import { clockHour } from '../charts/chartData.ts';
import { layoutOf } from './reportLayouts.ts';
import { weekdayName } from '../format/calendarNames.ts';

/** What the columns of a report call things by; another object when a name may have changed. */
export function useReportNames(kind: ReportKind) {
  const app = useAppContext();
  const t = useT();
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  const users = useStore(app.userNames, ({ byId }) => byId);
  const hasRules = reportColumns[kind].some((column) => column.kind === 'rule');
  const rules = useRuleNames(hasRules && canOpen(app.user, 'rules'));
  const places = useStore(app.places.edition, ({ number }) => number);
  return useMemo(() => {
    const geofence = (id: string) => geofences.get(id)?.name ?? t('place.unknown_geofence');
    const geofencesOf = (place: ReportPlace) => place.geozone_ids.map(geofence).join(', ');
    return {
      vehicle: (id: string) => vehicles.get(id)?.name ?? t('reports.gone_vehicle'),
      geofence,
      user: (id: string) => users.get(id) ?? t('user.another'),
      rule: (id: string) => rules.get(id) ?? '',
      /** By what the server has said: sorting asks for all rows, and only those on the screen ask for more. */
      knownPlace: (place: ReportPlace) => `${geofencesOf(place)} ${place.address ?? ''}`,
      place: (place: ReportPlace) => app.places.of(place, geofencesOf(place)),
    };
    // Rows are drawn anew when their columns are: `places` moves on when an address has come.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `places`: addresses have come
  }, [app, t, vehicles, geofences, users, rules, places]);
}

export type ReportNames = ReturnType<typeof useReportNames>;

/** Columns that are shown where the operator has chosen none; of a kind that is not here, all but ids and flags. */
const USUAL: { readonly [Kind in ReportKind]?: readonly string[] } = {
  trips: [
    ...['vehicle_id', 'start_time', 'end_time', 'duration_s', 'distance_m'],
    ...['max_speed_kmh', 'start', 'end', 'average_speed_kmh', 'idle_s'],
  ],
  stops: [
    ...['vehicle_id', 'start_time', 'end_time', 'place'],
    ...['duration_s', 'idle_s', 'ignition_on_s', 'gap_s'],
  ],
  summary: [
    ...['vehicle_id', 'distance_m', 'driving_s', 'stopped_s', 'idle_s', 'gap_s'],
    ...['trips', 'stops', 'max_speed_kmh', 'first_time', 'last_time'],
  ],
  daily: [
    ...['vehicle_id', 'date', 'first_departure', 'last_arrival', 'distance_m'],
    ...['driving_s', 'stopped_s', 'idle_s', 'gap_s', 'trips', 'max_speed_kmh'],
  ],
  hours: ['vehicle_id', 'driving_s', 'stopped_s', 'distance_m', 'out_of_hours_s', 'out_of_hours_m'],
  overspeed: [
    ...['vehicle_id', 'start_time', 'duration_s', 'max_speed_kmh', 'limit_kmh'],
    ...['limit_source', 'average_speed_kmh', 'distance_m', 'place'],
  ],
  events: [
    ...['vehicle_id', 'time', 'kind', 'severity', 'place', 'geozone_id'],
    ...['duration_s', 'measured', 'threshold', 'unit', 'acknowledged_after_s', 'acknowledged_by'],
  ],
  video: [
    ...['vehicle_id', 'requested_at', 'channel', 'start_time', 'duration_s', 'status'],
    ...['error', 'size_bytes', 'took_s', 'attempts'],
  ],
};

const isUsual = ({ kind, key }: { kind: ColumnKind; key: string }): boolean =>
  kind !== 'id' && kind !== 'flag' && key !== 'distance_by' && key !== 'driver';

/** Keys of the columns that are shown, in their order: those that the operator has chosen, as far as they still are. */
export function shownColumns(kind: ReportKind, chosen: readonly string[] | null): readonly string[] {
  const all = reportColumns[kind] as readonly ReportColumn<never>[];
  const usual = USUAL[kind] ?? all.filter(isUsual).map(({ key }) => key);
  const known = (chosen ?? []).filter((it) => all.some(({ key }) => key === it));
  return known.length > 0 ? known : usual;
}

/** The order of rows where the operator has chosen none: by time, else by what stands first. */
const usualSort = (keys: readonly string[]): { column: string; desc: boolean } => ({
  column: keys.find((key) => /_time$|^time$/.test(key)) ?? keys[0] ?? '',
  desc: false,
});

/** A layout without columns that are no more. */
export function knownLayoutOf(kind: ReportKind, layout: ReportLayout): ReportLayout {
  const isKnown = reportColumns[kind].some(({ key }) => key === layout.sort?.column);
  return {
    ...layout,
    columns: layout.columns === null ? null : [...shownColumns(kind, layout.columns)],
    sort: isKnown ? layout.sort : null,
  };
}

/** The layout of a kind of report as its table shows it: always in some order. */
export function useShownLayout(kind: ReportKind) {
  const { reportLayouts } = useAppContext();
  const saved = layoutOf(useStore(reportLayouts.store), kind);
  return useMemo(() => {
    const layout = knownLayoutOf(kind, saved);
    return { ...layout, sort: layout.sort ?? usualSort(shownColumns(kind, layout.columns)) };
  }, [saved, kind]);
}

/** A column of a report's table, with what its group headings and its foot show. */
export interface ReportTableColumn<Row> extends Column<Row> {
  total?: 'sum' | 'max' | undefined;
  /** A total in words. */
  totalText?: (value: number) => string;
}

/** All columns of a kind of report for its table, in the order of the contract. */
export function useReportColumns<Kind extends ReportKind>(
  kind: Kind,
  names: ReportNames,
): readonly ReportTableColumn<ReportRows[Kind]>[] {
  const t = useT();
  return useMemo(
    () =>
      (reportColumns[kind] as readonly ReportColumn<ReportRows[Kind]>[]).map((column) =>
        tableColumn(kind, column, { t, names }),
      ),
    [kind, names, t],
  );
}

interface ColumnWords {
  t: Translate;
  names: ReportNames;
}

const isText = (key: string): key is TextKey => key in en;

/** What a column is called: as in its own kind of report, else as in all. */
export function columnHead(kind: ReportKind, key: string, t: Translate): string {
  const hour = /^driving_s_(\d\d)$/.exec(key)?.[1];
  if (hour !== undefined) return clockHour(Number(hour));
  const reportKind = kind.replaceAll('-', '_');
  const found = [`reports.column.${reportKind}.${key}`, `reports.column.${key}`].find(isText);
  return found === undefined ? words(key) : t(found);
}

/** Texts of codes that are known elsewhere. */
const CODES: Readonly<Record<string, string>> = { kind: 'alarm', error: 'reason' };

/** A code of the contract in words. */
export function codeText(key: string, code: string, t: Translate): string {
  const found = [`reports.code.${key}.${code}`, `${CODES[key] ?? ''}.${code}`].find(isText);
  return found === undefined ? words(code) : t(found);
}

const words = (code: string): string => {
  const text = code.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const NONE = <span className="faint">–</span>;

const OPEN_SIDES: Readonly<Record<string, 'open_start' | 'open_end'>> = {
  start_time: 'open_start',
  enter_time: 'open_start',
  first_departure: 'open_start',
  end_time: 'open_end',
  exit_time: 'open_end',
  last_arrival: 'open_end',
};

function tableColumn<Row extends object>(
  kind: ReportKind,
  column: ReportColumn<Row>,
  { t, names }: ColumnWords,
): ReportTableColumn<Row> {
  const { key, total } = column;
  const base = { id: key, head: columnHead(kind, key, t), total };
  const number = (
    value: (row: Row) => number | null,
    text: (value: number) => string,
    width: string,
  ): ReportTableColumn<Row> => ({
    ...base,
    value,
    cell: (row) => {
      const of = value(row);
      return of === null ? NONE : text(of);
    },
    totalText: text,
    align: 'end',
    // A head is not cut off.
    width: `max(${width}, ${Math.ceil(base.head.length * 6.5) + 16}px)`,
  });
  const named = (value: (row: Row) => string | null, width: string, isStrong = false) => ({
    ...base,
    value,
    cell: (row: Row) => <Named text={value(row)} isStrong={isStrong} />,
    width,
  });
  switch (column.kind) {
    case 'vehicle':
      return {
        ...named((row) => names.vehicle(column.value(row)), 'minmax(112px, 240px)', true),
        isName: true,
      };
    case 'geofence':
      return named((row) => mapped(column.value(row), names.geofence), 'minmax(112px, 1fr)');
    case 'rule':
      return named((row) => mapped(column.value(row), names.rule), 'minmax(112px, 1fr)');
    case 'user':
      return named((row) => mapped(column.value(row), names.user), 'minmax(96px, 1fr)');
    case 'code':
      return named((row) => mapped(column.value(row), (code) => codeText(key, code, t)), '112px');
    case 'text':
      return named(column.value, 'minmax(72px, 1fr)');
    case 'id':
      return named(column.value, '144px');
    case 'time':
      return {
        ...base,
        value: column.value,
        cell: (row) => (
          <Edge at={column.value(row)} open={isOpen(row, OPEN_SIDES[key])} side={OPEN_SIDES[key]} />
        ),
        // And the arrow of what goes on.
        width: 'calc(var(--moment-width) + 24px)',
      };
    case 'date':
      return { ...base, value: column.value, cell: (row) => weekdayName(column.value(row)), width: '96px' };
    case 'flag':
      return { ...base, value: (row) => (column.value(row) ? t('reports.yes') : null), width: '80px' };
    case 'duration_s':
      return number(column.value, (s) => (s === 0 ? '–' : formatAge(s * 1_000)), '88px');
    case 'distance_m':
      return number(column.value, formatDistance, '88px');
    case 'speed_kmh':
      return number(column.value, (kmh) => speedNumber(kmh), '88px');
    case 'count':
      return number(column.value, (count) => formatNumber(count), '72px');
    case 'number':
      return number(column.value, (it) => formatNumber(it, Number.isInteger(it) ? 0 : 1), '80px');
    case 'share':
      return number(column.value, (share) => `${formatNumber(share * 100)} %`, '80px');
    case 'bytes':
      return number(column.value, formatBytes, '88px');
    case 'place':
      return {
        ...base,
        value: (row) => mapped(column.value(row), names.knownPlace),
        cell: (row) => <Named text={mapped(column.value(row), names.place)} isStrong={false} />,
        width: 'minmax(128px, 1.5fr)',
      };
  }
}

const mapped = <Value,>(value: Value | null, of: (value: Value) => string): string | null =>
  value === null ? null : of(value);

/** Long ones end in an ellipsis. */
const Named = ({ text, isStrong }: { text: string | null; isStrong: boolean }) =>
  text === null || text === '' ? (
    NONE
  ) : (
    <span className={isStrong ? 'strong ellipsis' : 'ellipsis'} title={text}>
      {text}
    </span>
  );

const isOpen = (row: object, side: string | undefined): boolean =>
  side !== undefined && (row as Readonly<Record<string, unknown>>)[side] === true;

/** A moment at which something began or ended, or up to which the period goes. */
function Edge({
  at,
  open,
  side,
}: {
  at: string | null;
  open: boolean;
  side: 'open_start' | 'open_end' | undefined;
}) {
  const t = useT();
  if (at === null) return NONE;
  const words = t(side === 'open_start' ? 'reports.open_start' : 'reports.open_end');
  return (
    <>
      <TimeOfDay at={Date.parse(at)} withDate />
      {open && (
        <span className="faint" title={words}>
          {' '}
          <span aria-hidden>{side === 'open_start' ? '←' : '→'}</span>
          <span className="unseen">{words}</span>
        </span>
      )}
    </>
  );
}
