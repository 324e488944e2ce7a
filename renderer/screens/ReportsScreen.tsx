import { Download, FileChartColumn } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { numberText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import { ReportForm } from '../reports/ReportForm.tsx';
import { reportKinds } from '../reports/reportKinds.ts';
import { askedOf, readWish, writeWish, type ReportWish } from '../reports/reportQuery.ts';
import { ReportTable } from '../reports/ReportTable.tsx';
import { useReport, type ReportState } from '../reports/useReport.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Meter } from '../ui/Meter.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import { StaleBand } from '../ui/StaleBand.tsx';
import './ReportsScreen.css';

/** What the fleet did in a period: summary, trips, stops, visits of geofences; on the screen and as a file. */
export function ReportsScreen() {
  const desk = useDesk();
  const say = useText();
  const [wish, setWish] = useState(() =>
    readWish(desk.navigation.store.getState().query, desk.serverTime.now(), desk.settings.getState().time),
  );
  const { state, run, cancel } = useReport();
  const change = (next: ReportWish) => {
    setWish(next);
    desk.navigation.note(writeWish(next));
  };
  return (
    <Pane
      name={say('rail.reports')}
      className="reports"
      head={
        <>
          <h2>{say('rail.reports')}</h2>
          <span className="fill" />
          {state.phase === 'ready' && <SaveButton wish={state.wish} />}
        </>
      }
    >
      <StaleBand>{say('reports.stale')}</StaleBand>
      <ReportForm
        wish={wish}
        onChange={change}
        onRun={() => {
          desk.navigation.note(writeWish(wish));
          run(wish);
        }}
        busy={state.phase === 'working'}
      />
      <Shown state={state} onRun={() => run(wish)} onCancel={cancel} />
    </Pane>
  );
}

function Shown({ state, onRun, onCancel }: { state: ReportState; onRun: () => void; onCancel: () => void }) {
  const desk = useDesk();
  const say = useText();
  const vehicles = useStore(desk.vehicles.store, (it) => it.byId);
  switch (state.phase) {
    case 'none':
      return (
        <Notice
          icon={FileChartColumn}
          title={vehicles.size === 0 ? say('reports.no_vehicles') : say('reports.none_yet')}
        >
          {vehicles.size === 0 ? say('reports.no_vehicles_how') : say('reports.none_yet_how')}
        </Notice>
      );
    case 'working':
      return (
        <div className="notice" role="status">
          <h3 className="notice__title">{say('reports.working')}</h3>
          <Meter label={say('reports.working')} value={state.share} />
          <div className="notice__actions">
            <Button onPress={onCancel}>{say('ui.cancel')}</Button>
          </div>
        </div>
      );
    case 'failed':
      return (
        <LoadFailure
          title={say('reports.failed')}
          stillWorks={say('reports.failed_still')}
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
              title={positions === 0 ? say('reports.no_data_at_all') : say('reports.no_rows')}
            >
              {positions === 0 ? say('reports.no_data_at_all_how') : say('reports.no_rows_how')}
            </Notice>
          ) : (
            <ReportTable answered={state.answered} />
          )}
          <div className="pane__foot">
            {say('reports.looked_at', {
              rows: numberText(rows.length),
              vehicles: numberText(looked),
              positions: numberText(positions),
            })}
          </div>
        </>
      );
    }
  }
}

/** Hands out the report that is shown as CSV, made anew by the server from the same question. */
function SaveButton({ wish }: { wish: ReportWish }) {
  const desk = useDesk();
  const say = useText();
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  const save = async () => {
    setBusy(true);
    setSentence(null);
    try {
      const response = await desk.api.open(reportKinds[wish.kind].route, {
        query: { ...askedOf(wish), format: 'csv' },
      });
      const given = /filename="?([^";]+)"?/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
      await desk.platform.saveFile(given ?? `${wish.kind}.csv`, await response.blob());
    } catch (error) {
      setSentence(sentenceOf(error, say));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {sentence !== null && <span role="alert">{sentence}</span>}
      <Button icon={Download} disabled={busy} onPress={() => void save()}>
        {say('reports.save_csv')}
      </Button>
    </>
  );
}
