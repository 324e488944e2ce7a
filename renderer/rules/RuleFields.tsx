import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { eventKind, type EventKind, kindsOfHost } from '../../server/contract/events.ts';
import { channel, type Channel } from '../../server/contract/escalation.ts';
import { recipientRoutes, type RecipientSuggestions as Suggested } from '../../server/contract/recipients.ts';
import {
  kindsWithGeofences,
  paramsOfKind,
  ruleSound,
  severity,
  type Rule,
} from '../../server/contract/rules.ts';
import type { ShownSettings } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatSpeed } from '../format/numbers.ts';
import { formatDuration } from '../format/span.ts';
import { GeofencePicker } from '../geofences/GeofencePicker.tsx';
import { GroupPicker } from '../groups/GroupPicker.tsx';
import type { Translate, TextKey } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import type { ResourceForm } from '../resources/useResourceForm.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../ui/Select.tsx';
import { ScheduleField } from '../ui/ScheduleField.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { VehiclePicker } from '../vehicles/VehiclePicker.tsx';
import { nextStep, wordsOf } from './escalationForm.ts';
import { DepotEscalationNote } from './DepotEscalation.tsx';
import { escalationFields, EscalationSteps } from './EscalationSteps.tsx';
import {
  escalationChoice,
  isInMinutes,
  mayHaveVideo,
  NUMBER_PARAMS,
  ordersVideo,
  type NumberParam,
  type RuleForm,
} from './ruleForm.ts';

/** The fields that show what is wrong with them. */
export const RULE_FIELDS = [
  'name',
  ...NUMBER_PARAMS.map((param) => `params.${param}`),
  'params.alarms',
  'geozone_ids',
  'scope',
  'schedule',
  'cooldown_s',
  'email_to',
  'webhook_url',
  'video',
  'video.before_s',
  'video.after_s',
  'escalation',
  ...escalationFields('escalation.steps'),
];

const ESCALATION_CHOICES = ['none', 'depot', 'own'] as const;

function paramLabel(param: NumberParam, kind: EventKind): TextKey {
  switch (param) {
    case 'limit_kmh':
    case 'tolerance_kmh':
      return `rules.param.${param}`;
    case 'dwell_s':
    case 'silent_s':
      return `rules.param.${param}.min`;
    case 'min_duration_s':
      return isInMinutes(param, kind) ? 'rules.param.min_duration_s.min' : 'rules.param.min_duration_s';
  }
}

/** What holds while a field is empty. */
function emptyHint(param: NumberParam, kind: EventKind, numbers: ShownSettings, t: Translate): string {
  if (param === 'limit_kmh') return t('rules.param_empty.limit');
  const value = {
    tolerance_kmh: numbers.overspeed_tolerance_kmh,
    min_duration_s:
      kind === 'offline'
        ? numbers.offline_s
        : kind === 'idling'
          ? numbers.idle_s
          : numbers.overspeed_min_duration_s,
    dwell_s: numbers.dwell_s,
    silent_s: numbers.silent_s,
  }[param];
  return t('rules.param_empty', {
    value: param === 'tolerance_kmh' ? formatSpeed(value) : formatDuration(value * 1_000),
  });
}

/** The fields of a rule, in the order of the questions: what, where and whom, when, how loud, how often. */
export function RuleFields({
  editing: { form, change, field, faults },
}: {
  editing: ResourceForm<Rule, RuleForm>;
}) {
  const app = useAppContext();
  const t = useT();
  const isDealer = app.user.role === 'dealer';
  const timezone = useStore(app.settings, (state) => state.time.timeZone);
  const numbers = useStore(app.settings, (state) => state.numbers);
  const known = paramsOfKind[form.event_kind];
  const escalates = escalationChoice(form);
  const chooseChannel = (which: Channel, on: boolean) =>
    change({
      channels: channel.options.filter((it) => (it === which ? on : form.channels.includes(it))),
    });

  return (
    <>
      <TextField label={t('rules.name')} {...field('name')} required maxLength={120} />
      <Choice
        label={t('rules.kind')}
        value={form.event_kind}
        options={eventKind.options
          .filter((id) => isDealer || !kindsOfHost.includes(id))
          .map((id) => ({ id, label: t(`alarm.${id}`) }))}
        onChange={(event_kind) => change({ event_kind })}
      />
      <p className="quiet small">{t(`rules.kind.${form.event_kind}`)}</p>
      {NUMBER_PARAMS.filter((param) => known.includes(param)).map((param) => (
        <TextField
          key={param}
          label={t(paramLabel(param, form.event_kind))}
          hint={emptyHint(param, form.event_kind, numbers, t)}
          numeric
          value={form.params[param] ?? ''}
          onChange={(text) => change({ params: { ...form.params, [param]: text } })}
          fault={faults[`params.${param}`] ?? null}
          maxLength={8}
        />
      ))}
      {known.includes('alarms') && (
        <TextField
          label={t('rules.param.alarms')}
          hint={t('rules.param.alarms_hint')}
          {...field('alarms', 'params.alarms')}
          maxLength={2_000}
        />
      )}
      {kindsWithGeofences.includes(form.event_kind) && (
        <GeofencePicker
          label={t('rules.geofences')}
          hint={t('rules.geofences_hint')}
          {...field('geozone_ids')}
        />
      )}
      {!kindsOfHost.includes(form.event_kind) && (
        <>
          <div className="form-field">
            <span className="field__label">{t('rules.scope')}</span>
            <SegmentedControl
              label={t('rules.scope')}
              value={form.isForAll ? 'all' : 'some'}
              options={[
                { id: 'all', label: t('rules.scope_all') },
                { id: 'some', label: t('rules.scope_some') },
              ]}
              onChange={(id) => change({ isForAll: id === 'all' })}
            />
            {faults['scope'] !== undefined && <p className="field__fault">{faults['scope']}</p>}
          </div>
          {!form.isForAll && (
            <>
              <GroupPicker label={t('rules.groups')} {...field('group_ids')} />
              <VehiclePicker label={t('rules.vehicles')} {...field('vehicle_ids')} />
            </>
          )}
        </>
      )}
      <ScheduleField label={t('rules.schedule')} {...field('schedule')} timezone={timezone} />
      <div className="form-field">
        <span className="field__label">{t('rules.severity')}</span>
        <SegmentedControl
          label={t('rules.severity')}
          value={form.severity}
          options={severity.options.map((id) => ({ id, label: t(`severity.${id}`) }))}
          onChange={(chosen) => change({ severity: chosen })}
        />
      </div>
      <Toggle
        label={t('rules.quiet')}
        hint={t('rules.quiet_hint')}
        on={form.quiet || form.severity === 'info'}
        disabled={form.severity === 'info'}
        onChange={(quiet) => change({ quiet })}
      />
      {!form.quiet && form.severity !== 'info' && (
        <Choice
          label={t('rules.sound')}
          value={form.sound}
          options={ruleSound.options.map((id) => ({ id, label: t(`sound.${id}`) }))}
          onChange={(sound) => change({ sound })}
        />
      )}
      <TextField
        label={t('rules.cooldown')}
        hint={t('rules.cooldown_hint')}
        numeric
        {...field('cooldown_min', 'cooldown_s')}
        maxLength={6}
      />
      <div className="form-field" role="group" aria-label={t('rules.channels')}>
        <span className="field__label">{t('rules.channels')}</span>
        <Toggle
          label={t('rules.channel.desktop')}
          on={form.channels.includes('desktop')}
          onChange={(on) => chooseChannel('desktop', on)}
        />
        <Toggle
          label={t('rules.channel.email')}
          on={form.channels.includes('email')}
          onChange={(on) => chooseChannel('email', on)}
        />
        {(isDealer || form.channels.includes('webhook')) && (
          <Toggle
            label={t('rules.channel.webhook')}
            on={form.channels.includes('webhook')}
            onChange={(on) => chooseChannel('webhook', on)}
          />
        )}
      </div>
      {form.channels.includes('email') && (
        <>
          <TextField
            label={t('rules.email_to')}
            hint={t('rules.email_hint')}
            {...field('email_to')}
            maxLength={2_000}
          />
          <RecipientSuggestions
            chosen={wordsOf(form.email_to)}
            onChoose={(address) => change({ email_to: [...wordsOf(form.email_to), address].join(', ') })}
          />
        </>
      )}
      {form.channels.includes('webhook') && (
        <TextField
          label={t('rules.webhook_url')}
          {...field('webhook_url')}
          disabled={!isDealer}
          maxLength={2_000}
        />
      )}
      {mayHaveVideo(form) && (
        <Toggle
          label={t('rules.video')}
          hint={t('rules.video_hint')}
          on={ordersVideo(form)}
          onChange={(hasVideo) => change({ hasVideo })}
        />
      )}
      {ordersVideo(form) && (
        <div className="form-grid">
          <TextField
            label={t('rules.before')}
            numeric
            {...field('before_s')}
            fault={faults['video.before_s'] ?? faults['video'] ?? null}
            maxLength={4}
          />
          <TextField label={t('rules.after')} numeric {...field('after_s', 'video.after_s')} maxLength={4} />
        </div>
      )}
      <div className="form-field">
        <span className="field__label">{t('escalation.title')}</span>
        <SegmentedControl
          label={t('escalation.title')}
          value={escalates}
          options={ESCALATION_CHOICES.map((id) => ({ id, label: t(`escalation.choice.${id}`) }))}
          onChange={(escalation) =>
            change({
              escalation,
              ...(escalation === 'own' && form.steps.length === 0 ? { steps: [nextStep([])] } : {}),
            })
          }
        />
        {escalates === 'depot' && <DepotEscalationNote />}
        {escalates === 'own' && <p className="small quiet">{t('escalation.about')}</p>}
        {faults['escalation'] !== undefined && <p className="field__fault">{faults['escalation']}</p>}
      </div>
      {escalates === 'own' && (
        <EscalationSteps
          steps={form.steps}
          onChange={(steps) => change({ steps, ...(steps.length === 0 ? { escalation: 'none' } : {}) })}
          faults={faults}
          path="escalation.steps"
        />
      )}
      {form.event_kind !== 'sos' && (
        <Toggle
          label={t('rules.incident')}
          hint={t('rules.incident_hint')}
          on={form.opens_incident}
          onChange={(opens_incident) => change({ opens_incident })}
        />
      )}
      <Toggle label={t('rules.enabled')} on={form.enabled} onChange={(enabled) => change({ enabled })} />
    </>
  );
}

/** Buttons that are seen at once; any other address is typed. */
const maxShown = 8;

/** Approved addresses that are put into a rule by one press. Without a response there are none, and saving reports the error. */
function RecipientSuggestions({
  chosen,
  onChoose,
}: {
  chosen: readonly string[];
  onChoose: (address: string) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const [suggested, setSuggested] = useState<Suggested | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    app.api
      .request(recipientRoutes.suggestions, { signal: abort.signal })
      .then(setSuggested, () => setSuggested(null));
    return () => abort.abort();
  }, [app]);
  if (suggested === null) return null;
  const taken = new Set(chosen.map((it) => it.toLowerCase()));
  const left = suggested.email.filter((it) => !taken.has(it.toLowerCase())).slice(0, maxShown);
  return (
    <>
      {left.length > 0 && (
        <div className="recipient-suggestions" role="group" aria-label={t('rules.suggestions')}>
          {left.map((address) => (
            <Button key={address} size="small" kind="quiet" icon={Plus} onPress={() => onChoose(address)}>
              {address}
            </Button>
          ))}
        </div>
      )}
      {suggested.mail_domains.length > 0 && (
        <p className="small quiet">
          {t('rules.suggested_domains', { domains: suggested.mail_domains.slice(0, maxShown).join(', ') })}
        </p>
      )}
    </>
  );
}
