import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince, useNow } from '../appContext/useMoment.ts';
import { formatAge } from '../format/age.ts';
import { formatNumber } from '../format/numbers.ts';
import { GroupPicker } from '../groups/GroupPicker.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Meter } from '../ui/Meter.tsx';
import { Modal, ModalFooter } from '../ui/Modal.tsx';
import { runBulk } from './runBulk.ts';
import '../ui/manage.css';

/** One call of a bulk action, and the name of the row that it is about. */
export interface BulkJob {
  name: string;
  run: () => Promise<unknown>;
}

/** What can be done with many rows at once. */
export interface BulkAction {
  id: string;
  /** On the bar. */
  label: string;
  /** Of the dialog, with the count. */
  title: string;
  /** What follows from it. */
  about?: ReactNode;
  /** Set when groups are chosen first: what the field is called. */
  groups?: string;
  /** What the button says that does it. */
  submit: string;
  jobs: (groupIds: readonly string[]) => readonly BulkJob[];
}

/** What can be done with all rows that are selected, and the dialog that does it. */
export function BulkActions({
  title,
  actions,
  onClear,
}: {
  /** How many are selected. */
  title: string;
  actions: readonly BulkAction[];
  onClear: () => void;
}) {
  const t = useT();
  const isLost = useLostSince() !== null;
  // What was selected when it was asked for: what others change must not change what is done.
  const [open, setOpen] = useState<BulkAction | null>(null);
  return (
    <div className="manage__foot manage__foot--bulk" role="group" aria-label={title}>
      <span className="strong">{title}</span>
      {actions.map((action) => (
        <Button key={action.id} size="small" disabled={isLost} onPress={() => setOpen(action)}>
          {action.label}
        </Button>
      ))}
      <span className="fill" />
      <Button size="small" kind="quiet" onPress={onClear}>
        {t('bulk.clear')}
      </Button>
      {open !== null && (
        <BulkActionDialog
          action={open}
          onClose={(isDone) => {
            setOpen(null);
            if (isDone) onClear();
          }}
        />
      )}
    </div>
  );
}

/** How far the work is; `failed` are the rows that stayed as they were. */
type Work =
  | { phase: 'asking' }
  | { phase: 'running'; done: number; of: number; waitsUntil: number | null }
  | { phase: 'over'; done: number; of: number; failed: { name: string; reason: string }[] };

/** Does one thing to many rows: asks first, shows how far it is, can be stopped, and says what did not work. */
function BulkActionDialog({
  action,
  onClose,
}: {
  action: BulkAction;
  /** Called with whether something was done. */
  onClose: (isDone: boolean) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const now = useNow();
  const [groupIds, setGroupIds] = useState<string[]>([]);
  const [work, setWork] = useState<Work>({ phase: 'asking' });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const start = async () => {
    const items = action.jobs(groupIds);
    const of = items.length;
    const current = new AbortController();
    abort.current = current;
    setWork({ phase: 'running', done: 0, of, waitsUntil: null });
    const { done, failed } = await runBulk({
      items,
      act: (job) => job.run(),
      clock: app.clock,
      signal: current.signal,
      onProgress: (count, waitsUntil) => setWork({ phase: 'running', done: count, of, waitsUntil }),
    });
    if (failed.length === 0 && done.length === of) {
      onClose(true);
      return;
    }
    setWork({
      phase: 'over',
      done: done.length,
      of,
      failed: failed.map(({ item, error }) => ({
        name: item.name,
        reason: sentenceOf(error, t, { version_conflict: t('bulk.changed_meanwhile') }) ?? '',
      })),
    });
  };

  return (
    <Modal title={action.title} onClose={() => onClose(work.phase !== 'asking')} width={520}>
      {work.phase === 'asking' ? (
        <>
          {action.groups !== undefined && (
            <GroupPicker label={action.groups} value={groupIds} onChange={setGroupIds} />
          )}
          {action.about}
          <ModalFooter onCancel={() => onClose(false)}>
            <Button
              kind="primary"
              disabled={action.groups !== undefined && groupIds.length === 0}
              onPress={() => void start()}
            >
              {action.submit}
            </Button>
          </ModalFooter>
        </>
      ) : work.phase === 'running' ? (
        <>
          <p role="status">
            {t('bulk.progress', { done: formatNumber(work.done), of: formatNumber(work.of) })}{' '}
            {work.waitsUntil !== null &&
              t('bulk.waits', { age: formatAge(Math.max(1_000, work.waitsUntil - now)) })}
          </p>
          <Meter label={t('bulk.progress_spoken')} value={work.of === 0 ? 1 : work.done / work.of} />
          <div className="modal__actions">
            <Button autoFocus onPress={() => abort.current?.abort()}>
              {t('bulk.stop')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p role="status">
            {t('bulk.progress', { done: formatNumber(work.done), of: formatNumber(work.of) })}
          </p>
          {/* Reached by the keyboard, as it scrolls. */}
          <ul className="bulk-failures" tabIndex={0}>
            {work.failed.map(({ name, reason }, at) => (
              <li key={at}>
                <span className="strong">{name}</span> {reason}
              </li>
            ))}
          </ul>
          <div className="modal__actions">
            <Button kind="primary" autoFocus onPress={() => onClose(true)}>
              {t('ui.close')}
            </Button>
          </div>
        </>
      )}
    </Modal>
  );
}
