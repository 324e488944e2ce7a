import { Check } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { eventWords } from '../notifications/alarmLabels.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { severityOfEvent } from './eventSeverity.ts';
import type { VehicleDay } from './useVehicleDay.ts';

const SHOWN = 11;

/** What happened to the vehicle today, newest first. */
export function LastEvents({ day }: { day: VehicleDay }) {
  const app = useAppContext();
  const t = useT();
  const [all, setAll] = useState(false);
  const notifications = useStore(app.notifications.store, (state) => state.byId);
  const { events } = day;
  return (
    <div className="vehicle-panel__section">
      <div className="vehicle-panel__title">
        <h3>{t('panel.events')}</h3>
        {events.length > SHOWN && (
          <Button size="small" kind="quiet" onPress={() => setAll(!all)}>
            {all ? t('panel.events_fewer') : t('panel.events_all', { number: events.length })}
          </Button>
        )}
      </div>
      {events.length === 0 && day.load.phase !== 'loading' && (
        <p className="quiet">{t('panel.events_none')}</p>
      )}
      <ul>
        {(all ? events : events.slice(0, SHOWN)).map((event) => {
          const words = eventWords(event, app);
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
                <span className="faint" title={t('queue.acknowledged')}>
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
