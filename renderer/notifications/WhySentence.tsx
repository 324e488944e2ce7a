import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { asSentence } from '../format/inSentence.ts';
import { useText } from '../i18n/useText.ts';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { Moment } from './Moments.tsx';
import { useAlarmWords } from './useWords.ts';

/** What happened, to whom, where and when, in words. */
export function WhySentence({ notification }: { notification: Notification }) {
  const desk = useDesk();
  const say = useText();
  const vehicle = useVehicleName(notification.vehicle_id);
  useStore(desk.places.edition, (state) => state.number);
  const words = useAlarmWords(notification);
  const { lat, lon, severity } = notification;
  const place = lat === null || lon === null ? '' : desk.places.at(lat, lon);
  const colour = severity === 'alarm' ? 'in-alarm' : severity === 'warning' ? 'in-warning' : '';
  return (
    <div className="why__sentence">
      <SeverityMark severity={severity} />
      <div>
        <p>
          <b className="strong">{vehicle}</b> <span className={`strong ${colour}`}>{words.kind}</span>
        </p>
        <p>{say('why.sentence', { what: asSentence(words.what) })}</p>
        <p className="quiet">
          <Moment at={notification.last_time} />
          {place !== '' && ` · ${place}`}
          {notification.late && ` · ${say('queue.late')}`}
        </p>
      </div>
    </div>
  );
}
