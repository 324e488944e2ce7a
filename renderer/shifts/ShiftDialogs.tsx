import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import { shiftRoutes, type Shift } from '../../server/contract/shifts.ts';
import { fetchAllPages, PAGE_LIMIT } from '../api/client.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import type { Overlay } from '../live/liveView.ts';
import { ActionDialog } from '../resources/ActionDialog.tsx';
import { NoteActionDialog } from '../resources/NoteActionDialog.tsx';
import { usePolling } from '../resources/useReread.ts';
import { CloseAtOnce } from '../ui/Modal.tsx';
import { Choice } from '../ui/Select.tsx';
import { acceptShift, addNote, endShift, handOver, ownShift, waitingFor } from './shiftActions.ts';
import { ReportSums } from './ShiftReportView.tsx';
import { reportReader } from './shiftReports.ts';

type ShiftOverlay = Extract<Overlay, `shift_${string}`>;

const againMs = 60_000;
const WHOEVER = 'whoever';

/**
 * The dialogs of one's own shift, and of the handover that is shown, else of the one that waits longest. It stays that one:
 * when somebody else accepts it meanwhile, the server says so, and no other is accepted in its place.
 */
export function ShiftDialog({ overlay, onClose }: { overlay: ShiftOverlay; onClose: () => void }) {
  const app = useAppContext();
  const [meant] = useState(() => shiftMeant(app, overlay));
  const shift = useStore(app.shifts.store, ({ byId }) => byId.get(meant?.shift_id ?? '') ?? meant);
  if (shift === null) return <CloseAtOnce onClose={onClose} />;
  if (overlay === 'shift_accept') return <AcceptDialog shift={shift} onClose={onClose} />;
  if (overlay === 'shift_note') return <ShiftNoteDialog shift={shift} onClose={onClose} />;
  if (overlay === 'shift_handover') return <HandOverDialog shift={shift} onClose={onClose} />;
  return <EndDialog shift={shift} onClose={onClose} />;
}

function shiftMeant({ user, shifts, navigation }: AppContext, overlay: ShiftOverlay): Shift | null {
  const { byId } = shifts.store.getState();
  if (overlay !== 'shift_accept') return ownShift(byId, user);
  const waiting = waitingFor(byId, user);
  const shown = navigation.store.getState().query['id'];
  return waiting.find((it) => it.shift_id === shown) ?? waiting[0] ?? null;
}

interface OfShift {
  shift: Shift;
  onClose: () => void;
}

function ShiftNoteDialog({ shift, onClose }: OfShift) {
  const app = useAppContext();
  const t = useT();
  return (
    <NoteActionDialog
      title={t('shift.note_title')}
      submit={t('shift.note_add')}
      label={t('shift.note')}
      isRequired
      act={(note) => addNote(app, shift, note ?? '')}
      onClose={onClose}
    />
  );
}

function HandOverDialog({ shift, onClose }: OfShift) {
  const app = useAppContext();
  const t = useT();
  const [to, setTo] = useState(WHOEVER);
  const read = useCallback(
    (signal: AbortSignal) =>
      fetchAllPages((cursor) =>
        app.api.request(shiftRoutes.dispatchers, { query: { limit: PAGE_LIMIT, cursor }, signal }),
      ),
    [app],
  );
  const { value: people, load } = usePolling(read, againMs);
  return (
    <ActionDialog
      title={t('shift.hand_over_title')}
      width={520}
      submit={t('shift.hand_over')}
      disabled={people === null}
      act={() => handOver(app, shift, to === WHOEVER ? null : to)}
      onClose={onClose}
    >
      <Choice
        label={t('shift.hand_over_to')}
        value={to}
        onChange={setTo}
        options={[
          { id: WHOEVER, label: t('shift.whoever') },
          ...(people ?? []).map(({ user_id, name }) => ({ id: user_id, label: name })),
        ]}
      />
      {people === null && (
        <p className="quiet" role="status">
          {t(load.phase === 'failed' ? 'users.failed' : 'users.reading')}
        </p>
      )}
      <HandedOver shift={shift} />
      <p className="quiet">{t('shift.hand_over_what')}</p>
    </ActionDialog>
  );
}

function AcceptDialog({ shift, onClose }: OfShift) {
  const app = useAppContext();
  const t = useT();
  const { name } = shift;
  return (
    <ActionDialog
      title={t('shift.accept_from', { name })}
      width={520}
      submit={t('shift.accept')}
      autoFocus
      act={() => acceptShift(app, shift)}
      onClose={onClose}
    >
      <HandedOver shift={shift} />
      <p className="quiet">{t('shift.accept_what', { name })}</p>
    </ActionDialog>
  );
}

function EndDialog({ shift, onClose }: OfShift) {
  const app = useAppContext();
  const t = useT();
  const isOffered = shift.handover?.state === 'open';
  return (
    <ActionDialog
      title={t('shift.end_title')}
      width={400}
      submit={t('shift.end')}
      autoFocus
      act={() => endShift(app, shift)}
      onClose={onClose}
    >
      <p>{isOffered ? t('shift.end_what_offered') : t('shift.end_what')}</p>
    </ActionDialog>
  );
}

/** What goes from one to the other: the sums of the report, and the notes. */
function HandedOver({ shift }: { shift: Shift }) {
  const { api } = useAppContext();
  const read = useCallback(
    (signal: AbortSignal) => reportReader(api, shift.shift_id)(signal),
    [api, shift.shift_id],
  );
  const { value: report } = usePolling(read, againMs);
  return (
    <>
      {report !== null && <ReportSums report={report} />}
      <ShiftNotes shift={shift} />
    </>
  );
}

export function ShiftNotes({ shift: { notes } }: { shift: Pick<Shift, 'notes'> }) {
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  return (
    <section className="shift-notes" aria-label={t('shift.notes')}>
      <h3>{t('shift.notes')}</h3>
      {notes.length === 0 ? (
        <p className="quiet">{t('shift.notes_none')}</p>
      ) : (
        <ul>
          {notes.map(({ at, name, text }) => (
            <li key={`${at} ${text}`}>
              <p>{text}</p>
              <span className="quiet">
                {name} · {time.moment(Date.parse(at), now)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
