import { useStore } from 'zustand';
import { eventKind, type EventKind } from '../../server/contract/events.ts';
import {
  channel,
  kindsWithFences,
  paramsOfKind,
  severity,
  type Channel,
} from '../../server/contract/rules.ts';
import type { SettingsFields } from '../../server/contract/settings.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { speedText } from '../format/numbers.ts';
import { spanText } from '../format/span.ts';
import { GeofencePicker } from '../geofences/GeofencePicker.tsx';
import { GroupPicker } from '../groups/GroupPicker.tsx';
import type { Say, TextKey } from '../i18n/text.ts';
import { useText } from '../i18n/useText.ts';
import { Choice } from '../ui/Choice.tsx';
import type { Faults } from '../ui/formFaults.ts';
import { ScheduleField } from '../ui/ScheduleField.tsx';
import { Segments } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { VehiclePicker } from '../vehicles/VehiclePicker.tsx';
import { RecipientSuggestions } from './RecipientSuggestions.tsx';
import {
  isInMinutes,
  mayHaveVideo,
  NUMBER_PARAMS,
  ordersVideo,
  wordsOf,
  type NumberParam,
  type RuleForm,
} from './ruleForm.ts';

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
function emptyHint(param: NumberParam, kind: EventKind, numbers: SettingsFields, say: Say): string {
  if (param === 'limit_kmh') return say('rules.param_empty.limit');
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
  return say('rules.param_empty', {
    value: param === 'tolerance_kmh' ? speedText(value) : spanText(value * 1_000),
  });
}

/** The fields of a rule, in the order of the questions: what, where and whom, when, how loud, how often. */
export function RuleFields({
  form,
  onChange,
  faults,
}: {
  form: RuleForm;
  onChange: (form: RuleForm) => void;
  faults: Faults;
}) {
  const desk = useDesk();
  const say = useText();
  const isDealer = desk.user.role === 'dealer';
  const timezone = useStore(desk.settings, (state) => state.time.timeZone);
  const numbers = useStore(desk.settings, (state) => state.numbers);
  const change = (part: Partial<RuleForm>) => onChange({ ...form, ...part });
  const known = paramsOfKind[form.event_kind];
  const chooseChannel = (which: Channel, on: boolean) =>
    change({
      channels: channel.options.filter((it) => (it === which ? on : form.channels.includes(it))),
    });

  return (
    <>
      <TextField
        label={say('rules.name')}
        value={form.name}
        onChange={(name) => change({ name })}
        fault={faults['name'] ?? null}
        required
        maxLength={120}
      />
      <Choice
        label={say('rules.kind')}
        value={form.event_kind}
        options={eventKind.options.map((id) => ({ id, label: say(`alarm.${id}`) }))}
        onChange={(event_kind) => change({ event_kind })}
      />
      <p className="quiet small">{say(`rules.kind.${form.event_kind}`)}</p>
      {NUMBER_PARAMS.filter((param) => known.includes(param)).map((param) => (
        <TextField
          key={param}
          label={say(paramLabel(param, form.event_kind))}
          hint={emptyHint(param, form.event_kind, numbers, say)}
          numeric
          value={form.params[param] ?? ''}
          onChange={(text) => change({ params: { ...form.params, [param]: text } })}
          fault={faults[`params.${param}`] ?? null}
          maxLength={8}
        />
      ))}
      {known.includes('alarms') && (
        <TextField
          label={say('rules.param.alarms')}
          hint={say('rules.param.alarms_hint')}
          value={form.alarms}
          onChange={(alarms) => change({ alarms })}
          fault={faults['params.alarms'] ?? null}
          maxLength={2_000}
        />
      )}
      {kindsWithFences.includes(form.event_kind) && (
        <GeofencePicker
          label={say('rules.geofences')}
          hint={say('rules.geofences_hint')}
          value={form.geozone_ids}
          onChange={(geozone_ids) => change({ geozone_ids })}
          fault={faults['geozone_ids'] ?? null}
        />
      )}
      <div className="form-field">
        <span className="field__label">{say('rules.scope')}</span>
        <Segments
          label={say('rules.scope')}
          value={form.isForAll ? 'all' : 'some'}
          options={[
            { id: 'all', label: say('rules.scope_all') },
            { id: 'some', label: say('rules.scope_some') },
          ]}
          onChange={(id) => change({ isForAll: id === 'all' })}
        />
        {faults['scope'] !== undefined && <p className="field__fault">{faults['scope']}</p>}
      </div>
      {!form.isForAll && (
        <>
          <GroupPicker
            label={say('rules.groups')}
            value={form.group_ids}
            onChange={(group_ids) => change({ group_ids })}
          />
          <VehiclePicker
            label={say('rules.vehicles')}
            value={form.vehicle_ids}
            onChange={(vehicle_ids) => change({ vehicle_ids })}
          />
        </>
      )}
      <ScheduleField
        label={say('rules.schedule')}
        value={form.schedule}
        onChange={(schedule) => change({ schedule })}
        fault={faults['schedule'] ?? null}
        timezone={timezone}
      />
      <div className="form-field">
        <span className="field__label">{say('rules.severity')}</span>
        <Segments
          label={say('rules.severity')}
          value={form.severity}
          options={severity.options.map((id) => ({ id, label: say(`severity.${id}`) }))}
          onChange={(chosen) => change({ severity: chosen })}
        />
      </div>
      <TextField
        label={say('rules.cooldown')}
        hint={say('rules.cooldown_hint')}
        numeric
        value={form.cooldown_min}
        onChange={(cooldown_min) => change({ cooldown_min })}
        fault={faults['cooldown_s'] ?? null}
        maxLength={6}
      />
      <div className="form-field" role="group" aria-label={say('rules.channels')}>
        <span className="field__label">{say('rules.channels')}</span>
        <Toggle
          label={say('rules.channel.desktop')}
          on={form.channels.includes('desktop')}
          onChange={(on) => chooseChannel('desktop', on)}
        />
        <Toggle
          label={say('rules.channel.email')}
          on={form.channels.includes('email')}
          onChange={(on) => chooseChannel('email', on)}
        />
        {(isDealer || form.channels.includes('webhook')) && (
          <Toggle
            label={say('rules.channel.webhook')}
            on={form.channels.includes('webhook')}
            onChange={(on) => chooseChannel('webhook', on)}
          />
        )}
      </div>
      {form.channels.includes('email') && (
        <>
          <TextField
            label={say('rules.email_to')}
            hint={say('rules.email_hint')}
            value={form.email_to}
            onChange={(email_to) => change({ email_to })}
            fault={faults['email_to'] ?? null}
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
          label={say('rules.webhook_url')}
          value={form.webhook_url}
          onChange={(webhook_url) => change({ webhook_url })}
          fault={faults['webhook_url'] ?? null}
          disabled={!isDealer}
          maxLength={2_000}
        />
      )}
      {mayHaveVideo(form) && (
        <Toggle
          label={say('rules.video')}
          hint={say('rules.video_hint')}
          on={ordersVideo(form)}
          onChange={(hasVideo) => change({ hasVideo })}
        />
      )}
      {ordersVideo(form) && (
        <div className="form-grid">
          <TextField
            label={say('rules.before')}
            numeric
            value={form.before_s}
            onChange={(before_s) => change({ before_s })}
            fault={faults['video.before_s'] ?? faults['video'] ?? null}
            maxLength={4}
          />
          <TextField
            label={say('rules.after')}
            numeric
            value={form.after_s}
            onChange={(after_s) => change({ after_s })}
            fault={faults['video.after_s'] ?? null}
            maxLength={4}
          />
        </div>
      )}
      <Toggle label={say('rules.enabled')} on={form.enabled} onChange={(enabled) => change({ enabled })} />
    </>
  );
}
