import { useMemo, type SyntheticEvent } from 'react';
import { useStore } from 'zustand';
import { maxReportDays } from '../../server/contract/reports.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { GeofencePicker } from '../geofences/GeofencePicker.tsx';
import { sortedGroups } from '../groups/groupOrder.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../ui/Select.tsx';
import { PeriodField } from '../ui/PeriodField.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { VehiclePicker } from '../vehicles/VehiclePicker.tsx';
import { REPORT_KINDS, type ReportFilter } from './reportQuery.ts';

const ALL_GROUPS = 'all';

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
      <div className="report-form__kinds">
        <SegmentedControl
          label={t('reports.kind')}
          value={filter.kind}
          options={REPORT_KINDS.map((id) => ({ id, label: t(`reports.kind.${id}`) }))}
          onChange={(kind) => change({ kind })}
        />
      </div>
      <PeriodField value={filter.period} onChange={(period) => change({ period })} maxDays={maxReportDays} />
      <div className="report-form__one">
        <VehiclePicker
          label={t('reports.vehicle')}
          single
          value={filter.vehicleId === null ? [] : [filter.vehicleId]}
          onChange={([vehicleId = null]) => change({ vehicleId })}
        />
      </div>
      <Choice
        label={t('reports.group')}
        value={filter.groupId ?? ALL_GROUPS}
        options={groupOptions}
        onChange={(id) => change({ groupId: id === ALL_GROUPS ? null : id })}
      />
      {filter.kind === 'visits' && (
        <div className="report-form__one">
          <GeofencePicker
            label={t('reports.geofence')}
            single
            value={filter.geozoneId === null ? [] : [filter.geozoneId]}
            onChange={([geozoneId = null]) => change({ geozoneId })}
          />
        </div>
      )}
      <Button kind="primary" submits disabled={busy}>
        {t('reports.run')}
      </Button>
    </form>
  );
}
