import { useStore } from 'zustand';
import type { Event } from '../../server/contract/events.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { asSentence } from '../format/inSentence.ts';
import { useT } from '../i18n/useT.ts';
import { Moment } from '../notifications/Moments.tsx';
import { WhyChart } from '../notifications/WhyChart.tsx';
import { useEventWords } from '../notifications/useLabels.ts';
import { WhyFacts } from '../notifications/WhyFacts.tsx';
import { Button } from '../ui/Button.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { selectNotification } from './eventsActions.ts';
import '../notifications/Why.css';

/** A recorded event with its numbers, and the notifications that count it. */
export function EventDetails({ event }: { event: Event }) {
  const app = useAppContext();
  const t = useT();
  const vehicle = useVehicleName(event.vehicle_id);
  const byId = useStore(app.notifications.store, (it) => it.byId);
  useStore(app.places.edition, ({ number }) => number);
  const words = useEventWords(event);
  const counting = [...byId.values()].filter((it) => it.event_ids.includes(event.event_id));
  const place = event.lat === null || event.lon === null ? '' : app.places.at(event.lat, event.lon);
  return (
    <div className="why">
      <div className="why__sentence">
        <div>
          <p>
            <b className="strong">{vehicle}</b> <span className="strong">{words.kind}</span>
          </p>
          <p>{t('why.sentence', { what: asSentence(words.what) })}</p>
          <p className="quiet">
            <Moment at={event.time} />
            {place !== '' && ` · ${place}`}
          </p>
          {event.late && (
            <p className="quiet">
              {t('events.received')} <Moment at={event.received_at} />
            </p>
          )}
        </div>
      </div>
      <WhyFacts kind={event.kind} at={event.time} values={event.values} geozoneId={event.geozone_id} />
      <WhyChart vehicleId={event.vehicle_id} values={event.values} at={event.time} events={[event]} />
      {counting.length > 0 && (
        <section className="why__section">
          <h3>{t('events.counted_by')}</h3>
          <ul>
            {counting.map((it) => (
              <li key={it.notification_id} className="events__counting">
                <SeverityMark severity={it.severity} />
                <span className="fill ellipsis">{it.rule_name}</span>
                <Button
                  size="small"
                  onPress={() => {
                    app.navigation.note({ view: null });
                    selectNotification(app, it);
                  }}
                >
                  {t('panel.why')}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
