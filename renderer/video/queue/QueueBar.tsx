import { useState } from 'react';
import { useStore } from 'zustand';
import type { Task } from '../../../server/contract/video.ts';
import { useLostSince, useNow } from '../../appContext/useMoment.ts';
import { formatAge } from '../../format/age.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { Meter } from '../../ui/Meter.tsx';
import { useVideo, useVideoControls } from '../useVideo.ts';
import { isApplicable, type BulkAction, type ManyState } from './bulkTasks.ts';

const KEYS = { retry: 'R', cancel: 'X', mark: 'I', unmark: 'I' } as const;

/** The bulk actions for the selected tasks, each with the number that it applies to, and the errors of the last run. */
export function QueueBar({
  tasks,
  onEvidence,
  onClear,
}: {
  tasks: readonly Task[];
  onEvidence: (tasks: readonly Task[]) => void;
  onClear: () => void;
}) {
  const t = useT();
  const { mayOrder, many } = useVideo();
  const lost = useLostSince() !== null;
  const [isSure, setSure] = useState(false);
  const { work, outcome } = useStore(many.store);
  const reason = sentenceOf(outcome?.error, t) ?? '';
  const counts = {
    retry: tasks.filter(isApplicable.retry).length,
    cancel: tasks.filter(isApplicable.cancel).length,
    mark: tasks.filter(isApplicable.mark).length,
    unmark: tasks.filter(isApplicable.unmark).length,
    delete: tasks.filter(isApplicable.delete).length,
  };
  const run = (action: BulkAction) => {
    setSure(false);
    many.run(action, tasks);
  };
  const marks = counts.unmark > 0 && counts.mark === 0 ? 'unmark' : 'mark';
  const isIdle = mayOrder && !lost && work === null;
  const mayRun = (action: BulkAction) => isIdle && counts[action] > 0;
  useVideoControls({
    retry: mayRun('retry') ? () => run('retry') : undefined,
    cancel: mayRun('cancel') ? () => run('cancel') : undefined,
    important: mayRun(marks) ? () => run(marks) : undefined,
    export: counts.delete > 0 ? () => onEvidence(tasks.filter(isApplicable.delete)) : undefined,
  });

  return (
    <div className="manage__foot" role="group" aria-label={t('tasks.chosen_count', { count: tasks.length })}>
      {tasks.length > 0 && <span className="strong">{t('tasks.chosen_count', { count: tasks.length })}</span>}
      {work !== null && <Work work={work} onStop={() => many.stop()} />}
      {work === null && tasks.length > 0 && (
        <>
          {mayOrder &&
            (['retry', 'cancel', marks] as const).map((action) => (
              <Button
                key={action}
                size="small"
                keycap={KEYS[action]}
                disabled={!mayRun(action)}
                onPress={() => run(action)}
              >
                {t(`tasks.bulk.${action}`, { count: counts[action] })}
              </Button>
            ))}
          <Button
            size="small"
            keycap="E"
            disabled={lost || counts.delete === 0}
            onPress={() => onEvidence(tasks.filter(isApplicable.delete))}
          >
            {t('evidence.export')}
          </Button>
          {mayOrder && (
            <Button
              size="small"
              disabled={!mayRun('delete')}
              onPress={() => (isSure ? run('delete') : setSure(true))}
            >
              {isSure
                ? t('tasks.delete_really', { count: counts.delete })
                : t('tasks.bulk.delete', { count: counts.delete })}
            </Button>
          )}
        </>
      )}
      {outcome !== null && outcome.failed > 0 && (
        <span className="strong ellipsis" role="alert" title={reason}>
          {t('tasks.not_done', { count: outcome.failed, reason })}
        </span>
      )}
      <span className="fill" />
      <Button
        size="small"
        kind="quiet"
        onPress={() => {
          many.forget();
          onClear();
        }}
      >
        {t(tasks.length === 0 ? 'ui.dismiss' : 'bulk.clear')}
      </Button>
    </div>
  );
}

function Work({ work, onStop }: { work: NonNullable<ManyState['work']>; onStop: () => void }) {
  const t = useT();
  const now = useNow();
  const words =
    work.waitsUntil === null
      ? t('tasks.work', { done: work.done, of: work.of })
      : t('bulk.waits', { age: formatAge(Math.max(1_000, work.waitsUntil - now)) });
  return (
    <>
      <span role="status">{words}</span>
      <span className="tasks__work">
        <Meter label={words} value={work.of === 0 ? 1 : work.done / work.of} />
      </span>
      <Button size="small" onPress={onStop}>
        {t('bulk.stop')}
      </Button>
    </>
  );
}
