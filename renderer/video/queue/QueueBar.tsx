import { useState } from 'react';
import { useStore } from 'zustand';
import type { Task } from '../../../server/contract/video.ts';
import { useLostSince, useNow } from '../../desk/useMoment.ts';
import { ageText } from '../../format/age.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { Meter } from '../../ui/Meter.tsx';
import { useVideo } from '../useVideo.ts';
import { useVideoKeys } from '../useVideoKeys.ts';
import { FITS, type Deed } from './deeds.ts';
import type { ManyState } from './manyTasks.ts';

const KEYS = { retry: 'R', cancel: 'X', mark: 'I', unmark: 'I' } as const;

/** What can be done to the tasks that are ticked; each deed says how many it fits. And what did not work the last time. */
export function QueueBar({
  tasks,
  onEvidence,
  onClear,
}: {
  tasks: readonly Task[];
  onEvidence: (tasks: readonly Task[]) => void;
  onClear: () => void;
}) {
  const say = useText();
  const { mayOrder, many } = useVideo();
  const lost = useLostSince() !== null;
  const [isSure, setSure] = useState(false);
  const { work, outcome } = useStore(many.store);
  const reason = sentenceOf(outcome?.error, say) ?? '';
  const counts = {
    retry: tasks.filter(FITS.retry).length,
    cancel: tasks.filter(FITS.cancel).length,
    mark: tasks.filter(FITS.mark).length,
    unmark: tasks.filter(FITS.unmark).length,
    delete: tasks.filter(FITS.delete).length,
  };
  const run = (deed: Deed) => {
    setSure(false);
    many.run(deed, tasks);
  };
  const marks = counts.unmark > 0 && counts.mark === 0 ? 'unmark' : 'mark';
  const isIdle = mayOrder && !lost && work === null;
  const mayRun = (deed: Deed) => isIdle && counts[deed] > 0;
  useVideoKeys({
    R: mayRun('retry') ? () => run('retry') : undefined,
    X: mayRun('cancel') ? () => run('cancel') : undefined,
    I: mayRun(marks) ? () => run(marks) : undefined,
    E: counts.delete > 0 ? () => onEvidence(tasks.filter(FITS.delete)) : undefined,
  });

  return (
    <div
      className="manage__foot"
      role="group"
      aria-label={say('tasks.chosen_count', { count: tasks.length })}
    >
      {tasks.length > 0 && (
        <span className="strong">{say('tasks.chosen_count', { count: tasks.length })}</span>
      )}
      {work !== null && <Work work={work} onStop={() => many.stop()} />}
      {work === null && tasks.length > 0 && (
        <>
          {mayOrder &&
            (['retry', 'cancel', marks] as const).map((deed) => (
              <Button
                key={deed}
                size="small"
                keycap={KEYS[deed]}
                disabled={!mayRun(deed)}
                onPress={() => run(deed)}
              >
                {say(`tasks.deed.${deed}`, { count: counts[deed] })}
              </Button>
            ))}
          <Button
            size="small"
            keycap="E"
            disabled={lost || counts.delete === 0}
            onPress={() => onEvidence(tasks.filter(FITS.delete))}
          >
            {say('evidence.export')}
          </Button>
          {mayOrder && (
            <Button
              size="small"
              disabled={!mayRun('delete')}
              onPress={() => (isSure ? run('delete') : setSure(true))}
            >
              {isSure
                ? say('tasks.delete_really', { count: counts.delete })
                : say('tasks.deed.delete', { count: counts.delete })}
            </Button>
          )}
        </>
      )}
      {outcome !== null && outcome.failed > 0 && (
        <span className="strong ellipsis" role="alert" title={reason}>
          {say('tasks.not_done', { count: outcome.failed, reason })}
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
        {say(tasks.length === 0 ? 'ui.dismiss' : 'many.clear')}
      </Button>
    </div>
  );
}

function Work({ work, onStop }: { work: NonNullable<ManyState['work']>; onStop: () => void }) {
  const say = useText();
  const now = useNow();
  const words =
    work.waitsUntil === null
      ? say('tasks.work', { done: work.done, of: work.of })
      : say('many.waits', { age: ageText(Math.max(1_000, work.waitsUntil - now)) });
  return (
    <>
      <span role="status">{words}</span>
      <span className="tasks__work">
        <Meter label={words} value={work.of === 0 ? 1 : work.done / work.of} />
      </span>
      <Button size="small" onPress={onStop}>
        {say('many.stop')}
      </Button>
    </>
  );
}
