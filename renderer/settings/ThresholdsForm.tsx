import { useId, useState, type ReactNode, type SyntheticEvent } from 'react';
import type { Settings } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { TextKey } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { rebaseForm } from '../ui/typedSince.ts';
import { faultsOf, sentenceOf, type FieldErrors } from '../ui/formFaults.ts';
import { TextField } from '../ui/TextField.tsx';
import { changeSettings } from './changeSettings.ts';
import {
  thresholdGroups,
  numberText,
  readNumbers,
  type NumberGroup,
  type TypedNumbers,
} from './thresholds.ts';

const GROUPS = Object.keys(thresholdGroups) as NumberGroup[];
/** What the labels of a group cannot say. */
const ABOUT: Partial<Record<NumberGroup, TextKey>> = { intake: 'numbers.intake_about' };

/** The thresholds by which events are detected: each with its unit, all saved at once. */
export function ThresholdsForm({ settings }: { settings: Settings }) {
  const app = useAppContext();
  const t = useT();
  const [typed, setTyped] = useState<TypedNumbers>({});
  const [faults, setFaults] = useState<FieldErrors>({});
  const [sentence, setSentence] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { patch, wrong } = readNumbers(typed, settings);
  const isChanged = Object.keys(patch).length > 0 || wrong.length > 0;

  const save = async () => {
    setFaults(Object.fromEntries(wrong.map((name) => [name, t('form.not_a_number')])));
    if (wrong.length > 0) return;
    setBusy(true);
    setSentence(null);
    try {
      await changeSettings(app, settings, patch);
      // What was typed while this was under way is still to be saved.
      setTyped((now) => rebaseForm(now, typed, {}));
    } catch (error) {
      setFaults(faultsOf(error));
      setSentence(sentenceOf(error, t, { version_conflict: t('numbers.conflict') }));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      className="numbers"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void save();
      }}
    >
      {GROUPS.map((group) => (
        <NumberFields key={group} group={group}>
          {thresholdGroups[group].map((name) => (
            <TextField
              key={name}
              label={t(`numbers.${name}`)}
              numeric
              value={typed[name] ?? numberText(name, settings)}
              onChange={(text) => setTyped({ ...typed, [name]: text })}
              fault={faults[name] ?? null}
              maxLength={12}
            />
          ))}
        </NumberFields>
      ))}
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
      <div>
        <Button kind="primary" submits disabled={busy || !isChanged}>
          {t('ui.save')}
        </Button>
      </div>
    </form>
  );
}

function NumberFields({ group, children }: { group: NumberGroup; children: ReactNode }) {
  const t = useT();
  const about = ABOUT[group];
  const aboutId = useId();
  return (
    <fieldset className="numbers__group" {...(about === undefined ? {} : { 'aria-describedby': aboutId })}>
      <legend className="strong">{t(`numbers.group.${group}`)}</legend>
      {about !== undefined && (
        <p id={aboutId} className="quiet small">
          {t(about)}
        </p>
      )}
      <div className="numbers__fields">{children}</div>
    </fieldset>
  );
}
