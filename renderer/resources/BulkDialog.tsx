import { type ReactNode, useEffect, useState } from 'react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useNow } from '../appContext/useMoment.ts';
import { formatAge } from '../format/age.ts';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Meter } from '../ui/Meter.tsx';
import { Modal } from '../ui/Modal.tsx';
import { runBulk } from './runBulk.ts';
import '../ui/manage.css';

/** A row that stayed as it was, and why. */
export interface BulkFailure {
  name: string;
  reason: string;
}

/** One call of a bulk action, and the names of the rows that it is about. */
export interface BulkJob {
  names: readonly string[];
  /** Answers the rows that stayed as they were; throws when all of them did. */
  run: () => Promise<readonly BulkFailure[]>;
}

/** A call that is about one row. */
export const jobOfOne = (name: string, run: () => Promise<unknown>): BulkJob => ({
  names: [name],
  run: async () => {
    await run();
    return [];
  },
});

/** How far the work is, in rows; `failed` are those that stayed as they were. */
type Work =
  | { phase: 'asking' }
  | { phase: 'running'; done: number; of: number; waitsUntil: number | null; abort: AbortController }
  | { phase: 'over'; done: number; of: number; failed: readonly BulkFailure[] };

/** Does one thing to many rows: asks first, shows how far it is, can be stopped, and says what did not work. */
export function BulkDialog({
  title,
  onClose,
  children,
}: {
  title: string;
  /** Called with whether something was done. */
  onClose: (isDone: boolean) => void;
  /** What is asked first; `start` begins. */
  children: (start: (jobs: readonly BulkJob[]) => void) => ReactNode;
}) {
  const app = useAppContext();
  const t = useT();
  const now = useNow();
  const [work, setWork] = useState<Work>({ phase: 'asking' });
  const running = work.phase === 'running' ? work.abort : null;
  useEffect(() => () => running?.abort(), [running]);

  const start = async (jobs: readonly BulkJob[]) => {
    const of = jobs.reduce((sum, job) => sum + job.names.length, 0);
    const abort = new AbortController();
    setWork({ phase: 'running', done: 0, of, waitsUntil: null, abort });
    const failed: BulkFailure[] = [];
    let done = 0;
    const rejected = await runBulk({
      items: jobs,
      act: async (job) => {
        const left = await job.run();
        failed.push(...left);
        done += job.names.length - left.length;
      },
      clock: app.clock,
      signal: abort.signal,
      onProgress: (_, waitsUntil) => setWork({ phase: 'running', done, of, waitsUntil, abort }),
    });
    for (const { item, error } of rejected.failed) {
      const reason = sentenceOf(error, t, { version_conflict: t('bulk.changed_meanwhile') }) ?? '';
      failed.push(...item.names.map((name) => ({ name, reason })));
    }
    if (failed.length === 0 && done === of) onClose(true);
    else setWork({ phase: 'over', done, of, failed });
  };

  const progress = (shown: { done: number; of: number }) =>
    t('bulk.progress', { done: formatNumber(shown.done), of: formatNumber(shown.of) });
  return (
    <Modal title={title} onClose={() => onClose(work.phase !== 'asking')} width={520}>
      {work.phase === 'asking' ? (
        children((jobs) => void start(jobs))
      ) : work.phase === 'running' ? (
        <>
          <p role="status">
            {progress(work)}{' '}
            {work.waitsUntil !== null &&
              t('bulk.waits', { age: formatAge(Math.max(1_000, work.waitsUntil - now)) })}
          </p>
          <Meter label={t('bulk.progress_spoken')} value={work.of === 0 ? 1 : work.done / work.of} />
          <div className="modal__actions">
            <Button autoFocus onPress={() => work.abort.abort()}>
              {t('bulk.stop')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p role="status">{progress(work)}</p>
          <BulkFailures failed={work.failed} />
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

/** As many as anybody reads; the rest is counted. */
const SHOWN = 200;

/** Which rows stayed as they were, and why. */
function BulkFailures({ failed }: { failed: readonly BulkFailure[] }) {
  const t = useT();
  return (
    // Reached by the keyboard, as it scrolls.
    <ul className="bulk-failures" tabIndex={0} aria-label={t('bulk.failures')}>
      {failed.slice(0, SHOWN).map(({ name, reason }, at) => (
        <li key={at}>
          <span className="strong">{name}</span> {reason}
        </li>
      ))}
      {failed.length > SHOWN && <li className="faint">{t('bulk.more', { count: failed.length - SHOWN })}</li>}
    </ul>
  );
}
