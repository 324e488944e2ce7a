import { Ellipsis } from 'lucide-react';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { showNotification } from '../live/liveActions.ts';
import type { Overlay } from '../live/liveView.ts';
import { Icon } from '../ui/Icon.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { mayActOnAlarms } from './alarmRights.ts';

/** The rarer commands of a row of the queue. */
export function RowMenu({ notification }: { notification: Notification }) {
  const app = useAppContext();
  const t = useT();
  const open = (overlay: Overlay) => () => {
    showNotification(app, notification);
    app.view.setState({ overlay });
  };
  return (
    <MenuButton
      label={t('queue.more')}
      entries={[
        ...(mayActOnAlarms(app)
          ? [
              {
                id: 'note',
                label: t('command.acknowledge_with_note'),
                keycap: 'Shift A',
                run: open('note'),
              },
              { id: 'snooze', label: t('command.snooze'), keycap: 'Z', run: open('snooze') },
            ]
          : []),
        { id: 'why', label: t('command.why'), keycap: 'W', run: open('why') },
      ]}
    >
      <Icon of={Ellipsis} />
    </MenuButton>
  );
}
