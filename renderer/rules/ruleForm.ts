import { kindsBesideTracks, kindsOfHost, type EventKind } from '../../server/contract/events.ts';
import type { Channel } from '../../server/contract/escalation.ts';
import {
  kindsWithGeofences,
  type NewRule,
  paramsOfKind,
  type Rule,
  type RuleParams,
} from '../../server/contract/rules.ts';
import type { Schedule } from '../../server/contract/schedule.ts';
import {
  escalationFormOf,
  stepsOf,
  wordsOf,
  type EscalationChoice,
  type EscalationForm,
} from './escalationForm.ts';
import { mayWrite } from '../navigation/navigation.ts';
import type { User } from '../../server/contract/users.ts';
import { keptFromForm, shownInForm } from '../format/units.ts';

/** A parameter that is a number, with the unit that it is typed in. */
export const NUMBER_PARAMS = ['limit_kmh', 'tolerance_kmh', 'min_duration_s', 'dwell_s', 'silent_s'] as const;
export type NumberParam = (typeof NUMBER_PARAMS)[number];

/** What is typed of a rule; numbers as they stand in their fields. */
export interface RuleForm extends EscalationForm {
  name: string;
  event_kind: EventKind;
  isForAll: boolean;
  vehicle_ids: readonly string[];
  group_ids: readonly string[];
  geozone_ids: readonly string[];
  /** Speeds in the unit of the user and, what is a time, in the unit that `secondsOf` names. */
  params: Readonly<Partial<Record<NumberParam, string>>>;
  alarms: string;
  schedule: Schedule | null;
  severity: Rule['severity'];
  quiet: boolean;
  sound: Rule['sound'];
  channels: readonly Channel[];
  webhook_url: string;
  email_to: string;
  /** Null: nobody has said, and an alarm orders video. */
  hasVideo: boolean | null;
  before_s: string;
  after_s: string;
  cooldown_min: string;
  opens_incident: boolean;
  enabled: boolean;
}

/** Long times are typed in minutes, short ones in seconds. */
const MINUTE_PARAMS: readonly NumberParam[] = ['dwell_s', 'silent_s'];

export function isInMinutes(param: NumberParam, kind: EventKind): boolean {
  return MINUTE_PARAMS.includes(param) || (param === 'min_duration_s' && kind !== 'overspeed');
}

const rounded = (value: number): string => String(Math.round(value * 1_000) / 1_000);

/** @param usual the seconds of the settings, and whether this user may order video */
export function formOf(
  rule: Rule | null,
  usual: { before_s: number; after_s: number; mayOrder: boolean },
): RuleForm {
  const kind = rule?.event_kind ?? 'overspeed';
  const scope = rule?.scope ?? { all: true as const };
  const params: Partial<Record<NumberParam, string>> = {};
  for (const param of NUMBER_PARAMS) {
    const value = rule?.params[param];
    if (value !== undefined)
      params[param] = isInMinutes(param, kind)
        ? rounded(value / 60)
        : shownInForm(param, Number(rounded(value)));
  }
  return {
    name: rule?.name ?? '',
    event_kind: kind,
    isForAll: 'all' in scope,
    vehicle_ids: 'all' in scope ? [] : scope.vehicle_ids,
    group_ids: 'all' in scope ? [] : scope.group_ids,
    geozone_ids: rule?.geozone_ids ?? [],
    params,
    alarms: rule?.params.alarms?.join(', ') ?? '',
    schedule: rule?.schedule ?? null,
    severity: rule?.severity ?? 'warning',
    quiet: rule?.quiet ?? false,
    sound: rule?.sound ?? 'default',
    channels: rule?.channels ?? ['desktop'],
    webhook_url: rule?.webhook_url ?? '',
    email_to: rule?.email_to.join(', ') ?? '',
    hasVideo: rule === null && usual.mayOrder ? null : rule?.video != null,
    before_s: rounded(rule?.video?.before_s ?? usual.before_s),
    after_s: rounded(rule?.video?.after_s ?? usual.after_s),
    ...(rule === null ? { escalation: null, steps: [] } : escalationFormOf(rule.escalation)),
    cooldown_min: rounded((rule?.cooldown_s ?? 300) / 60),
    opens_incident: rule?.opens_incident ?? false,
    enabled: rule?.enabled ?? true,
  };
}

export const mayHaveVideo = ({ event_kind }: Pick<RuleForm, 'event_kind'>): boolean =>
  !kindsBesideTracks.includes(event_kind);

/** Whether the rule orders video: as somebody said, else as an alarm does (and as the server would have it). */
export const ordersVideo = (form: Pick<RuleForm, 'event_kind' | 'hasVideo' | 'severity'>): boolean =>
  mayHaveVideo(form) && (form.hasVideo ?? form.severity === 'alarm');

/** What escalates: as somebody said, else an alarm as the depot has it. */
export const escalationChoice = ({
  escalation,
  severity,
}: Pick<RuleForm, 'escalation' | 'severity'>): EscalationChoice =>
  escalation ?? (severity === 'alarm' ? 'depot' : 'none');

function escalationOf(form: RuleForm, number: (path: string, text: string) => number): Rule['escalation'] {
  switch (escalationChoice(form)) {
    case 'none':
      return null;
    case 'depot':
      return { depot: true };
    case 'own':
      return { steps: stepsOf(form.steps, number, 'escalation.steps') };
  }
}

/** The rule that the form describes, or the fields that are no numbers. */
export function ruleOf(form: RuleForm): { rule: NewRule } | { faults: readonly string[] } {
  const faults: string[] = [];
  const number = (path: string, text: string): number => {
    const value = Number(text.trim().replace(',', '.'));
    if (text.trim() === '' || !Number.isFinite(value)) faults.push(path);
    return value;
  };
  const known = paramsOfKind[form.event_kind];
  const params: RuleParams = {};
  for (const param of NUMBER_PARAMS) {
    const text = form.params[param] ?? '';
    if (!known.includes(param) || text.trim() === '') continue;
    const value = number(`params.${param}`, text);
    params[param] = isInMinutes(param, form.event_kind) ? value * 60 : keptFromForm(param, value);
  }
  const alarms = wordsOf(form.alarms);
  if (known.includes('alarms') && alarms.length > 0) params.alarms = alarms;
  const rule: NewRule = {
    name: form.name.trim(),
    event_kind: form.event_kind,
    scope:
      form.isForAll || kindsOfHost.includes(form.event_kind)
        ? { all: true }
        : { vehicle_ids: [...form.vehicle_ids], group_ids: [...form.group_ids] },
    geozone_ids: kindsWithGeofences.includes(form.event_kind) ? [...form.geozone_ids] : [],
    params,
    schedule: form.schedule,
    severity: form.severity,
    quiet: form.quiet,
    sound: form.sound,
    channels: [...form.channels],
    webhook_url: form.webhook_url.trim() === '' ? null : form.webhook_url.trim(),
    email_to: wordsOf(form.email_to),
    video: ordersVideo(form)
      ? { before_s: number('video.before_s', form.before_s), after_s: number('video.after_s', form.after_s) }
      : null,
    escalation: escalationOf(form, number),
    cooldown_s: number('cooldown_s', form.cooldown_min) * 60,
    opens_incident: form.opens_incident,
    enabled: form.enabled,
  };
  return faults.length > 0 ? { faults } : { rule };
}

/** Whether saving would change the rule. */
export function isChanged(next: NewRule, rule: Rule): boolean {
  return (Object.keys(next) as (keyof NewRule)[]).some(
    (key) => JSON.stringify(sorted(next[key])) !== JSON.stringify(sorted(rule[key])),
  );
}

/** With the keys of objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

type Operator = Pick<User, 'role' | 'rights' | 'user_id'>;

/** Dealers change every rule, users their own. */
export function mayChangeRule(user: Operator, rule: Pick<Rule, 'owner_id'>): boolean {
  return user.role === 'dealer' || (mayWrite(user, 'notifications') && rule.owner_id === user.user_id);
}
