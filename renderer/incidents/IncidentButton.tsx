import { useStore } from 'zustand';
import type { Notification } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { askForIncident, momentOfSelection, openIncidentOfAlarm } from './incidentActions.ts';
import { incidentOf } from './openIncidents.ts';

/** Opens the incident of the selected alarm, or of the selected event, vehicle or point; shows one that is there. */
export function IncidentButton({
  notification,
  disabled = false,
}: {
  /** Null: what is selected is no alarm. */
  notification: Notification | null;
  disabled?: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const known = useStore(app.incidents.store, ({ byId }) =>
    notification === null ? undefined : incidentOf(byId, notification.notification_id),
  );
  const open = () => {
    const moment = momentOfSelection(app);
    if (notification !== null) openIncidentOfAlarm(app, notification);
    else if (moment !== null) askForIncident(app, moment);
  };
  return (
    <Button size="small" keycap="I" disabled={disabled && known === undefined} onPress={open}>
      {known === undefined ? t('command.open_incident') : t('incident.show', { number: known.number })}
    </Button>
  );
}
