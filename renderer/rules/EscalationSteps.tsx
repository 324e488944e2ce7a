import { Plus, X } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { channel, maxEscalationSteps, type Channel } from '../../server/contract/escalation.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { stepWords } from '../notifications/escalationLabels.ts';
import { Button } from '../ui/Button.tsx';
import type { FieldErrors } from '../ui/formFaults.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { MultiSelect } from '../ui/MultiSelect.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { mayHaveMore, nextStep, stepsOf, type StepForm } from './escalationForm.ts';
import './EscalationSteps.css';

/** The fields of an escalation that show what is wrong with them. */
export const escalationFields = (path: string): string[] =>
  Array.from({ length: maxEscalationSteps }, (_, at) =>
    ['after_min', 'channels', 'user_ids', 'email_to', 'webhook_url'].map((name) => `${path}.${at}.${name}`),
  ).flat();

/** The steps of an escalation: of a rule, and of the depot. */
export function EscalationSteps({
  steps,
  onChange,
  faults,
  path,
}: {
  steps: readonly StepForm[];
  onChange: (steps: StepForm[]) => void;
  faults: FieldErrors;
  /** Where the steps stand in what is sent. */
  path: string;
}) {
  const t = useT();
  return (
    <div className="escalation">
      {steps.map((step, at) => (
        <StepFields
          // Steps have no names of their own, and none is moved.
          key={at}
          number={at + 1}
          step={step}
          faultOf={(name) => faults[`${path}.${at}.${name}`] ?? null}
          onChange={(part) => onChange(steps.map((it, place) => (place === at ? { ...it, ...part } : it)))}
          onRemove={() => onChange(steps.filter((_, place) => place !== at))}
        />
      ))}
      {mayHaveMore(steps) && (
        <div>
          <Button size="small" icon={Plus} onPress={() => onChange([...steps, nextStep(steps)])}>
            {t('escalation.add')}
          </Button>
        </div>
      )}
    </div>
  );
}

function StepFields({
  number,
  step,
  faultOf,
  onChange,
  onRemove,
}: {
  number: number;
  step: StepForm;
  faultOf: (name: string) => string | null;
  onChange: (part: Partial<StepForm>) => void;
  onRemove: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const isDealer = app.user.role === 'dealer';
  const users = useStore(app.users.store, (state) => state.byId);
  const items = useMemo(
    () =>
      [...users.values()]
        .filter((it) => !it.blocked)
        .map(({ user_id, name, login, email }) => ({
          id: user_id,
          name: name ?? login,
          detail: email ?? t('escalation.users_no_email'),
        }))
        .sort((a, b) => a.name.localeCompare(b.name)),
    [users, t],
  );
  const nameOf = (id: string) => {
    const user = users.get(id);
    return user === undefined ? null : (user.name ?? user.login);
  };
  const choose = (which: Channel, on: boolean) =>
    onChange({ channels: channel.options.filter((it) => (it === which ? on : step.channels.includes(it))) });
  const mails = step.channels.includes('email');
  const without = step.user_ids.flatMap((id) => (users.get(id)?.email === null ? (nameOf(id) ?? []) : []));
  const [read] = stepsOf([step], (_, text) => Number(text), '');
  return (
    <fieldset className="escalation__step" aria-label={t('escalation.step', { step: number })}>
      <div className="escalation__head">
        <h4>{t('escalation.step', { step: number })}</h4>
        <IconButton icon={X} label={t('escalation.remove', { step: number })} onPress={onRemove} />
      </div>
      <TextField
        label={t('escalation.after')}
        numeric
        value={step.after_min}
        onChange={(after_min) => onChange({ after_min })}
        fault={faultOf('after_min')}
        maxLength={4}
      />
      <Toggle
        label={t('escalation.on_duty')}
        hint={t('escalation.on_duty_hint')}
        on={step.on_duty}
        onChange={(on_duty) => onChange({ on_duty })}
      />
      <MultiSelect
        label={t('escalation.users')}
        items={items}
        value={step.user_ids}
        onChange={(user_ids) => onChange({ user_ids })}
        placeholder={t('escalation.users_find')}
        unknownName={isDealer ? t('escalation.users_unknown') : t('user.another')}
        fault={faultOf('user_ids')}
      />
      <div className="form-field" role="group" aria-label={t('rules.channels')}>
        <span className="field__label">{t('rules.channels')}</span>
        {channel.options
          .filter((it) => it !== 'webhook' || isDealer || step.channels.includes('webhook'))
          .map((it) => (
            <Toggle
              key={it}
              label={t(`rules.channel.${it}`)}
              on={step.channels.includes(it)}
              onChange={(on) => choose(it, on)}
            />
          ))}
        {faultOf('channels') !== null && <p className="field__fault">{faultOf('channels')}</p>}
      </div>
      {mails && without.length > 0 && (
        <p className="small escalation__warning">
          {t(step.channels.includes('desktop') ? 'escalation.no_address' : 'escalation.unreachable', {
            people: without.join(', '),
          })}
        </p>
      )}
      {mails && step.on_duty && (
        <p className="small quiet">
          {t(
            step.channels.includes('desktop') ? 'escalation.no_address_duty' : 'escalation.unreachable_duty',
          )}
        </p>
      )}
      {mails && (
        <TextField
          label={t('escalation.email_to')}
          hint={t('escalation.email_hint')}
          value={step.email_to}
          onChange={(email_to) => onChange({ email_to })}
          fault={faultOf('email_to')}
          maxLength={2_000}
        />
      )}
      {step.channels.includes('webhook') && (
        <TextField
          label={t('escalation.webhook_url')}
          value={step.webhook_url}
          onChange={(webhook_url) => onChange({ webhook_url })}
          fault={faultOf('webhook_url')}
          disabled={!isDealer}
          maxLength={2_000}
        />
      )}
      {read !== undefined && Number.isFinite(read.after_min) && (
        <p className="small quiet">{stepWords(read, step.user_ids.map(nameOf), t)}</p>
      )}
    </fieldset>
  );
}
