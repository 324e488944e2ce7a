import { useMemo, useState, type SyntheticEvent } from 'react';
import type { Settings } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { changeSettings } from '../settings/changeSettings.ts';
import { Button } from '../ui/Button.tsx';
import { faultsOf, sentenceOf, type FieldErrors } from '../ui/formFaults.ts';
import { TextField } from '../ui/TextField.tsx';
import { TimeZoneField } from './TimeZoneField.tsx';

/** The depot's name and time zone. */
export function DepotForm({ settings, onSaved }: { settings: Settings; onSaved: () => void }) {
  const app = useAppContext();
  const t = useT();
  const here = useMemo(() => Intl.DateTimeFormat().resolvedOptions().timeZone, []);
  const untouched = settings.version === 1;
  const [typedName, setTypedName] = useState<string | null>(null);
  const [typedZone, setTypedZone] = useState<string | null>(null);
  const name = typedName ?? settings.depot_name;
  const zone = typedZone ?? (untouched && settings.timezone === 'UTC' ? here : settings.timezone);
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<FieldErrors>({});
  const [sentence, setSentence] = useState<string | null>(null);
  const heldZone = settings.overridden.includes('timezone');

  const save = async () => {
    setBusy(true);
    setSentence(null);
    setFaults({});
    try {
      await changeSettings(app, settings, {
        depot_name: name.trim(),
        ...(heldZone ? {} : { timezone: zone.trim() }),
      });
      setTypedName(null);
      setTypedZone(null);
      onSaved();
    } catch (error) {
      setFaults(faultsOf(error));
      setSentence(sentenceOf(error, t, { version_conflict: t('settings.conflict') }));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      className="setup-form"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={t('settings.depot_name')}
        value={name}
        onChange={setTypedName}
        fault={faults['depot_name'] ?? null}
        maxLength={120}
      />
      <TimeZoneField
        value={heldZone ? settings.timezone : zone}
        onChange={setTypedZone}
        fault={faults['timezone'] ?? null}
        disabled={heldZone}
      />
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
      <div>
        <Button kind="primary" submits disabled={busy || name.trim() === ''}>
          {t('ui.save')}
        </Button>
      </div>
    </form>
  );
}
