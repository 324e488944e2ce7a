import { Check } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { eventWords } from '../notifications/alarmWords.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { severityOfEvent } from './eventSeverity.ts';
import type { VehicleDay } from './useVehicleDay.ts';

const SHOWN = 11;

/** What happened to the vehicle today, newest first. */
export function LastEvents({ day }: { day: VehicleDay }) {
  const desk = useDesk();
  const say = useText();
  const [all, setAll] = useState(false);
  const notifications = useStore(desk.notifications.store, (state) => state.byId);
  const { events } = day;
  return (
    <div className="vehicle-panel__section">
      <div className="vehicle-panel__title">
        <h3>{say('panel.events')}</h3>
        {events.length > SHOWN && (
          <Button size="small" kind="quiet" onPress={() => setAll(!all)}>
            {all ? say('panel.events_fewer') : say('panel.events_all', { number: events.length })}
          </Button>
        )}
      </div>
      {events.length === 0 && day.load.phase !== 'loading' && (
        <p className="quiet">{say('panel.events_none')}</p>
      )}
      <ul>
        {(all ? events : events.slice(0, SHOWN)).map((event) => {
          const words = eventWords(event, desk);
          const acknowledged = [...notifications.values()].some(
            (it) => it.state === 'acknowledged' && it.event_ids.includes(event.event_id),
          );
          const text = event.kind === 'overspeed' ? `${words.kind} ${words.short}` : sentence(words.short);
          return (
            <li key={event.event_id} className="journal-row">
              <span className="quiet">
                <TimeOfDay at={Date.parse(event.time)} />
              </span>
              <SeverityMark severity={severityOfEvent(event, notifications.values())} />
              <span className="ellipsis" title={text}>
                {text}
              </span>
              {acknowledged && (
                <span className="faint" title={say('queue.acknowledged')}>
                  <Icon of={Check} />
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
