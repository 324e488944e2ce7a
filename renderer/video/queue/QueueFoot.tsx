import { useStore } from 'zustand';
import { useDepotTime, useNow } from '../../desk/useMoment.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { useVideo } from '../useVideo.ts';

/** How many tasks are shown and how far back they go; older ones are read when somebody wants them. */
export function QueueFoot({ shown }: { shown: number }) {
  const say = useText();
  const time = useDepotTime();
  const { taskStore } = useVideo();
  const now = useNow();
  const { phase, since } = useStore(taskStore.older);
  return (
    <div className="pane__foot" role="status">
      <span>
        {since === null
          ? say('tasks.shown_all', { count: shown })
          : say('tasks.shown_since', { count: shown, time: time.moment(Date.parse(since), now) })}
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
