import { Ellipsis } from 'lucide-react';
import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { showNotification } from '../live/liveActions.ts';
import type { Overlay } from '../live/liveView.ts';
import { Icon } from '../ui/Icon.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { mayActOnAlarms } from './alarmRights.ts';

/** The rarer commands of a row of the queue. */
export function RowMenu({ notification }: { notification: Notification }) {
  const desk = useDesk();
  const say = useText();
  const open = (overlay: Overlay) => () => {
    showNotification(desk, notification);
    desk.view.setState({ overlay });
  };
  return (
    <MenuButton
      label={say('queue.more')}
      entries={[
        ...(mayActOnAlarms(desk)
          ? [
              {
                id: 'note',
                label: say('command.acknowledge_with_note'),
                keycap: 'Shift A',
                run: open('note'),
              },
              { id: 'snooze', label: say('command.snooze'), keycap: 'Z', run: open('snooze') },
            ]
          : []),
        { id: 'why', label: say('command.why'), keycap: 'W', run: open('why') },
      ]}
    >
      <Icon of={Ellipsis} />
    </MenuButton>
  );
}
