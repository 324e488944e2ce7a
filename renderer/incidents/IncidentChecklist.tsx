import { useStore } from 'zustand';
import { CheckboxButton, CheckboxField } from 'react-aria-components';
import type { Incident } from '../../server/contract/incidents.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { Moment } from '../ui/Moment.tsx';
import { isTicked, shownChecklist, type ShownItem } from './incidentWork.ts';
import { mayWork } from './incidentCommands.ts';

const MOST_KEYS = 9;

/** What is to be done, with who did it. Nothing for an incident that has no list. */
export function IncidentChecklist({ incident }: { incident: Incident }) {
  const app = useAppContext();
  const t = useT();
  const waiting = useStore(app.incidentWork.outbox, (state) => state.waiting);
  const items = shownChecklist(incident, waiting);
  if (items.length === 0) return null;
  const disabled = !mayWork(app) || incident.status === 'closed';
  return (
    <section className="incident__section" aria-label={t('incident.checklist')}>
      <div className="incident__title">
        <h3 className="fill">{t('incident.checklist')}</h3>
        <span className="quiet small">
          {t('incident.checked', { done: items.filter(isTicked).length, of: items.length })}
        </span>
      </div>
      <ul>
        {items.map((item, at) => (
          <li key={item.item_id} className="incident-item">
            <CheckboxField
              className="incident-item__field"
              isSelected={isTicked(item)}
              isDisabled={disabled}
              onChange={(done) => void app.incidentWork.tick(incident.incident_id, item.item_id, done)}
            >
              <CheckboxButton className="check incident-item__check">
                <span className="check__box" aria-hidden />
                <span>{item.text}</span>
              </CheckboxButton>
            </CheckboxField>
            <TickedBy item={item} />
            {!disabled && at < MOST_KEYS && <Kbd>{String(at + 1)}</Kbd>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function TickedBy({ item: { done, pending } }: { item: ShownItem }) {
  const t = useT();
  if (pending !== null) return <span className="quiet small">{t('incident.not_sent')}</span>;
  if (done === null) return null;
  return (
    <span className="quiet small ellipsis" title={done.user_name}>
      {done.user_name} <Moment at={done.at} />
    </span>
  );
}
