import { serviceRoutes, type Settings } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useResourceForm } from '../resources/useResourceForm.ts';
import { sendSettings } from '../settings/changeSettings.ts';
import { SaveSettings } from '../settings/SaveSettings.tsx';
import { Form } from '../ui/Form.tsx';
import { TextField } from '../ui/TextField.tsx';
import { TimeZoneField } from './TimeZoneField.tsx';

/** A depot that nobody has set up yet is where this computer is. */
function depotOf(settings: Settings | null) {
  const isFresh = settings === null || (settings.version === 1 && settings.timezone === 'UTC');
  return {
    depot_name: settings?.depot_name ?? '',
    timezone: isFresh ? Intl.DateTimeFormat().resolvedOptions().timeZone : settings.timezone,
  };
}

/** The depot's name and time zone. */
export function DepotForm({ settings, onSaved }: { settings: Settings; onSaved: () => void }) {
  const app = useAppContext();
  const t = useT();
  const heldZone = settings.overridden.includes('timezone');
  const { form, field, faults, sentence, busy, save } = useResourceForm({
    item: settings,
    formOf: depotOf,
    requestOf: (typed, base: Settings | null) => {
      const body = {
        depot_name: typed.depot_name.trim(),
        ...(heldZone ? {} : { timezone: typed.timezone.trim() }),
      };
      const send = () => sendSettings(app, base ?? settings, body);
      return { schema: serviceRoutes.patchSettings.body, body, send };
    },
    fields: ['depot_name', 'timezone'],
    texts: { version_conflict: t('settings.conflict') },
  });
  return (
    <Form
      className="setup-form"
      faults={faults}
      onSubmit={() => void save(true).then((saved) => saved !== null && onSaved())}
    >
      <TextField label={t('settings.depot_name')} {...field('depot_name')} maxLength={120} />
      <TimeZoneField
        {...field('timezone')}
        {...(heldZone ? { value: settings.timezone } : {})}
        disabled={heldZone}
      />
      <SaveSettings sentence={sentence} disabled={busy || form.depot_name.trim() === ''} />
    </Form>
  );
}
