import { useId, type ReactNode } from 'react';
import { serviceRoutes, type Settings } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { TextKey } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { useResourceForm } from '../resources/useResourceForm.ts';
import { Button } from '../ui/Button.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { TextField } from '../ui/TextField.tsx';
import { sendSettings } from './changeSettings.ts';
import {
  thresholdGroups,
  numberText,
  readNumbers,
  type DepotNumber,
  type NumberGroup,
} from './thresholds.ts';

const GROUPS = Object.keys(thresholdGroups) as NumberGroup[];
const NAMES = GROUPS.flatMap((group): readonly DepotNumber[] => thresholdGroups[group]);
type NumberForm = Readonly<Record<DepotNumber, string>>;
const numbersOf = (settings: Settings | null) =>
  Object.fromEntries(
    NAMES.map((name) => [name, settings === null ? '' : numberText(name, settings)]),
  ) as NumberForm;
/** What the labels of a group cannot say. */
const ABOUT: Partial<Record<NumberGroup, TextKey>> = { intake: 'numbers.intake_about' };

/** The thresholds by which events are detected: each with its unit, all saved at once. */
export function ThresholdsForm({ settings }: { settings: Settings }) {
  const app = useAppContext();
  const t = useT();
  const { form, change, faults, sentence, busy, isDirty, save } = useResourceForm<Settings, NumberForm>({
    item: settings,
    formOf: numbersOf,
    requestOf: (typed, base) => {
      const known = base ?? settings;
      const { patch, wrong } = readNumbers(typed, known);
      if (wrong.length > 0)
        return { faults: Object.fromEntries(wrong.map((name) => [name, t('form.not_a_number')])) };
      if (Object.keys(patch).length === 0) return null;
      return {
        schema: serviceRoutes.patchSettings.body,
        body: patch,
        send: () => sendSettings(app, known, patch),
      };
    },
    fields: NAMES,
    texts: { version_conflict: t('numbers.conflict') },
  });

  return (
    <Form
      className="numbers"
      faults={faults}
      // What others changed meanwhile stays, but for the numbers that are typed here.
      onSubmit={() => void save(true)}
    >
      {GROUPS.map((group) => (
        <NumberFields key={group} group={group}>
          {thresholdGroups[group].map((name) => (
            <TextField
              key={name}
              label={t(`numbers.${name}`)}
              numeric
              value={form[name]}
              onChange={(text) => change({ [name]: text })}
              fault={faults[name] ?? null}
              maxLength={12}
            />
          ))}
        </NumberFields>
      ))}
      <Failure>{sentence}</Failure>
      <div>
        <Button kind="primary" submits disabled={busy || !isDirty}>
          {t('ui.save')}
        </Button>
      </div>
    </Form>
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
