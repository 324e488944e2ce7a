import { useStore } from 'zustand';
import type { Task } from '../../../server/contract/video.ts';
import { useDepotTime } from '../../desk/useMoment.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { useVideo } from '../useVideo.ts';

/** How many tasks are shown and how far back they go; older ones are read when somebody wants them. */
export function QueueFoot({ tasks, shown }: { tasks: readonly Task[]; shown: number }) {
  const say = useText();
  const time = useDepotTime();
  const { taskStore } = useVideo();
  const { phase } = useStore(taskStore.older);
  const oldest = Math.min(...tasks.map((it) => Date.parse(it.created_at)));
  return (
    <div className="pane__foot" role="status">
      <span>
        {phase === 'none' || tasks.length === 0
          ? say('tasks.shown_all', { count: shown })
          : say('tasks.shown_since', { count: shown, date: time.date(oldest) })}
      </span>
      {phase === 'failed' && <span>{say('tasks.older_failed')}</span>}
      {phase !== 'none' && (
        <Button size="small" disabled={phase === 'reading'} onPress={() => taskStore.readOlder()}>
          {say(phase === 'reading' ? 'tasks.older_reading' : 'tasks.older')}
        </Button>
      )}
    </div>
  );
}
