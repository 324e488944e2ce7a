import { X } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useLostSince } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { acknowledge } from '../live/liveActions.ts';
import { mayActOnAlarms } from '../notifications/alarmRights.ts';
import { useSelectedNotification } from '../notifications/selectedNotification.ts';
import { VideoCell } from '../notifications/VideoCell.tsx';
import { WhyView } from '../notifications/WhyView.tsx';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { EventDetails } from './EventDetails.tsx';
import { letGo, locateHeld, orderVideoOfHeld } from './eventsActions.ts';

/** All about the row that is held, and what can be done with it. Nothing while none is. */
export function EventSide() {
  const desk = useDesk();
  const say = useText();
  const notification = useSelectedNotification();
  const event = useStore(desk.eventsView, (it) => it.event);
  const eventIds = useMemo(
    () => notification?.event_ids ?? (event === null ? [] : [event.event_id]),
    [notification, event],
  );
  useEffect(() => desk.video.watchEvents(eventIds), [desk, eventIds]);
  const vehicleId = notification?.vehicle_id ?? event?.vehicle_id ?? null;
  const vehicle = useVehicleName(vehicleId ?? '');
  const isKnown = useStore(desk.vehicles.store, ({ byId }) => byId.has(vehicleId ?? ''));
  const waiting = useStore(desk.acks.store, (it) => it.waiting);
  const lost = useLostSince() !== null;
  if (vehicleId === null) return null;
  const mayAct = mayActOnAlarms(desk);
  const isOpen = notification?.state === 'open' && !waiting.has(notification.notification_id);
  return (
    <section className="pane events__side" aria-label={say('events.details')} data-pane tabIndex={-1}>
      <div className="pane__head">
        <h2 className="ellipsis fill">{notification === null ? say('events.event') : say('why.title')}</h2>
        <IconButton icon={X} size="small" label={say('ui.close')} keycap="Esc" onPress={() => letGo(desk)} />
      </div>
      <div className="events__side-body" tabIndex={0} role="group" aria-label={say('events.details')}>
        <div className="events__side-actions">
          {notification !== null && isOpen && mayAct && (
            <Button
              size="small"
              keycap="A"
              onPress={() => acknowledge(desk, notification.notification_id, null)}
            >
              {say('queue.acknowledge')}
            </Button>
          )}
          <Button size="small" keycap="L" disabled={!isKnown} onPress={() => locateHeld(desk)}>
            {say('events.on_map', { vehicle })}
          </Button>
          {desk.video.mayOrder && isKnown && (
            <Button size="small" keycap="V" disabled={lost} onPress={() => void orderVideoOfHeld(desk)}>
              {say('queue.video')}
            </Button>
          )}
          {notification !== null && mayAct && (
            <Button size="small" keycap="Z" onPress={() => desk.view.setState({ overlay: 'snooze' })}>
              {say('snooze.snooze')}
            </Button>
          )}
        </div>
        <VideoCell notification={{ vehicle_id: vehicleId, event_ids: eventIds }} isRoomy />
        {notification !== null ? (
          <WhyView key={notification.notification_id} notification={notification} />
        ) : (
          event !== null && <EventDetails key={event.event_id} event={event} />
        )}
      </div>
    </section>
  );
}
