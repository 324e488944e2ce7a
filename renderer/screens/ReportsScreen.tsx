import { CalendarClock, FileChartColumn } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { LaterReports, type LaterPart } from '../reports/LaterReports.tsx';
import { startReportJob } from '../reports/ReportJobs.tsx';
import { ReportBody } from '../reports/ReportBody.tsx';
import { ReportExport } from '../reports/ReportExport.tsx';
import { KindPicker, ReportForm } from '../reports/ReportForm.tsx';
import {
  firstFilter,
  isNamedBy,
  readFilter,
  type ReportFilter,
  writeFilter,
} from '../reports/reportQuery.ts';
import type { ReportsView } from '../reports/reportView.ts';
import { type ReportState, useReport } from '../reports/useReport.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Meter } from '../ui/Meter.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import './ReportsScreen.css';

/** What the fleet did in a period: reports of several kinds; on the screen and as a file. */
export function ReportsScreen() {
  const app = useAppContext();
  const t = useT();
  const [filter, setFilter] = useState(() =>
    firstFilter(
      app.reportsView.getState(),
      app.navigation.store.getState().query,
      app.serverTime.now(),
      app.settings.getState().time,
    ),
  );
  const { state, run, cancel } = useReport(filter);
  const [later, setLater] = useState<LaterPart | null>(null);
  useEffect(
    () =>
      app.navigation.store.subscribe(({ place, query }) => {
        // A link that is opened, or Back, while the screen is shown.
        if (place === 'reports' && Object.keys(query).length > 0)
          setFilter((before) =>
            isNamedBy(before, query)
              ? before
              : readFilter(query, app.serverTime.now(), app.settings.getState().time),
          );
      }),
    [app],
  );
  const change = (next: ReportFilter) => {
    setFilter(next);
    app.reportsView.setState({ filter: next });
    app.navigation.note(writeFilter(next));
  };
  return (
    <Pane
      name={t('rail.reports')}
      className="reports"
      head={
        <>
          <h2>{t('rail.reports')}</h2>
          <KindPicker kind={filter.kind} onChange={(kind) => change({ ...filter, kind })} />
          <span className="fill" />
          <Button icon={CalendarClock} onPress={() => setLater('schedules')}>
            {t('later.schedules')}
          </Button>
          {state.phase === 'ready' && <ReportExport filter={state.filter} />}
        </>
      }
    >
      <StaleBanner>{t('reports.stale')}</StaleBanner>
      <ReportForm
        filter={filter}
        onChange={change}
        onRun={() => {
          app.navigation.note(writeFilter(filter));
          app.reportsView.setState({ filter });
          run(filter);
        }}
        busy={state.phase === 'working'}
      />
      <Shown
        state={state}
        onRun={() => run(filter)}
        onCancel={cancel}
        onLater={async () => {
          await startReportJob(app, filter);
          cancel();
          setLater('jobs');
        }}
      />
      {later !== null && (
        <LaterReports
          filter={filter}
          part={later}
          onShow={(asked) => {
            change(asked);
            setLater(null);
          }}
          onClose={() => setLater(null)}
        />
      )}
    </Pane>
  );
}

function Shown({
  state,
  onRun,
  onCancel,
  onLater,
}: {
  state: ReportState;
  onRun: () => void;
  onCancel: () => void;
  /** Goes on in the background. */
  onLater: () => Promise<void>;
}) {
  const { busy, sentence, run } = useAction();
  const app = useAppContext();
  const t = useT();
  const vehicles = useStore(app.vehicles.store, (it) => it.byId);
  switch (state.phase) {
    case 'none':
      return (
        <Notice
          icon={FileChartColumn}
          title={vehicles.size === 0 ? t('reports.no_vehicles') : t('reports.none_yet')}
        >
          {vehicles.size === 0 ? t('reports.no_vehicles_how') : t('reports.none_yet_how')}
        </Notice>
      );
    case 'working':
      return (
        <div className="notice" role="status">
          <h3 className="notice__title">{t('reports.working')}</h3>
          <Meter label={t('reports.working')} value={state.share} />
          <div className="notice__actions">
            <Button disabled={busy} onPress={() => void run(onLater)}>
              {t('later.start')}
            </Button>
            <Button onPress={onCancel}>{t('ui.cancel')}</Button>
          </div>
          <Failure>{sentence}</Failure>
        </div>
      );
    case 'failed':
      return (
        <LoadFailure
          title={t('reports.failed')}
          stillWorks={t('reports.failed_still')}
          error={state.error}
          nextTryAt={null}
          onRetry={onRun}
        />
      );
    case 'ready':
      return <ReadyReport {...state} />;
  }
}

function ReadyReport({ answered, filter, byDriver }: NonNullable<ReportsView['shown']>) {
  const t = useT();
  const { rows, positions } = answered.report;
  if (rows.length > 0) return <ReportBody answered={answered} filter={filter} byDriver={byDriver} />;
  return (
    <Notice
      icon={FileChartColumn}
      title={positions === 0 ? t('reports.no_data_at_all') : t('reports.no_rows')}
    >
      {positions === 0 ? t('reports.no_data_at_all_how') : t('reports.no_rows_how')}
    </Notice>
  );
}
