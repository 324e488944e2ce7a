import { Siren } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Incident } from '../../server/contract/incidents.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { canOpen, writeHash } from '../navigation/navigation.ts';
import { Icon } from '../ui/Icon.tsx';
import { Age } from '../ui/Moment.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { countUnowned, incidentOf, openIncidents } from './openIncidents.ts';
import './incidents.css';

/** More do not fit beside each other on any screen. */
const SHOWN = 16;

const addressOf = (incidentId: string): string =>
  writeHash({ place: 'incidents', query: { id: incidentId } });

/** Open incidents beside the queue, where they stay until they are closed. Nothing while there are none. */
export function OpenIncidents() {
  const app = useAppContext();
  const t = useT();
  const byId = useStore(app.incidents.store, (state) => state.byId);
  const open = useMemo(() => openIncidents(byId), [byId]);
  if (open.length === 0 || !canOpen(app.user, 'incidents')) return null;
  const unowned = countUnowned(byId);
  return (
    <nav className="open-incidents" aria-label={t('incident.open_title')}>
      <a className="open-incidents__all" href={writeHash({ place: 'incidents', query: {} })}>
        <Icon of={Siren} />
        <span className="strong">{t('incident.open', { count: open.length })}</span>
        {unowned > 0 && <span className="quiet">{t('incident.unowned', { count: unowned })}</span>}
      </a>
      <ul className="open-incidents__list" ref={keepHiddenInert}>
        {open.slice(0, SHOWN).map((it) => (
          <OpenIncident key={it.incident_id} incident={it} />
        ))}
      </ul>
    </nav>
  );
}

/** What falls out of sight takes no focus. */
function keepHiddenInert(list: HTMLUListElement): () => void {
  const look = () => {
    for (const item of list.children)
      if (item instanceof HTMLElement) item.inert = item.offsetTop >= list.offsetTop + list.clientHeight;
  };
  const sizes = new ResizeObserver(look);
  sizes.observe(list);
  const items = new MutationObserver(look);
  items.observe(list, { childList: true, subtree: true, characterData: true });
  look();
  return () => {
    sizes.disconnect();
    items.disconnect();
  };
}

function OpenIncident({ incident }: { incident: Incident }) {
  const app = useAppContext();
  const t = useT();
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(incident.vehicle_id ?? '')?.name);
  const { number, title, severity, owner_id, owner_name, created_at } = incident;
  return (
    <li>
      <a className="open-incident" href={addressOf(incident.incident_id)} title={title}>
        <SeverityMark severity={severity} />
        <span className="strong">{t('incident.number', { number })}</span>
        <span className="ellipsis open-incident__what">{vehicle ?? title}</span>
        <span className="quiet">
          <Age since={Date.parse(created_at)} short />
        </span>
        <span className={owner_id === null ? 'strong' : 'quiet'}>
          {owner_id === null ? t('incident.nobody') : (owner_name ?? t('user.another'))}
        </span>
      </a>
    </li>
  );
}

/** The number of the incident that an alarm belongs to, which leads there. Nothing for one that has none. */
export function IncidentLink({ notificationId }: { notificationId: string }) {
  const app = useAppContext();
  const t = useT();
  const incident = useStore(app.incidents.store, ({ byId }) => incidentOf(byId, notificationId));
  if (incident === undefined) return null;
  const { incident_id, number, title } = incident;
  return (
    <a
      className="incident-link"
      href={addressOf(incident_id)}
      title={title}
      aria-label={t('incident.show', { number })}
      onClick={(event) => event.stopPropagation()}
    >
      {t('incident.number', { number })}
    </a>
  );
}
