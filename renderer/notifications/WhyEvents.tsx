import { useStore } from 'zustand';
import type { Event } from '../../server/contract/events.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { eventWords } from './alarmLabels.ts';
import { Moment } from './Moments.tsx';

/** The events that were counted on one row; nothing where it is one, which the numbers above are of. */
export function WhyEvents({ events }: { events: readonly Event[] }) {
  const app = useAppContext();
  const t = useT();
  useStore(app.geofences.store, (state) => state.byId);
  useStore(app.places.edition, (state) => state.number);
  if (events.length < 2) return null;
  return (
    <section className="why__section">
      <h3>{t('why.events', { count: events.length })}</h3>
      <ol className="why__events">
        {events.map((event) => (
          <li key={event.event_id} className="why__event">
            <span className="quiet">
              <Moment at={event.time} />
            </span>
            <span>{eventWords(event, app).what}</span>
            <span className="quiet ellipsis">
              {event.lat === null || event.lon === null ? '' : app.places.at(event.lat, event.lon)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
