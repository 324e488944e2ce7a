import { Plus } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import {
  newReportSchedule,
  reportScheduleRoutes,
  type NewReportSchedule,
  type ReportSchedule,
} from '../../server/contract/reportSchedules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { shownClock } from '../format/depotMoment.ts';
import type { Translate } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { useResourceForm } from '../resources/useResourceForm.ts';
import { usePolling } from '../resources/useReread.ts';
import { wordsOf } from '../rules/escalationForm.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { detailText } from '../ui/formFaults.ts';
import { ModalFooter } from '../ui/Modal.tsx';
import { dayNames, tidyClock } from '../ui/scheduleLabels.ts';
import { SegmentedControl } from '../ui/Segments.tsx';
import { Choice } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { FormatChoice, useReportWords } from './ReportJobs.tsx';
import { fileLayoutOf, layoutOf } from './reportLayouts.ts';
import { knownLayoutOf } from './useReportColumns.tsx';
import { askedOf, type ReportFilter } from './reportQuery.ts';
import { KIND_NAMES } from './reportView.ts';

const AGAIN_MS = 3_000;
/** A user has at most fifty (server/contract/quotas.ts). */
const MOST = 500;
const EVERY = ['day', 'week', 'month'] as const;

/** Reports that are made every day, week or month: the list, and the form of one. */
export function ReportSchedules({
  filter,
  mayWrite,
  isDealer,
}: {
  filter: ReportFilter;
  mayWrite: boolean;
  isDealer: boolean;
}) {
  const { api } = useAppContext();
  const t = useT();
  const read = useCallback(
    (signal: AbortSignal) => api.request(reportScheduleRoutes.list, { query: { limit: MOST }, signal }),
    [api],
  );
  const { value: schedules, load, again } = usePolling(read, AGAIN_MS);
  const [edited, setEdited] = useState<ReportSchedule | 'new' | null>(null);
  if (edited !== null) {
    return (
      <ScheduleForm
        schedule={edited === 'new' ? null : edited}
        filter={filter}
        isDealer={isDealer}
        onClose={() => {
          setEdited(null);
          again();
        }}
      />
    );
  }
  return (
    <>
      <div className="later__head">
        <span className="fill quiet">{t('later.schedules_how')}</span>
        {mayWrite && (
          <Button kind="primary" icon={Plus} onPress={() => setEdited('new')}>
            {t('later.schedule_add', { report: t(KIND_NAMES[filter.kind]) })}
          </Button>
        )}
      </div>
      {schedules === null ? (
        <p className="quiet">{t(load.phase === 'failed' ? 'later.jobs_failed' : 'later.jobs_reading')}</p>
      ) : schedules.items.length === 0 ? (
        <p className="quiet">{t('later.schedules_none')}</p>
      ) : (
        <ul className="later__list" aria-label={t('later.schedules')}>
          {schedules.items.map((schedule) => (
            <ScheduleRow
              key={schedule.schedule_id}
              schedule={schedule}
              mayWrite={mayWrite}
              onChanged={again}
              onEdit={() => setEdited(schedule)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function ScheduleRow({
  schedule,
  mayWrite,
  onChanged,
  onEdit,
}: {
  schedule: ReportSchedule;
  mayWrite: boolean;
  onChanged: () => void;
  onEdit: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const about = useReportWords();
  const { busy, sentence, run } = useAction();
  const {
    schedule_id,
    name,
    kind,
    query,
    enabled,
    running,
    last_run,
    next_run_at,
    disabled_reason,
    disabled_causes,
  } = schedule;
  const request = { params: { schedule_id } };
  const momentOf = (at: string) => time.moment(Date.parse(at), app.serverTime.now());
  const act = (route: typeof reportScheduleRoutes.run | typeof reportScheduleRoutes.remove) =>
    void run(async () => {
      await app.api.request(route, request);
      onChanged();
    });
  const isFailed = last_run?.state === 'failed';
  return (
    <li className="later__row">
      <div className="later__text">
        <div>
          <span className="strong">{name}</span>{' '}
          <span className="quiet">
            {t(KIND_NAMES[kind])} · {about(query)} · {whenOf(schedule, t)}
          </span>
        </div>
        <div className="quiet">
          {running
            ? t('later.job_running')
            : enabled && next_run_at !== null
              ? t('later.schedule_next', { at: momentOf(next_run_at) })
              : disabled_reason === null
                ? t('later.schedule_off')
                : detailText({ detail: disabled_reason, causes: disabled_causes }, t)}
        </div>
        {last_run !== null && (
          <div className={isFailed ? 'strong' : 'quiet'}>
            {t(isFailed ? 'later.schedule_failed' : 'later.schedule_last', { at: momentOf(last_run.at) })}{' '}
            {detailText(last_run, t)}
          </div>
        )}
        <Failure>{sentence}</Failure>
      </div>
      {mayWrite && (
        <>
          <Button size="small" disabled={busy || running} onPress={() => act(reportScheduleRoutes.run)}>
            {t('later.schedule_run')}
          </Button>
          <Button size="small" onPress={onEdit}>
            {t('later.schedule_edit')}
          </Button>
          <ConfirmButton
            size="small"
            disabled={busy}
            confirm={t('later.schedule_delete_do')}
            onConfirm={() => act(reportScheduleRoutes.remove)}
          >
            {t('later.job_delete')}
          </ConfirmButton>
        </>
      )}
    </li>
  );
}

/** Weekly, Monday, 06:00 */
function whenOf({ every, at, weekday, monthday }: ReportSchedule, t: Translate): string {
  const day = every === 'week' ? dayNames().find((it) => it.day === weekday)?.long : String(monthday);
  return [t(`later.every.${every}`), ...(every === 'day' ? [] : [day]), shownClock(at)].join(', ');
}

interface ScheduleFields {
  name: string;
  format: NewReportSchedule['format'];
  every: NewReportSchedule['every'];
  at: string;
  weekday: string;
  monthday: string;
  email_to: string;
  folder: string;
  enabled: boolean;
}

const fieldsOf = (schedule: ReportSchedule | null): ScheduleFields => ({
  name: schedule?.name ?? '',
  format: schedule?.format ?? 'xlsx',
  every: schedule?.every ?? 'day',
  at: schedule?.at ?? '06:00',
  weekday: String(schedule?.weekday ?? 1),
  monthday: String(schedule?.monthday ?? 1),
  email_to: schedule?.email_to.join(', ') ?? '',
  folder: schedule?.folder ?? '',
  enabled: schedule?.enabled ?? true,
});

function ScheduleForm({
  schedule,
  filter,
  isDealer,
  onClose,
}: {
  schedule: ReportSchedule | null;
  filter: ReportFilter;
  isDealer: boolean;
  onClose: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const about = useReportWords();
  const report = useMemo(() => {
    if (schedule !== null) return { kind: schedule.kind, query: schedule.query };
    const { from: _, to: __, ...query } = askedOf(filter);
    const { kind } = filter;
    const layout = knownLayoutOf(kind, layoutOf(app.reportLayouts.store.getState(), kind));
    return { kind, query: { ...query, ...fileLayoutOf(layout) } };
  }, [app, schedule, filter]);
  const { form, field, change, faults, sentence, busy, save } = useResourceForm<
    ReportSchedule,
    ScheduleFields
  >({
    item: schedule,
    formOf: fieldsOf,
    requestOf: (typed) => {
      const body: NewReportSchedule = {
        ...report,
        format: typed.format,
        ...{ name: typed.name.trim(), every: typed.every, at: tidyClock(typed.at), enabled: typed.enabled },
        ...{ weekday: Number(typed.weekday), monthday: Number(typed.monthday) },
        email_to: wordsOf(typed.email_to),
        folder: typed.folder.trim() === '' ? null : typed.folder.trim(),
      };
      const send = () =>
        schedule === null
          ? app.api.request(reportScheduleRoutes.create, { body })
          : app.api.request(reportScheduleRoutes.patch, {
              params: { schedule_id: schedule.schedule_id },
              ifMatch: schedule.version,
              body,
            });
      return { schema: newReportSchedule, body, send };
    },
    fields: ['name', 'at', 'monthday', 'email_to', 'folder'],
    texts: { version_conflict: t('later.schedule_conflict') },
  });
  return (
    <Form
      className="form-grid"
      faults={faults}
      onSubmit={() => void save(true).then((saved) => saved !== null && onClose())}
    >
      <p className="form-whole quiet">
        {t(KIND_NAMES[report.kind])} · {about(report.query)}
      </p>
      <TextField label={t('later.schedule_name')} {...field('name')} required maxLength={120} autoFocus />
      <TextField label={t('later.schedule_at')} {...field('at')} maxLength={5} />
      <SegmentedControl
        label={t('later.schedule_every')}
        value={form.every}
        options={EVERY.map((id) => ({ id, label: t(`later.every.${id}`) }))}
        onChange={(every) => change({ every })}
      />
      {form.every === 'week' && (
        <Choice
          label={t('later.schedule_weekday')}
          value={form.weekday}
          options={dayNames().map(({ day, long }) => ({ id: String(day), label: long }))}
          onChange={(weekday) => change({ weekday })}
        />
      )}
      {form.every === 'month' && (
        <TextField label={t('later.schedule_monthday')} numeric {...field('monthday')} maxLength={2} />
      )}
      <FormatChoice value={form.format} onChange={(format) => change({ format })} />
      <div className="form-whole">
        <TextField
          label={t('later.schedule_email')}
          hint={t('rules.email_hint')}
          {...field('email_to')}
          maxLength={2_000}
        />
      </div>
      {isDealer && (
        <div className="form-whole">
          <TextField
            label={t('later.schedule_folder')}
            hint={t('later.schedule_folder_hint')}
            {...field('folder')}
            maxLength={1_000}
          />
        </div>
      )}
      <div className="form-whole">
        <Toggle
          label={t('later.schedule_enabled')}
          on={form.enabled}
          onChange={(enabled) => change({ enabled })}
        />
      </div>
      <div className="form-whole">
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button kind="primary" submits disabled={busy}>
            {t('ui.save')}
          </Button>
        </ModalFooter>
      </div>
    </Form>
  );
}
