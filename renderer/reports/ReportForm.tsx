import { useMemo, type SyntheticEvent } from 'react';
import { useStore } from 'zustand';
import { longestReportDays } from '../../server/contract/reports.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { GeofencePicker } from '../geofences/GeofencePicker.tsx';
import { sortedGroups } from '../groups/groupOrder.ts';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../ui/Choice.tsx';
import { PeriodField } from '../ui/PeriodField.tsx';
import { Segments } from '../ui/Segments.tsx';
import { VehiclePicker } from '../vehicles/VehiclePicker.tsx';
import { REPORT_KINDS } from './reportKinds.ts';
import type { ReportWish } from './reportQuery.ts';

const ALL_GROUPS = 'all';

/** What a report is to be about. */
export function ReportForm({
  wish,
  onChange,
  onRun,
  busy,
}: {
  wish: ReportWish;
  onChange: (wish: ReportWish) => void;
  onRun: () => void;
  busy: boolean;
}) {
  const desk = useDesk();
  const say = useText();
  const groups = useStore(desk.groups.store, (state) => state.byId);
  const groupOptions = useMemo(
    () => [
      { id: ALL_GROUPS, label: say('reports.all_groups') },
      ...sortedGroups(groups.values()).map(({ group_id, name }) => ({ id: group_id, label: name })),
    ],
    [groups, say],
  );
  const change = (part: Partial<ReportWish>) => onChange({ ...wish, ...part });
  return (
    <form
      className="report-form"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        onRun();
      }}
    >
      <div className="report-form__kinds">
        <Segments
          label={say('reports.kind')}
          value={wish.kind}
          options={REPORT_KINDS.map((id) => ({ id, label: say(`reports.kind.${id}`) }))}
          onChange={(kind) => change({ kind })}
        />
      </div>
      <PeriodField
        value={wish.period}
        onChange={(period) => change({ period })}
        longestDays={longestReportDays}
      />
      <div className="report-form__one">
        <VehiclePicker
          label={say('reports.vehicle')}
          single
          value={wish.vehicleId === null ? [] : [wish.vehicleId]}
          onChange={([vehicleId = null]) => change({ vehicleId })}
        />
      </div>
      <Choice
        label={say('reports.group')}
        value={wish.groupId ?? ALL_GROUPS}
        options={groupOptions}
        onChange={(id) => change({ groupId: id === ALL_GROUPS ? null : id })}
      />
      {wish.kind === 'visits' && (
        <div className="report-form__one">
          <GeofencePicker
            label={say('reports.geofence')}
            single
            value={wish.geozoneId === null ? [] : [wish.geozoneId]}
            onChange={([geozoneId = null]) => change({ geozoneId })}
          />
        </div>
      )}
      <Button kind="primary" submits disabled={busy}>
        {say('reports.run')}
      </Button>
    </form>
  );
}
