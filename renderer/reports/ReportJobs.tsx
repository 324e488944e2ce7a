import { Download, FileSearch, X } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import {
  reportFileFormat,
  reportJobRoutes,
  resultKeptH,
  type ReportFileFormat,
  type ReportJob,
} from '../../server/contract/reportJobs.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { dateField } from '../format/depotMoment.ts';
import { formatBytes } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { usePolling } from '../resources/useReread.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Meter } from '../ui/Meter.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { fileLayoutOf, layoutOf } from './reportLayouts.ts';
import { knownLayoutOf } from './useReportColumns.tsx';
import { askedOf, readFilter, type ReportFilter } from './reportQuery.ts';
import { KIND_NAMES } from './reportView.ts';
import './LaterReports.css';
import { problemText } from '../ui/formFaults.ts';

/** The stream does not bear them. */
const AGAIN_MS = 2_000;

/** Those in the background: how far each is, and its file. */
export function ReportJobs({
  filter,
  onShow,
}: {
  filter: ReportFilter;
  onShow: (filter: ReportFilter) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const { api } = app;
  const read = useCallback((signal: AbortSignal) => api.request(reportJobRoutes.list, { signal }), [api]);
  const { value: jobs, load, again } = usePolling(read, AGAIN_MS);
  const { busy, sentence, run } = useAction();
  const [format, setFormat] = useState<ReportFileFormat>('csv');
  const start = () =>
    run(async () => {
      await startReportJob(app, filter, format);
      again();
    });
  const about = useReportWords();
  return (
    <>
      <div className="later__head">
        <span className="fill quiet">{t('later.jobs_how', { count: resultKeptH })}</span>
        <FormatChoice value={format} onChange={setFormat} />
        <Button kind="primary" disabled={busy} onPress={() => void start()}>
          {t('later.jobs_run', { report: t(KIND_NAMES[filter.kind]) })}
        </Button>
      </div>
      <Failure>{sentence}</Failure>
      {jobs === null ? (
        <p className="quiet">{t(load.phase === 'failed' ? 'later.jobs_failed' : 'later.jobs_reading')}</p>
      ) : jobs.items.length === 0 ? (
        <p className="quiet">{t('later.jobs_none')}</p>
      ) : (
        <ul className="later__list" aria-label={t('later.jobs')}>
          {jobs.items.map((job) => (
            <JobRow
              key={job.job_id}
              job={job}
              about={about(job.query)}
              onChanged={again}
              onShow={() => onShow(filterOf(job, app))}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function JobRow({
  job,
  about,
  onChanged,
  onShow,
}: {
  job: ReportJob;
  about: string;
  onChanged: () => void;
  onShow: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const { busy, sentence, run } = useAction();
  const { job_id, kind, format, state, progress, error, bytes, name, expires_at } = job;
  const request = { params: { job_id } };
  const save = () =>
    run(async () => {
      const response = await app.api.open(reportJobRoutes.result, request);
      await app.platform.saveFile(name ?? `${kind}.${format}`, await response.blob());
    });
  const remove = () =>
    run(async () => {
      await app.api.request(reportJobRoutes.remove, request);
      onChanged();
    });
  const isOver = state === 'done' || state === 'failed';
  return (
    <li className="later__row">
      <div className="later__text">
        <div className="ellipsis">
          <span className="strong">{t(KIND_NAMES[kind])}</span> <span className="quiet">{about}</span>
        </div>
        {state === 'running' ? (
          <Meter label={t('later.job_running')} value={progress} />
        ) : (
          <div className={state === 'failed' ? undefined : 'quiet'}>
            {state === 'queued' && t('later.job_queued')}
            {state === 'failed' && error !== null && problemText(error, t)}
            {state === 'done' &&
              t('later.job_done', {
                format: format.toUpperCase(),
                size: formatBytes(bytes ?? 0),
                until: time.moment(Date.parse(expires_at ?? ''), app.serverTime.now()),
              })}
          </div>
        )}
        <Failure>{sentence}</Failure>
      </div>
      {state === 'done' && (
        <Button size="small" icon={Download} disabled={busy} onPress={() => void save()}>
          {t('later.job_save')}
        </Button>
      )}
      <IconButton icon={FileSearch} size="small" label={t('later.job_show')} onPress={onShow} />
      <IconButton
        icon={X}
        size="small"
        disabled={busy}
        label={t(isOver ? 'later.job_delete' : 'later.job_cancel')}
        onPress={() => void remove()}
      />
    </li>
  );
}

/** The formats of files; nothing where there is but one. */
export function FormatChoice({
  value,
  onChange,
}: {
  value: ReportFileFormat;
  onChange: (format: ReportFileFormat) => void;
}) {
  const t = useT();
  if (reportFileFormat.options.length === 1) return null;
  return (
    <SegmentedControl
      label={t('later.format')}
      value={value}
      options={reportFileFormat.options.map((id) => ({ id, label: id.toUpperCase() }))}
      onChange={onChange}
    />
  );
}

/** Starts what the form asks for in the background, with what this user has chosen of its table. Throws ApiProblem, Unreachable. */
export function startReportJob(
  { api, reportLayouts }: Pick<ReturnType<typeof useAppContext>, 'api' | 'reportLayouts'>,
  filter: ReportFilter,
  format: ReportFileFormat = 'csv',
): Promise<ReportJob> {
  const { kind } = filter;
  const layout = knownLayoutOf(kind, layoutOf(reportLayouts.store.getState(), kind));
  return api.request(reportJobRoutes.create, {
    body: { kind, format, query: { ...askedOf(filter), ...fileLayoutOf(layout) } },
  });
}

/** What a job is about, as the form has it. */
function filterOf(
  { kind, query }: Pick<ReportJob, 'kind' | 'query'>,
  { serverTime, settings }: Pick<ReturnType<typeof useAppContext>, 'serverTime' | 'settings'>,
): ReportFilter {
  const { group_id, geozone_id, ...others } = query;
  const texts = Object.entries({ ...others, kind, group: group_id, geofence: geozone_id }).flatMap(
    ([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]]),
  );
  return readFilter(Object.fromEntries(texts), serverTime.now(), settings.getState().time);
}

/** Whom and what time a report is about: `Van 3 · 2026-11-01 – 2026-11-07`. */
export function useReportWords(): (query: ReportJob['query']) => string {
  const app = useAppContext();
  const t = useT();
  const { timeZone } = useDepotTime();
  const vehicles = useStore(app.vehicles.store, (it) => it.byId);
  const groups = useStore(app.groups.store, (it) => it.byId);
  return ({ vehicle, group_id, from, to }) => {
    const whom =
      vehicle !== undefined
        ? (vehicles.get(String(vehicle))?.name ?? String(vehicle))
        : group_id !== undefined
          ? (groups.get(String(group_id))?.name ?? t('groups.other'))
          : t('later.all_vehicles');
    if (from === undefined || to === undefined) return whom;
    const [first, last] = [Date.parse(String(from)), Date.parse(String(to)) - 1].map((ms) =>
      dateField(ms, timeZone),
    );
    return `${whom} · ${first === last ? (first ?? '') : `${first ?? ''} – ${last ?? ''}`}`;
  };
}
