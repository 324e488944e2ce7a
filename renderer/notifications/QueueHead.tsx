import { Bell, ChevronDown, ChevronUp, Volume2, VolumeX } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { foldPane } from '../live/liveLayout.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';

export function QueueHead({
  open,
  taken,
  folded,
}: {
  open: readonly Notification[];
  taken: number;
  folded: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const sound = useStore(app.preferences, (state) => state.sound);
  const showAcknowledged = useStore(app.view, (state) => state.showAcknowledged);
  const [permission, setPermission] = useState(() => app.platform.notifyPermission());
  const count = (severity: Notification['severity']) => open.filter((it) => it.severity === severity).length;
  const alarms = count('alarm');
  const warnings = count('warning');
  const infos = count('info');

  return (
    <>
      <h2>{t('queue.title')}</h2>
      {alarms > 0 && <span className="in-alarm strong">{t('queue.alarms', { count: alarms })}</span>}
      {warnings > 0 && <span className="in-warning strong">{t('queue.warnings', { count: warnings })}</span>}
      {infos > 0 && <span className="strong">{t('queue.infos', { count: infos })}</span>}
      {taken > 0 && !showAcknowledged && (
        <Button size="small" kind="quiet" onPress={() => app.view.setState({ showAcknowledged: true })}>
          {t('queue.acknowledged_today', { count: taken })}
        </Button>
      )}
      {showAcknowledged && (
        <Button size="small" onPress={() => app.view.setState({ showAcknowledged: false })}>
          {t('queue.show_open')}
        </Button>
      )}
      <span className="fill" />
      {permission === 'not_asked' && (
        <Button
          size="small"
          kind="quiet"
          icon={Bell}
          onPress={() => void app.platform.askToNotify().then(setPermission)}
        >
          {t('queue.notify_here')}
        </Button>
      )}
      <Button
        size="small"
        kind="quiet"
        icon={sound ? Volume2 : VolumeX}
        onPress={() => app.preferences.setState({ sound: !sound })}
      >
        {sound ? t('queue.sound_on') : t('queue.sound_off')}
      </Button>
      <IconButton
        icon={folded ? ChevronUp : ChevronDown}
        size="small"
        label={folded ? t('queue.unfold') : t('queue.fold')}
        keycap="\"
        onPress={() => foldPane(app.preferences, 'queue')}
      />
    </>
  );
}
