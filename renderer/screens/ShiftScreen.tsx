import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { FileDown, Handshake, Mail, Printer } from 'lucide-react';
import { shiftRoutes, type Shift, type ShiftReport } from '../../server/contract/shifts.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { mayWrite, writeHash } from '../navigation/navigation.ts';
import { useAction } from '../resources/useAction.ts';
import { usePolling } from '../resources/useReread.ts';
import { onDuty, ownShift, startShift, waitingFor, withdrawHandover } from '../shifts/shiftActions.ts';
import { MailDialog } from '../shifts/MailDialog.tsx';
import { ShiftNotes } from '../shifts/ShiftDialogs.tsx';
import { ShiftReportView } from '../shifts/ShiftReportView.tsx';
import { reportReader, saveReportPdf } from '../shifts/shiftReports.ts';
import { Button } from '../ui/Button.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Moment } from '../ui/Moment.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import '../shifts/Shifts.css';

/** In place of a shift's id in the address: what happened since the last login. */
const SINCE_LOGIN = 'since_login';
/** The sums of a shift that goes on. */
const againMs = 15_000;
const pastAgainMs = 60_000;
/** Older ones are in the API. */
const mostPast = 200;

/** Who is on duty, what is handed over, and what happened in a shift. */
export function ShiftScreen() {
  const app = useAppContext();
  const t = useT();
  const { byId, load } = useStore(app.shifts.store);
  const chosen = useStore(app.navigation.store, ({ query }) => query['id'] ?? null);
  const readPast = useCallback(
    async (signal: AbortSignal) => {
      const query = { active: 'false', limit: mostPast } as const;
      return (await app.api.request(shiftRoutes.list, { query, signal })).items;
    },
    [app],
  );
  const past = usePolling(readPast, pastAgainMs);
  const { again } = past;
  // What ends is no longer among those that the stream keeps.
  const active = [...byId.values()].filter((it) => it.ended_at === null || it.handover?.state === 'open');
  const activeIds = active.map((it) => it.shift_id).join();
  useEffect(() => again(), [again, activeIds]);

  const waiting = waitingFor(byId, app.user);
  const own = ownShift(byId, app.user);
  const pastShifts = (past.value ?? []).filter(
    (it) => !active.some(({ shift_id }) => shift_id === it.shift_id),
  );
  const id = chosen ?? waiting[0]?.shift_id ?? own?.shift_id ?? active[0]?.shift_id ?? SINCE_LOGIN;
  const isOwnByDefault = chosen === null && own?.shift_id === id;
  // It stays on the screen when it has ended, whoever is on duty then.
  useEffect(() => {
    if (isOwnByDefault) app.navigation.note({ id });
  }, [app, isOwnByDefault, id]);

  // What is known goes on being shown.
  if (load.phase === 'failed' && byId.size === 0) {
    return (
      <LoadFailure
        title={t('shift.failed')}
        stillWorks={t('shift.failed_still')}
        error={load.error}
        nextTryAt={load.nextTryAt}
        onRetry={() => app.retry('shifts')}
      />
    );
  }
  const shift = byId.get(id) ?? pastShifts.find((it) => it.shift_id === id) ?? null;
  return (
    <div className="shifts">
      <Pane className="shifts__list" name={t('shift.title')} head={<h2>{t('shift.title')}</h2>}>
        <StaleBanner>{t('panel.stale')}</StaleBanner>
        <div className="shifts__body">
          {load.phase === 'loading' ? (
            <SkeletonRows
              className="shifts__start"
              widths={[[180], [240]]}
              rows={6}
              label={t('shift.loading')}
            />
          ) : (
            <>
              {own === null && mayWrite(app.user, 'notifications') && <StartShift />}
              {waiting.length > 0 && <Rows title={t('shift.waiting')} shifts={waiting} selected={id} />}
              <Rows title={t('shift.on_duty')} shifts={onDuty(byId)} selected={id} none={t('shift.nobody')} />
              <ul className="shifts__rows">
                <li>
                  <a
                    href={writeHash({ place: 'shift', query: { id: SINCE_LOGIN } })}
                    aria-current={id === SINCE_LOGIN || undefined}
                  >
                    <b>{t('shift.since_login')}</b>
                  </a>
                </li>
              </ul>
              <Rows
                title={t('shift.past')}
                shifts={pastShifts}
                selected={id}
                none={t(past.load.phase === 'failed' ? 'shift.failed' : 'shift.empty_past')}
              />
            </>
          )}
        </div>
      </Pane>
      {id === SINCE_LOGIN ? <SinceLogin /> : <ShiftPane key={id} id={id} shift={shift} />}
    </div>
  );
}

function StartShift() {
  const app = useAppContext();
  const t = useT();
  return (
    <div className="shifts__start">
      <b>{t('shift.start_title')}</b>
      <p className="quiet">{t('shift.start_hint')}</p>
      <Button kind="primary" keycap="Alt Shift S" onPress={() => void startShift(app)}>
        {t('shift.start')}
      </Button>
    </div>
  );
}

function Rows({
  title,
  shifts,
  selected,
  none,
}: {
  title: string;
  shifts: readonly Shift[];
  selected: string;
  none?: string;
}) {
  const { user } = useAppContext();
  const t = useT();
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {shifts.length === 0 ? (
        <p className="shifts__none quiet">{none}</p>
      ) : (
        <ul className="shifts__rows">
          {shifts.map((it) => (
            <li key={it.shift_id}>
              <a
                href={writeHash({ place: 'shift', query: { id: it.shift_id } })}
                aria-current={it.shift_id === selected || undefined}
              >
                <b className="ellipsis">
                  {it.user_id === user.user_id ? `${it.name} (${t('shift.you')})` : it.name}
                </b>
                <span className="quiet">
                  <Span shift={it} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** From when to when. */
function Span({ shift: { started_at, ended_at } }: { shift: Shift }) {
  const t = useT();
  return (
    <>
      <Moment at={started_at} /> – {ended_at === null ? t('shift.now') : <Moment at={ended_at} />}
    </>
  );
}

/** How a shift ended, and what became of its handover. */
function State({ shift: { end_reason, handover } }: { shift: Shift }) {
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  const at = (moment: string) => time.moment(Date.parse(moment), now);
  const lines = [
    end_reason === null ? null : t(`shift.end_reason.${end_reason}`),
    handover?.state === 'open'
      ? handover.to === null
        ? t('shift.handed_to_anyone', { time: at(handover.offered_at) })
        : t('shift.handed_to', { name: handover.to.name, time: at(handover.offered_at) })
      : null,
    handover?.state === 'lapsed' ? t('shift.lapsed') : null,
    handover?.accepted_by == null || handover.accepted_at === null
      ? null
      : t('shift.accepted_by', { name: handover.accepted_by.name, time: at(handover.accepted_at) }),
  ].filter((it) => it !== null);
  if (lines.length === 0) return null;
  return (
    <p className="shifts__state quiet">
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </p>
  );
}

function ShiftPane({ id, shift }: { id: string; shift: Shift | null }) {
  const { api } = useAppContext();
  const t = useT();
  const read = useCallback((signal: AbortSignal) => reportReader(api, id)(signal), [api, id]);
  const report = usePolling(read, againMs);
  const isRecorded = shift !== null && (shift.ended_at !== null || shift.handover?.state === 'open');
  const title = shift === null ? t('shift.title') : t('shift.in_progress', { name: shift.name });
  return (
    <Pane
      className="shifts__main"
      name={title}
      head={
        <div className="shifts__head">
          <h2 className="ellipsis">{title}</h2>
          {shift !== null && (
            <span className="quiet">
              <Span shift={shift} />
            </span>
          )}
        </div>
      }
    >
      <StaleBanner>{t('panel.stale')}</StaleBanner>
      {shift !== null && <Actions shift={shift} />}
      <ReportBody report={report}>
        {shift !== null && (
          <>
            <State shift={shift} />
            <ShiftNotes shift={shift} />
          </>
        )}
        {isRecorded && report.value !== null && <Recorded report={report.value} />}
      </ReportBody>
    </Pane>
  );
}

function Recorded({ report }: { report: ShiftReport }) {
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  return (
    <p className="quiet">
      {t('shift.report_as_recorded', { time: time.moment(Date.parse(report.to), now) })}
    </p>
  );
}

function SinceLogin() {
  const { api } = useAppContext();
  const t = useT();
  const read = useCallback((signal: AbortSignal) => api.request(shiftRoutes.sinceLogin, { signal }), [api]);
  const asked = usePolling(read, againMs);
  const since = asked.value?.since ?? null;
  return (
    <Pane
      className="shifts__main"
      name={t('shift.since_login')}
      head={
        <div className="shifts__head">
          <h2>{t('shift.since_login')}</h2>
          {since !== null && (
            <span className="quiet">
              <Moment at={since} /> – {t('shift.now')}
            </span>
          )}
        </div>
      }
    >
      {asked.value !== null && since === null ? (
        <Notice icon={Handshake} title={t('shift.since_login')}>
          {t('shift.since_login_none')}
        </Notice>
      ) : (
        <ReportBody report={{ ...asked, value: asked.value?.report ?? null }} />
      )}
    </Pane>
  );
}

function ReportBody({
  report: { value, load, again },
  children,
}: {
  report: { value: ShiftReport | null; load: ReturnType<typeof usePolling>['load']; again: () => void };
  children?: ReactNode;
}) {
  const t = useT();
  if (value === null && load.phase === 'failed') {
    return (
      <LoadFailure
        title={t('shift.report_failed')}
        stillWorks={t('shift.failed_still')}
        error={load.error}
        nextTryAt={load.nextTryAt}
        onRetry={again}
      />
    );
  }
  return (
    <div className="shifts__body">
      {value !== null && <PrintedSpan report={value} />}
      {children}
      {value === null ? (
        <SkeletonRows
          className="shifts__start"
          widths={[[200], [320]]}
          rows={8}
          label={t('shift.report_loading')}
        />
      ) : (
        <ShiftReportView report={value} />
      )}
    </div>
  );
}

/** On paper in place of the span in the head, which says "now" and names no day of today. */
function PrintedSpan({ report: { from, to } }: { report: ShiftReport }) {
  const { settings } = useAppContext();
  const depot = useStore(settings, (state) => state.settings?.depot_name ?? '');
  const time = useDepotTime();
  const end = Date.parse(to);
  return (
    <p className="shifts__printed">
      {depot}, {time.range(Date.parse(from), end)} {time.zone(end)}
    </p>
  );
}

/** What may be done with a shift, and with its report. */
function Actions({ shift }: { shift: Shift }) {
  const app = useAppContext();
  const t = useT();
  const { busy, sentence, run } = useAction();
  const { user, view } = app;
  const [mails, setMails] = useState(false);
  const isOwn = shift.user_id === user.user_id && shift.ended_at === null;
  const isOffered = shift.handover?.state === 'open';
  const mayAccept = waitingFor(new Map([[shift.shift_id, shift]]), user).length > 0;
  const open = (overlay: 'shift_note' | 'shift_handover' | 'shift_accept' | 'shift_end') => () =>
    view.setState({ overlay });
  return (
    <div className="shifts__actions">
      {mayAccept && mayWrite(user, 'notifications') && (
        <Button kind="primary" keycap="Alt Shift A" onPress={open('shift_accept')}>
          {t('shift.accept_from', { name: shift.name })}
        </Button>
      )}
      {isOwn && (
        <>
          {isOffered ? (
            <Button disabled={busy} onPress={() => void run(() => withdrawHandover(app, shift))}>
              {t('shift.withdraw')}
            </Button>
          ) : (
            <Button kind="primary" keycap="Alt Shift H" onPress={open('shift_handover')}>
              {t('shift.hand_over')}
            </Button>
          )}
          <Button keycap="Alt Shift N" onPress={open('shift_note')}>
            {t('shift.note_add')}
          </Button>
          <Button keycap="Alt Shift E" onPress={open('shift_end')}>
            {t('shift.end')}
          </Button>
        </>
      )}
      <span className="fill">{sentence !== null && <span role="alert">{sentence}</span>}</span>
      <Button icon={FileDown} disabled={busy} onPress={() => void run(() => saveReportPdf(app, shift))}>
        {t('shift.pdf')}
      </Button>
      {mayWrite(user, 'notifications') && (
        <Button icon={Mail} onPress={() => setMails(true)}>
          {t('shift.mail')}
        </Button>
      )}
      {mails && <MailDialog shift={shift} onClose={() => setMails(false)} />}
      <Button icon={Printer} keycap="Ctrl P" onPress={() => window.print()}>
        {t('shift.print')}
      </Button>
    </div>
  );
}
