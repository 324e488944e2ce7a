import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { inSentence } from '../format/inSentence.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { alarmLabels } from './alarmLabels.ts';

/** Nothing waits: says so, and what was last, so that it does not look broken. */
export function QueueEmpty({ last }: { last: Notification | null }) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const vehicle = useVehicleName(last?.vehicle_id ?? '');
  const names = useStore(app.userNames, (state) => state.byId);
  const showAcknowledged = useStore(app.view, (state) => state.showAcknowledged);
  if (last === null) return <Notice title={t('queue.empty')}>{t('queue.empty_never')}</Notice>;
  return (
    <Notice
      title={t('queue.empty')}
      actions={
        !showAcknowledged && (
          <Button onPress={() => app.view.setState({ showAcknowledged: true })}>
            {t('queue.show_acknowledged')}
          </Button>
        )
      }
    >
      {t('queue.empty_last', {
        time: time.clock(Date.parse(last.last_time)),
        vehicle,
        kind: inSentence(alarmLabels(last, app).kind),
        user: names.get(last.ack?.user_id ?? '') ?? t('user.another'),
      })}
    </Notice>
  );
}
