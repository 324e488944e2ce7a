import { Download, FileChartColumn } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { ReportForm } from '../reports/ReportForm.tsx';
import {
  type Answered,
  type ReportKind,
  reportKinds,
  askedOf,
  firstFilter,
  type ReportFilter,
  writeFilter,
} from '../reports/reportQuery.ts';
import { ReportTable } from '../reports/ReportTable.tsx';
import { isSame } from '../resources/rebaseForm.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Meter } from '../ui/Meter.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { isAbort } from '../api/errors.ts';
import { askProgress } from '../api/progress.ts';
import './ReportsScreen.css';

/** What the fleet did in a period: summary, trips, stops, visits of geofences; on the screen and as a file. */
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
          <span className="fill" />
          {state.phase === 'ready' && <SaveButton filter={state.filter} />}
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
      <Shown state={state} onRun={() => run(filter)} onCancel={cancel} />
    </Pane>
  );
}

function Shown({ state, onRun, onCancel }: { state: ReportState; onRun: () => void; onCancel: () => void }) {
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
            <Button onPress={onCancel}>{t('ui.cancel')}</Button>
          </div>
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
    case 'ready': {
      const { rows, positions, vehicles: looked } = state.answered.report;
      return (
        <>
          {rows.length === 0 ? (
            <Notice
              icon={FileChartColumn}
              title={positions === 0 ? t('reports.no_data_at_all') : t('reports.no_rows')}
            >
              {positions === 0 ? t('reports.no_data_at_all_how') : t('reports.no_rows_how')}
            </Notice>
          ) : (
            <ReportTable answered={state.answered} />
          )}
          <div className="pane__foot">
            {t('reports.looked_at', {
              rows: formatNumber(rows.length),
              vehicles: formatNumber(looked),
              positions: formatNumber(positions),
            })}
          </div>
        </>
      );
    }
  }
}

/** Hands out the report that is shown as CSV, made anew by the server from the same question. */
function SaveButton({ filter }: { filter: ReportFilter }) {
  const app = useAppContext();
  const t = useT();
  const { busy, sentence, run } = useAction();
  const save = () =>
    run(async () => {
      const response = await app.api.open(reportKinds[filter.kind].route, {
        query: { ...askedOf(filter), format: 'csv' },
      });
      const given = /filename="?([^";]+)"?/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
      await app.platform.saveFile(given ?? `${filter.kind}.csv`, await response.blob());
    });
  return (
    <>
      {sentence !== null && <span role="alert">{sentence}</span>}
      <Button icon={Download} disabled={busy} onPress={() => void save()}>
        {t('reports.save_csv')}
      </Button>
    </>
  );
}

type ReportState =
  | { phase: 'none' }
  | { phase: 'working'; share: number }
  | { phase: 'failed'; error: unknown; filter: ReportFilter }
  | { phase: 'ready'; answered: Answered; filter: ReportFilter };

/** Asks for one report at a time; another one takes its place, and leaving the screen cancels it on the server. */
function useReport(first: ReportFilter) {
  const app = useAppContext();
  const [state, setState] = useState<ReportState>(() => {
    const { filter, shown } = app.reportsView.getState();
    // A link that asks for something else shows no report that was run before.
    return shown !== null && isSame(filter, first) ? { phase: 'ready', ...shown } : { phase: 'none' };
  });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const run = useCallback(
    (filter: ReportFilter) => {
      abort.current?.abort();
      const current = new AbortController();
      abort.current = current;
      setState({ phase: 'working', share: 0 });
      ask(filter.kind)
        .then((answered) => {
          if (current.signal.aborted) return;
          setState({ phase: 'ready', answered, filter });
          app.reportsView.setState({ shown: { answered, filter } });
        })
        .catch((error: unknown) => {
          if (!current.signal.aborted && !isAbort(error)) setState({ phase: 'failed', error, filter });
        });

      async function ask(kind: ReportKind): Promise<Answered> {
        const { route, schema } = reportKinds[kind];
        const report = await askProgress(
          app.api,
          route,
          schema,
          { query: askedOf(filter), signal: current.signal },
          (share) => {
            if (!current.signal.aborted) setState({ phase: 'working', share });
          },
        );
        // The schema is that of the kind.
        return { kind, report } as Answered;
      }
    },
    [app],
  );

  return {
    state,
    run,
    cancel: useCallback(() => {
      abort.current?.abort();
      setState({ phase: 'none' });
    }, []),
  };
}
