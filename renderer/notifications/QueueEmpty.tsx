import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useDepotTime } from '../desk/useMoment.ts';
import { inSentence } from '../format/inSentence.ts';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { alarmWords } from './alarmWords.ts';

/** Nothing waits: says so, and what was last, so that it does not look broken. */
export function QueueEmpty({ last }: { last: Notification | null }) {
  const desk = useDesk();
  const say = useText();
  const time = useDepotTime();
  const vehicle = useVehicleName(last?.vehicle_id ?? '');
  const names = useStore(desk.userNames, (state) => state.byId);
  const showAcknowledged = useStore(desk.view, (state) => state.showAcknowledged);
  if (last === null) return <Notice title={say('queue.empty')}>{say('queue.empty_never')}</Notice>;
  return (
    <Notice
      title={say('queue.empty')}
      actions={
        !showAcknowledged && (
          <Button onPress={() => desk.view.setState({ showAcknowledged: true })}>
            {say('queue.show_acknowledged')}
          </Button>
        )
      }
    >
      {say('queue.empty_last', {
        time: time.clock(Date.parse(last.last_time)),
        vehicle,
        kind: inSentence(alarmWords(last, desk).kind),
        user: names.get(last.ack?.user_id ?? '') ?? say('user.another'),
      })}
    </Notice>
  );
}
