import { Plus } from 'lucide-react';
import { useState } from 'react';
import { eventKind, type EventKind } from '../../server/contract/events.ts';
import { serviceRoutes, type Settings } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { isSame } from '../resources/rebaseForm.ts';
import { useResourceForm } from '../resources/useResourceForm.ts';
import { Button } from '../ui/Button.tsx';
import { Form } from '../ui/Form.tsx';
import { Choice } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { sendSettings } from './changeSettings.ts';
import { SaveSettings } from './SaveSettings.tsx';

/** In place of a kind, of incidents that were opened without an alarm. */
const NO_ALARM = 'none';
type ListKind = EventKind | typeof NO_ALARM;

interface IncidentForm {
  sos_opens_incident: boolean;
  /** One to a line. */
  reasons: string;
  lists: readonly { kind: ListKind; items: string }[];
}

type IncidentFields = Pick<Settings, 'sos_opens_incident' | 'incident_close_reasons' | 'incident_checklists'>;

export function formOfIncidents(settings: IncidentFields | null): IncidentForm {
  return {
    sos_opens_incident: settings?.sos_opens_incident ?? true,
    reasons: settings?.incident_close_reasons.join('\n') ?? '',
    lists: (settings?.incident_checklists ?? []).map(({ event_kind, items }) => ({
      kind: event_kind ?? NO_ALARM,
      items: items.join('\n'),
    })),
  };
}

export function fieldsOfIncidents({ sos_opens_incident, reasons, lists }: IncidentForm): IncidentFields {
  return {
    sos_opens_incident,
    incident_close_reasons: linesOf(reasons),
    incident_checklists: lists.map(({ kind, items }) => ({
      event_kind: kind === NO_ALARM ? null : kind,
      items: linesOf(items),
    })),
  };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((it) => it.trim())
    .filter((it) => it !== '');

/** When an SOS opens an incident, what is worked through in one, and why it is closed. */
export function IncidentSettings({ settings }: { settings: Settings }) {
  const app = useAppContext();
  const t = useT();
  const { form, change, field, faults, sentence, busy, isDirty, save } = useResourceForm<
    Settings,
    IncidentForm
  >({
    item: settings,
    formOf: formOfIncidents,
    requestOf: (typed, base) => {
      const known = base ?? settings;
      const fields = fieldsOfIncidents(typed);
      const patch = Object.fromEntries(
        Object.entries(fields).filter(([name, value]) => !isSame(value, known[name as keyof IncidentFields])),
      );
      if (Object.keys(patch).length === 0) return null;
      return {
        schema: serviceRoutes.patchSettings.body,
        body: patch,
        send: () => sendSettings(app, known, patch),
      };
    },
    fields: ['incident_close_reasons', 'incident_checklists'],
    texts: { version_conflict: t('incident_settings.conflict') },
  });
  const setItems = (kind: ListKind, items: string | null) =>
    change({
      lists: form.lists.flatMap((it) => (it.kind !== kind ? [it] : items === null ? [] : [{ kind, items }])),
    });
  const nameOf = (kind: ListKind) => t(kind === NO_ALARM ? 'incident_settings.no_alarm' : `alarm.${kind}`);
  return (
    <Form className="form-column incident-settings" faults={faults} onSubmit={() => void save(true)}>
      <Toggle
        label={t('incident_settings.sos')}
        on={form.sos_opens_incident}
        onChange={(sos_opens_incident) => change({ sos_opens_incident })}
      />
      <TextField
        label={t('incident_settings.reasons')}
        hint={t('incident_settings.reasons_hint')}
        {...field('reasons', 'incident_close_reasons')}
        multiline
        maxLength={4_000}
      />
      {form.lists.map(({ kind, items }) => (
        <div key={kind} className="form-column">
          <TextField
            label={t('incident_settings.list_of', { kind: nameOf(kind) })}
            hint={t('incident_settings.item_hint')}
            value={items}
            onChange={(text) => setItems(kind, text)}
            multiline
            maxLength={7_000}
          />
          <div>
            <Button
              size="small"
              kind="quiet"
              label={t('incident_settings.remove_of', { kind: nameOf(kind) })}
              onPress={() => setItems(kind, null)}
            >
              {t('incident_settings.remove')}
            </Button>
          </div>
        </div>
      ))}
      {faults['incident_checklists'] !== undefined && (
        <p className="form-sentence" role="alert">
          {faults['incident_checklists']}
        </p>
      )}
      <NewList
        kinds={[NO_ALARM, ...eventKind.options].filter((it): it is ListKind =>
          form.lists.every(({ kind }) => kind !== it),
        )}
        nameOf={nameOf}
        onAdd={(kind) => change({ lists: [...form.lists, { kind, items: '' }] })}
      />
      <SaveSettings sentence={sentence} disabled={busy || !isDirty} />
    </Form>
  );
}

function NewList({
  kinds,
  nameOf,
  onAdd,
}: {
  kinds: readonly ListKind[];
  nameOf: (kind: ListKind) => string;
  onAdd: (kind: ListKind) => void;
}) {
  const t = useT();
  const [chosen, setChosen] = useState<ListKind | null>(null);
  const kind = kinds.find((it) => it === chosen) ?? kinds[0];
  if (kind === undefined) return null;
  return (
    <div className="manage__buttons">
      <Choice
        label={t('incident_settings.add_list_for')}
        value={kind}
        options={kinds.map((id) => ({ id, label: nameOf(id) }))}
        onChange={setChosen}
      />
      <Button icon={Plus} onPress={() => onAdd(kind)}>
        {t('incident_settings.add_list')}
      </Button>
    </div>
  );
}
