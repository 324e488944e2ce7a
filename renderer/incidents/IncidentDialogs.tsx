import { useState } from 'react';
import { useStore } from 'zustand';
import type { Incident } from '../../server/contract/incidents.ts';
import { severity as severities, type Severity } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { ActionDialog } from '../resources/ActionDialog.tsx';
import type { Notification } from '../../server/contract/notifications.ts';
import type { IncidentMoment } from '../live/liveView.ts';
import { Moment } from '../ui/Moment.tsx';
import { RadioRows } from '../ui/RadioRows.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';
import {
  changeIncident,
  closeIncident,
  createIncident,
  createIncidentOfAlarm,
  failureText,
  setAlarm,
  showIncident,
} from './incidentActions.ts';
import { isTicked, shownChecklist } from './incidentWork.ts';
import { openIncidents } from './openIncidents.ts';

/** Why it is closed; an incident with open items may be closed all the same. */
export function CloseIncidentDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const reasons = useStore(app.settings, ({ numbers }) => numbers.incident_close_reasons);
  const waiting = useStore(app.incidentWork.outbox, (state) => state.waiting);
  const [reason, setReason] = useState(reasons[0] ?? '');
  const [note, setNote] = useState('');
  const { number, title } = incident;
  const left = shownChecklist(incident, waiting).filter((it) => !isTicked(it)).length;
  return (
    <ActionDialog
      title={t('incident.close_title', { number, title })}
      submit={t('incident.close_do')}
      disabled={lost || reason === ''}
      act={() => closeIncident(app, incident, { reason, note: note.trim() === '' ? null : note.trim() })}
      sentence={(error) => failureText(app, error)}
      onClose={onClose}
    >
      <RadioRows
        label={t('incident.reason')}
        value={reason}
        options={reasons.map((id) => ({ id, label: id }))}
        onChange={setReason}
        autoFocus
      />
      <TextField label={t('note.label')} value={note} onChange={setNote} multiline maxLength={2_000} />
      {left > 0 && <p className="quiet">{t('incident.items_left', { count: left })}</p>}
      <p className="quiet">{t('incident.close_what')}</p>
    </ActionDialog>
  );
}

/** The name and the severity of an incident. */
export function EditIncidentDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const [title, setTitle] = useState(incident.title);
  const [severity, setSeverity] = useState(incident.severity);
  // What it was when the dialog was opened: a change by somebody else since is not overwritten unseen.
  const [base] = useState(incident);
  return (
    <ActionDialog
      title={t('incident.edit_title', { number: incident.number })}
      width={400}
      submit={t('ui.save')}
      disabled={title.trim() === ''}
      act={() => changeIncident(app, base, changesOf(base, title.trim(), severity))}
      sentence={(error) => failureText(app, error)}
      onClose={onClose}
    >
      <TextField
        label={t('incident.title')}
        value={title}
        onChange={setTitle}
        autoFocus
        required
        maxLength={120}
      />
      <SeverityField value={severity} onChange={setSeverity} />
    </ActionDialog>
  );
}

const changesOf = (base: Incident, title: string, severity: Severity) => ({
  ...(title === base.title ? {} : { title }),
  ...(severity === base.severity ? {} : { severity }),
});

/** Names the incident of a vehicle at a moment, or of a place, and opens it. */
export function NewIncidentDialog({ moment, onClose }: { moment: IncidentMoment; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const [typed, setTitle] = useState('');
  const title = typed.trim() === '' ? moment.title.slice(0, 120).trim() : typed.trim();
  const [severity, setSeverity] = useState<Severity>('warning');
  const [note, setNote] = useState('');
  const { vehicleId, at, place } = moment;
  const vehicle = useStore(app.vehicles.store, ({ byId }) => byId.get(vehicleId ?? '')?.name);
  const open = async () => {
    const made = await createIncident(app, {
      title,
      severity,
      note: note.trim() === '' ? null : note.trim(),
      ...(vehicleId === null ? {} : { vehicle_id: vehicleId }),
      ...(at === null ? {} : { time: at }),
      ...place,
    });
    showIncident(app, made.incident_id);
  };
  return (
    <ActionDialog
      title={t('command.open_incident')}
      width={400}
      submit={t('incident.open_do')}
      disabled={title === ''}
      act={open}
      onClose={onClose}
    >
      <p className="quiet">
        {vehicle ?? (place !== null ? app.places.at(place.lat, place.lon) : '')}{' '}
        {at !== null && <Moment at={at} />}
      </p>
      <TextField
        label={t('incident.title')}
        value={typed}
        placeholder={title}
        onChange={setTitle}
        autoFocus
        maxLength={120}
      />
      <SeverityField value={severity} onChange={setSeverity} />
      <TextField label={t('note.label')} value={note} onChange={setNote} multiline maxLength={2_000} />
    </ActionDialog>
  );
}

function SeverityField({ value, onChange }: { value: Severity; onChange: (severity: Severity) => void }) {
  const t = useT();
  return (
    <div className="form-field">
      <span className="field__label">{t('rules.severity')}</span>
      <SegmentedControl
        label={t('rules.severity')}
        value={value}
        options={severities.options.map((id) => ({ id, label: t(`severity.${id}`) }))}
        onChange={onChange}
      />
    </div>
  );
}

const NEW = 'new';

/** Whether an alarm belongs to an incident of its vehicle that is open, or begins another one. */
export function JoinIncidentDialog({
  notification,
  onClose,
}: {
  notification: Notification;
  onClose: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const byId = useStore(app.incidents.store, (state) => state.byId);
  const { notification_id, vehicle_id } = notification;
  const open = openIncidents(byId).filter((it) => it.vehicle_id === vehicle_id);
  const [chosen, setChosen] = useState(open[0]?.incident_id ?? NEW);
  const join = async () => {
    if (chosen === NEW) {
      await createIncidentOfAlarm(app, notification_id);
      return;
    }
    await setAlarm(app, chosen, notification_id, true);
    showIncident(app, chosen);
  };
  return (
    <ActionDialog
      title={t('incident.join_title')}
      width={400}
      submit={t('incident.join_do')}
      act={join}
      sentence={(error) => failureText(app, error)}
      onClose={onClose}
    >
      <RadioRows
        label={t('incident.join_which')}
        value={chosen}
        options={[
          ...open.map(({ incident_id, number, title }) => ({
            id: incident_id,
            label: t('incident.named', { number, title }),
          })),
          { id: NEW, label: t('incident.join_new') },
        ]}
        onChange={setChosen}
        autoFocus
      />
    </ActionDialog>
  );
}
