import { useStore } from 'zustand';
import type { Event } from '../../server/contract/events.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { asSentence } from '../format/inSentence.ts';
import { useText } from '../i18n/useText.ts';
import { Moment } from '../notifications/Moments.tsx';
import { WhyChart } from '../notifications/WhyChart.tsx';
import { useEventWords } from '../notifications/useWords.ts';
import { WhyFacts } from '../notifications/WhyFacts.tsx';
import { Button } from '../ui/Button.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { holdNotification } from './eventsActions.ts';
import '../notifications/Why.css';

/** A recorded event with its numbers, and the notifications that count it. */
export function EventDetails({ event }: { event: Event }) {
  const desk = useDesk();
  const say = useText();
  const vehicle = useVehicleName(event.vehicle_id);
  const byId = useStore(desk.notifications.store, (it) => it.byId);
  useStore(desk.places.edition, ({ number }) => number);
  const words = useEventWords(event);
  const counting = [...byId.values()].filter((it) => it.event_ids.includes(event.event_id));
  const place = event.lat === null || event.lon === null ? '' : desk.places.at(event.lat, event.lon);
  return (
    <div className="why">
      <div className="why__sentence">
        <div>
          <p>
            <b className="strong">{vehicle}</b> <span className="strong">{words.kind}</span>
          </p>
          <p>{say('why.sentence', { what: asSentence(words.what) })}</p>
          <p className="quiet">
            <Moment at={event.time} />
            {place !== '' && ` · ${place}`}
          </p>
          {event.late && (
            <p className="quiet">
              {say('events.received')} <Moment at={event.received_at} />
            </p>
          )}
        </div>
      </div>
      <WhyFacts kind={event.kind} at={event.time} values={event.values} geozoneId={event.geozone_id} />
      <WhyChart vehicleId={event.vehicle_id} values={event.values} at={event.time} events={[event]} />
      {counting.length > 0 && (
        <section className="why__section">
          <h3>{say('events.counted_by')}</h3>
          <ul>
            {counting.map((it) => (
              <li key={it.notification_id} className="events__counting">
                <SeverityMark severity={it.severity} />
                <span className="fill ellipsis">{it.rule_name}</span>
                <Button
                  size="small"
                  onPress={() => {
                    desk.navigation.note({ view: null });
                    holdNotification(desk, it);
                  }}
                >
                  {say('panel.why')}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
