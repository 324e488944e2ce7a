import { useMemo, type SyntheticEvent } from 'react';
import { useStore } from 'zustand';
import type { ReportKind } from '../../server/contract/reportRows.ts';
import { maxReportVehicles } from '../../server/contract/reportRows.ts';
import { maxReportDays } from '../../server/contract/reports.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { DriverPicker } from '../drivers/DriverPicker.tsx';
import { GeofencePicker } from '../geofences/GeofencePicker.tsx';
import { sortedGroups } from '../groups/groupOrder.ts';
import { keptFromForm, shownInForm } from '../format/units.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../ui/Select.tsx';
import { PeriodField } from '../ui/PeriodField.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';
import { VehiclePicker } from '../vehicles/VehiclePicker.tsx';
import { parametersOf, thresholdsOf, type ParameterName, type ReportFilter } from './reportQuery.ts';
import { KIND_NAMES, kindsFor } from './reportView.ts';

const ALL_GROUPS = 'all';

/** The kinds of reports that this user may run. */
export function KindPicker({ kind, onChange }: { kind: ReportKind; onChange: (kind: ReportKind) => void }) {
  const { user } = useAppContext();
  const t = useT();
  return (
    <SegmentedControl
      label={t('reports.kind')}
      value={kind}
      options={kindsFor(user).map((id) => ({ id, label: t(KIND_NAMES[id]) }))}
      onChange={onChange}
    />
  );
}

/** Days of the week as the contract lists them; left out are Monday to Friday. */
const WORK_DAYS = [
  { id: '1,2,3,4,5', label: 'reports.work_days.five' },
  { id: '1,2,3,4,5,6', label: 'reports.work_days.six' },
  { id: '1,2,3,4,5,6,7', label: 'reports.work_days.all' },
] as const;

/** Shown in an empty field: what holds then. */
const USUAL: Readonly<Partial<Record<ParameterName, string>>> = { work_from: '06:00', work_to: '18:00' };

function Parameter({
  name,
  value,
  onChange,
}: {
  name: ReturnType<typeof parametersOf>[number];
  value: string;
  onChange: (value: string) => void;
}) {
  const t = useT();
  const label = t(`reports.parameter.${name}`);
  if (name === 'work_days') {
    return (
      <Choice
        label={label}
        value={value === '' ? WORK_DAYS[0].id : value}
        options={WORK_DAYS.map((it) => ({ id: it.id, label: t(it.label) }))}
        onChange={onChange}
      />
    );
  }
  return (
    <div className={name in USUAL ? 'report-form__time' : 'report-form__number'}>
      <TextField
        label={label}
        value={value}
        onChange={onChange}
        numeric={!(name in USUAL)}
        placeholder={USUAL[name] ?? t('reports.parameter.usual')}
        maxLength={8}
      />
    </div>
  );
}

/** Folded, since those of the depot hold for nearly all reports; an empty field shows what holds. */
function Thresholds({
  filter,
  onChange,
}: {
  filter: ReportFilter;
  onChange: (filter: ReportFilter) => void;
}) {
  const t = useT();
  const numbers = useStore(useAppContext().settings, (state) => state.numbers);
  const { kind, parameters } = filter;
  const names = thresholdsOf(kind);
  if (names.length === 0) return null;
  const count = names.filter((name) => (parameters[name] ?? '').trim() !== '').length;
  return (
    <details className="report-form__thresholds">
      <summary>{count === 0 ? t('reports.thresholds') : t('reports.thresholds_changed', { count })}</summary>
      <div>
        {names.map((name) => (
          <TextField
            key={name}
            label={t(`numbers.${name}`)}
            value={shownText(name, parameters[name])}
            onChange={(value) =>
              onChange({ ...filter, parameters: { ...parameters, [name]: keptText(name, value) } })
            }
            numeric
            placeholder={shownInForm(name, numbers[name])}
            maxLength={8}
          />
        ))}
      </div>
    </details>
  );
}

/** Parameters are kept as the contract has them: an address with them means the same to every user. */
function shownText(name: string, kept = ''): string {
  const value = Number(kept);
  if (kept.trim() === '' || Number.isNaN(value)) return kept;
  const shown = shownInForm(name, value);
  return Number(shown) === value ? kept : shown;
}

function keptText(name: string, typed: string): string {
  const value = Number(typed.replace(',', '.'));
  if (typed.trim() === '' || Number.isNaN(value)) return typed;
  const kept = keptFromForm(name, value);
  return kept === value ? typed : String(kept);
}

/** What a report is to be about. */
export function ReportForm({
  filter,
  onChange,
  onRun,
  busy,
}: {
  filter: ReportFilter;
  onChange: (filter: ReportFilter) => void;
  onRun: () => void;
  busy: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const groups = useStore(app.groups.store, (state) => state.byId);
  const hasDrivers = useStore(app.drivers.store, (state) => state.byId.size > 0);
  const groupOptions = useMemo(
    () => [
      { id: ALL_GROUPS, label: t('reports.all_groups') },
      ...sortedGroups(groups.values()).map(({ group_id, name }) => ({ id: group_id, label: name })),
    ],
    [groups, t],
  );
  const change = (part: Partial<ReportFilter>) => onChange({ ...filter, ...part });
  return (
    <form
      className="report-form"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        onRun();
      }}
    >
      <PeriodField value={filter.period} onChange={(period) => change({ period })} maxDays={maxReportDays} />
      <div className="report-form__one">
        <VehiclePicker
          label={t('reports.vehicle')}
          value={filter.vehicleIds}
          onChange={(ids) => change({ vehicleIds: ids.slice(0, maxReportVehicles) })}
        />
      </div>
      <Choice
        label={t('reports.group')}
        value={filter.groupId ?? ALL_GROUPS}
        options={groupOptions}
        onChange={(id) => change({ groupId: id === ALL_GROUPS ? null : id })}
      />
      {hasDrivers && (
        <div className="report-form__one">
          <DriverPicker
            label={t('vehicle.driver')}
            value={filter.driverId}
            onChange={(driverId) => change({ driverId })}
          />
        </div>
      )}
      {filter.kind === 'geofence-visits' && (
        <div className="report-form__one">
          <GeofencePicker
            label={t('reports.geofence')}
            single
            value={filter.geozoneId === null ? [] : [filter.geozoneId]}
            onChange={([geozoneId = null]) => change({ geozoneId })}
          />
        </div>
      )}
      {parametersOf(filter.kind).map((name) => (
        <Parameter
          key={name}
          name={name}
          value={shownText(name, filter.parameters[name])}
          onChange={(value) =>
            change({ parameters: { ...filter.parameters, [name]: keptText(name, value) } })
          }
        />
      ))}
      <Thresholds filter={filter} onChange={onChange} />
      <Button kind="primary" submits disabled={busy}>
        {t('reports.run')}
      </Button>
    </form>
  );
}
