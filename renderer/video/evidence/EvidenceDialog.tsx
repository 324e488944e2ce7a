import { Download } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { maxEvidence, type Task } from '../../../server/contract/video.ts';
import { isAbort, isProblem } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime, useLostSince, useNow } from '../../appContext/useMoment.ts';
import { formatBytes } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { useAction } from '../../resources/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { Modal } from '../../ui/Modal.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { formatChannel } from '../queue/useQueueLines.ts';
import { useVideo } from '../useVideo.ts';
import { AccessList } from './AccessList.tsx';
import { evidenceClips, exportEvidence } from './exportEvidence.ts';
import './Evidence.css';

/** Packs videos as evidence: the best of each channel, a note, and a ZIP for the hand. */
export function EvidenceDialog({ tasks, onClose }: { tasks: readonly Task[]; onClose: () => void }) {
  const app = useAppContext();
  const video = useVideo();
  const t = useT();
  const lost = useLostSince() !== null;
  const [note, setNote] = useState('');
  const [bytes, setBytes] = useState<number | null>(null);
  const { sentence, run } = useAction();
  const [saved, setSaved] = useState<{ name: string; count: number } | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  // One of them may be fetched anew while the dialog is open.
  const byId = useStore(video.tasks, (state) => state.byId);
  const { clips, leftOut } = useMemo(
    () => evidenceClips(tasks.map((it) => byId.get(it.task_id) ?? it)),
    [tasks, byId],
  );
  const total = clips.reduce((sum, it) => sum + (it.file?.size_bytes ?? 0), 0);
  const isTooMany = clips.length > maxEvidence;

  const save = async () => {
    const current = new AbortController();
    abort.current = current;
    setBytes(0);
    await run(
      async () => {
        const filter = { taskIds: clips.map((it) => it.task_id), note };
        const file = await exportEvidence(app.api, filter, current.signal, setBytes);
        const isSaved = await app.platform.saveFile(file.name, file.content);
        if (isSaved) setSaved((before) => ({ name: file.name, count: (before?.count ?? 0) + 1 }));
      },
      {
        sentence: (error) => {
          if (current.signal.aborted || isAbort(error)) return null;
          return isProblem(error) ? sentenceOf(error, t) : t('evidence.broke_off');
        },
      },
    );
    setBytes(null);
  };

  return (
    <Modal title={t('evidence.title')} onClose={onClose} width={520} unsaved={note !== '' && saved === null}>
      <p>{t('evidence.what')}</p>
      <ul className="evidence__clips" tabIndex={0} aria-label={t('evidence.clips')}>
        {clips.map((task) => (
          <Clip key={task.task_id} task={task} />
        ))}
      </ul>
      <p className="quiet">
        {isTooMany
          ? t('evidence.too_many', { max: maxEvidence })
          : t('evidence.sum', { count: clips.length, size: formatBytes(total) })}
        {leftOut > 0 && <> {t('evidence.left_out', { count: leftOut })}</>}
      </p>
      <TextField
        label={t('evidence.note')}
        hint={t('evidence.note_hint')}
        value={note}
        onChange={setNote}
        multiline
        maxLength={2_000}
      />
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
      <p role="status" className={saved === null && bytes === null ? 'unseen' : 'quiet'}>
        {bytes !== null
          ? t('evidence.progress', { size: formatBytes(bytes) })
          : saved !== null && t('evidence.saved', { name: saved.name })}
      </p>
      {!isTooMany && <AccessList key={saved?.count ?? 0} taskIds={clips.map((it) => it.task_id)} />}
      <div className="modal__actions">
        <Button onPress={bytes === null ? onClose : () => abort.current?.abort()}>
          {bytes === null ? t(saved === null ? 'ui.cancel' : 'ui.close') : t('evidence.stop')}
        </Button>
        <Button
          kind="primary"
          icon={Download}
          disabled={lost || bytes !== null || clips.length === 0 || isTooMany}
          onPress={() => void save()}
        >
          {t('evidence.export')}
        </Button>
      </div>
    </Modal>
  );
}

function Clip({ task }: { task: Task }) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(task.vehicle_id)?.name);
  const profile = useStore(useVideo().profiles.store, (state) => state.byVehicle.get(task.vehicle_id));
  const from = Date.parse(task.from);
  const to = Date.parse(task.to);
  return (
    <li className="evidence__clip">
      <b>{vehicle ?? t('vehicle.gone')}</b>
      <span className="quiet ellipsis">{formatChannel(task, profile)}</span>
      <span>{t('video_requests.span', { from: time.moment(from, now), to: time.clock(to) })}</span>
      <span className="to-right quiet">{formatBytes(task.file?.size_bytes ?? 0)}</span>
    </li>
  );
}
