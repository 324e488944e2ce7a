import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { IncidentList } from '../incidents/IncidentList.tsx';
import { IncidentPanel } from '../incidents/IncidentPanel.tsx';
import { openIncidents } from '../incidents/openIncidents.ts';
import { Notice } from '../ui/Notice.tsx';
import '../incidents/incidents.css';

/** Who handles which alarm, and what was done: the incidents, and the one that the address names. */
export function IncidentsScreen() {
  const { incidents, navigation } = useAppContext();
  const t = useT();
  const id = useStore(navigation.store, ({ query }) => query['id'] ?? null);
  const first = useStore(incidents.store, ({ byId }) => openIncidents(byId)[0]?.incident_id ?? null);
  useEffect(() => {
    if (id === null && first !== null) navigation.note({ id: first });
  }, [navigation, id, first]);
  return (
    <div className="incidents">
      <IncidentList selectedId={id} />
      {id === null ? (
        <section className="pane incident" aria-label={t('incident.one')} data-pane tabIndex={-1}>
          <Notice title={t('incident.none_selected')}>{t('incident.none_selected_how')}</Notice>
        </section>
      ) : (
        <IncidentPanel key={id} incidentId={id} />
      )}
    </div>
  );
}
