import { useStore } from 'zustand';
import { useDepotTime, useNow } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { useVideo } from '../useVideo.ts';

/** How many tasks are shown and how far back they go; older ones are read when somebody wants them. */
export function QueueFoot({ shown }: { shown: number }) {
  const t = useT();
  const time = useDepotTime();
  const { taskStore } = useVideo();
  const now = useNow();
  const { phase, since } = useStore(taskStore.older);
  return (
    <div className="pane__foot" role="status">
      <span>
        {since === null
          ? t('tasks.shown_all', { count: shown })
          : t('tasks.shown_since', { count: shown, time: time.moment(Date.parse(since), now) })}
      </span>
      {phase === 'failed' && <span>{t('tasks.older_failed')}</span>}
      {phase !== 'none' && (
        <Button size="small" disabled={phase === 'reading'} onPress={() => taskStore.readOlder()}>
          {t(phase === 'reading' ? 'tasks.older_reading' : 'tasks.older')}
        </Button>
      )}
    </div>
  );
}
