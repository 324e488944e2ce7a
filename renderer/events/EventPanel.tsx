import { X } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Event } from '../../server/contract/events.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { asSentence } from '../format/inSentence.ts';
import { useT } from '../i18n/useT.ts';
import { acknowledge } from '../live/liveActions.ts';
import { Moment } from '../ui/Moment.tsx';
import { VideoCell } from '../notifications/VideoCell.tsx';
import { WhyChart } from '../notifications/WhyChart.tsx';
import { WhyFacts } from '../notifications/WhyFacts.tsx';
import { WhyView } from '../notifications/WhyView.tsx';
import { IncidentButton } from '../incidents/IncidentButton.tsx';
import { openHistory } from '../history/historyActions.ts';
import { canOpen, mayWrite } from '../navigation/navigation.ts';
import { maySeePassages, momentOf, showPassages } from '../points/mapPoint.ts';
import { useSelectedNotification } from '../notifications/selectedNotification.ts';
import { useEventWords } from '../notifications/alarmLabels.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { clearSelection, locateSelection, orderVideoOfHeld, selectNotification } from './eventsActions.ts';
import '../notifications/Why.css';

/** All about the row that is held, and what can be done with it. Nothing while none is. */
export function EventPanel() {
  const app = useAppContext();
  const t = useT();
  const notification = useSelectedNotification();
  const event = useStore(app.eventsView, (it) => it.event);
  const eventIds = useMemo(
    () => notification?.event_ids ?? (event === null ? [] : [event.event_id]),
    [notification, event],
  );
  useEffect(() => app.video.watchEvents(eventIds), [app, eventIds]);
  const vehicleId = notification?.vehicle_id ?? event?.vehicle_id ?? null;
  const vehicle = useVehicleName(vehicleId);
  const isKnown = useStore(app.vehicles.store, ({ byId }) => byId.has(vehicleId ?? ''));
  const waiting = useStore(app.acks.store, (it) => it.waiting);
  const lost = useLostSince() !== null;
  if (notification === null && event === null) return null;
  const mayAct = mayWrite(app.user, 'notifications');
  const row = notification ?? event;
  const moment = row === null ? null : momentOf(row);
  const isOpen = notification?.state === 'open' && !waiting.has(notification.notification_id);
  return (
    <section className="pane events__side" aria-label={t('events.details')} data-pane tabIndex={-1}>
      <div className="pane__head">
        <h2 className="ellipsis fill">{notification === null ? t('events.event') : t('why.title')}</h2>
        <IconButton
          icon={X}
          size="small"
          label={t('ui.close')}
          keycap="Esc"
          onPress={() => clearSelection(app)}
        />
      </div>
      <div className="events__side-body" tabIndex={0} role="group" aria-label={t('events.details')}>
        <div className="events__side-actions">
          {notification !== null && isOpen && mayAct && (
            <Button
              size="small"
              keycap="A"
              onPress={() => acknowledge(app, notification.notification_id, null)}
            >
              {t('queue.acknowledge')}
            </Button>
          )}
          <Button size="small" keycap="L" disabled={!isKnown} onPress={() => locateSelection(app)}>
            {t('events.on_map', { vehicle })}
          </Button>
          {app.video.mayOrder && isKnown && (
            <Button size="small" keycap="V" disabled={lost} onPress={() => void orderVideoOfHeld(app)}>
              {t('queue.video')}
            </Button>
          )}
          {row !== null && vehicleId !== null && canOpen(app.user, 'history') && (
            <Button
              size="small"
              keycap="H"
              onPress={() => openHistory(app, vehicleId, notification?.last_time ?? event?.time)}
            >
              {t('history.open')}
            </Button>
          )}
          {moment !== null && maySeePassages(app) && (
            <Button size="small" keycap="Shift X" onPress={() => showPassages(app, moment)}>
              {t('command.passed_here')}
            </Button>
          )}
          {mayAct && isKnown && (notification !== null || vehicleId !== null) && (
            <IncidentButton notification={notification} disabled={lost} />
          )}
          {notification !== null && mayAct && (
            <Button size="small" keycap="Z" onPress={() => app.view.setState({ overlay: 'snooze' })}>
              {t('snooze.snooze')}
            </Button>
          )}
        </div>
        {vehicleId !== null && (
          <VideoCell notification={{ vehicle_id: vehicleId, event_ids: eventIds }} isRoomy />
        )}
        {notification !== null ? (
          <WhyView key={notification.notification_id} notification={notification} />
        ) : (
          event !== null && <EventDetails key={event.event_id} event={event} />
        )}
      </div>
    </section>
  );
}

/** A recorded event with its numbers, and the notifications that count it. */
function EventDetails({ event }: { event: Event }) {
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
      <WhyFacts
        kind={event.kind}
        vehicleId={event.vehicle_id}
        at={event.time}
        details={event.details}
        geozoneId={event.geozone_id}
      />
      {event.vehicle_id !== null && (
        <WhyChart vehicleId={event.vehicle_id} details={event.details} at={event.time} events={[event]} />
      )}
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
