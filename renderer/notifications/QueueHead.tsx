import { Bell, ChevronDown, ChevronUp, Volume2, VolumeX } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { foldPane } from '../live/paneSizes.ts';
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
  const desk = useDesk();
  const say = useText();
  const sound = useStore(desk.preferences, (state) => state.sound);
  const showAcknowledged = useStore(desk.view, (state) => state.showAcknowledged);
  const [permission, setPermission] = useState(() => desk.platform.notifyPermission());
  const count = (severity: Notification['severity']) => open.filter((it) => it.severity === severity).length;
  const alarms = count('alarm');
  const warnings = count('warning');
  const infos = count('info');

  return (
    <>
      <h2>{say('queue.title')}</h2>
      {alarms > 0 && <span className="in-alarm strong">{say('queue.alarms', { count: alarms })}</span>}
      {warnings > 0 && (
        <span className="in-warning strong">{say('queue.warnings', { count: warnings })}</span>
      )}
      {infos > 0 && <span className="strong">{say('queue.infos', { count: infos })}</span>}
      {taken > 0 && !showAcknowledged && (
        <Button size="small" kind="quiet" onPress={() => desk.view.setState({ showAcknowledged: true })}>
          {say('queue.acknowledged_today', { count: taken })}
        </Button>
      )}
      {showAcknowledged && (
        <Button size="small" onPress={() => desk.view.setState({ showAcknowledged: false })}>
          {say('queue.show_open')}
        </Button>
      )}
      <span className="fill" />
      {permission === 'not_asked' && (
        <Button
          size="small"
          kind="quiet"
          icon={Bell}
          onPress={() => void desk.platform.askToNotify().then(setPermission)}
        >
          {say('queue.notify_here')}
        </Button>
      )}
      <Button
        size="small"
        kind="quiet"
        icon={sound ? Volume2 : VolumeX}
        onPress={() => desk.preferences.setState({ sound: !sound })}
      >
        {sound ? say('queue.sound_on') : say('queue.sound_off')}
      </Button>
      <IconButton
        icon={folded ? ChevronUp : ChevronDown}
        size="small"
        label={folded ? say('queue.unfold') : say('queue.fold')}
        keycap="\"
        onPress={() => foldPane(desk.preferences, 'queue')}
      />
    </>
  );
}
