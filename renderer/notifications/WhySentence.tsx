import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { asSentence } from '../format/inSentence.ts';
import { useT } from '../i18n/useT.ts';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { Moment } from './Moments.tsx';
import { useAlarmWords } from './useLabels.ts';

/** What happened, to whom, where and when, in words. */
export function WhySentence({ notification }: { notification: Notification }) {
  const app = useAppContext();
  const t = useT();
  const vehicle = useVehicleName(notification.vehicle_id);
  useStore(app.places.edition, (state) => state.number);
  const words = useAlarmWords(notification);
  const { lat, lon, severity } = notification;
  const place = lat === null || lon === null ? '' : app.places.at(lat, lon);
  const colour = severity === 'alarm' ? 'in-alarm' : severity === 'warning' ? 'in-warning' : '';
  return (
    <div className="why__sentence">
      <SeverityMark severity={severity} />
      <div>
        <p>
          <b className="strong">{vehicle}</b> <span className={`strong ${colour}`}>{words.kind}</span>
        </p>
        <p>{t('why.sentence', { what: asSentence(words.what) })}</p>
        <p className="quiet">
          <Moment at={notification.last_time} />
          {place !== '' && ` · ${place}`}
          {notification.late && ` · ${t('queue.late')}`}
        </p>
      </div>
    </div>
  );
}
