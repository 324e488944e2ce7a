import { useState } from 'react';
import { useStore } from 'zustand';
import type { NotificationWhy } from '../../server/contract/notifications.ts';
import type { Rule, RuleParams } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { formatSchedule } from '../ui/scheduleLabels.ts';
import { Moment } from '../ui/Moment.tsx';
import { formatSpeed } from '../format/numbers.ts';
import { inUnit } from '../format/units.ts';
import { formatDuration } from '../format/span.ts';
import { stepWords } from './escalationLabels.ts';
import type { TextKey, Translate } from '../i18n/text.ts';

/** The rule as it was then, and what has become of it since. */
export function WhyRule({ why, ruleNow }: { why: NotificationWhy; ruleNow: Rule | null }) {
  const app = useAppContext();
  const t = useT();
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  const [whole, setWhole] = useState(false);
  const { rule, rule_now, notification } = why;
  const users = useStore(app.userNames, (state) => state.byId);
  const names = {
    t,
    geofence: (id: string) => geofences.get(id)?.name ?? null,
    user: (id: string) => users.get(id) ?? null,
  };
  const changes = rule === null || ruleNow === null ? [] : ruleChanges(rule, ruleNow, names);
  return (
    <section className="why__section">
      <div className="why__head">
        <h3>{t('why.rule', { name: rule?.name ?? notification.rule_name })}</h3>
        {rule !== null && (
          <Button size="small" kind="quiet" onPress={() => setWhole(!whole)}>
            {whole ? t('why.rule_fewer') : t('why.rule_all')}
          </Button>
        )}
      </div>
      {rule_now === 'same' && <p className="quiet">{t('why.rule_same')}</p>}
      {rule_now === 'deleted' && <p>{t('why.rule_deleted')}</p>}
      {rule_now === 'changed' && (
        <>
          <p>
            {t('why.rule_changed')}
            {ruleNow !== null && (
              <>
                {' '}
                <Moment at={ruleNow.updated_at} />
              </>
            )}
          </p>
          {changes.length > 0 && (
            <table className="why__table">
              <thead>
                <tr>
                  <th scope="col">{t('why.field')}</th>
                  <th scope="col">{t('why.then')}</th>
                  <th scope="col">{t('why.now')}</th>
                </tr>
              </thead>
              <tbody>
                {changes.map((change) => (
                  <tr key={change.id}>
                    <th scope="row" className="quiet">
                      {change.label}
                    </th>
                    <td>{change.then}</td>
                    <td>{change.now}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
      {rule !== null && whole && (
        <dl className="why__facts">
          {ruleLines(rule, names).map((line) => (
            <div key={line.id} className="why__fact">
              <dt className="quiet">{line.label}</dt>
              <dd>{line.value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** One thing that a rule says: "Limit", "60 km/h". */
interface RuleLine {
  id: string;
  label: string;
  value: string;
}

interface RuleChange extends Omit<RuleLine, 'value'> {
  then: string;
  now: string;
}

interface RuleNames {
  t: Translate;
  /** What a geofence is called; null for one that is gone or not to be seen. */
  geofence: (id: string) => string | null;
  /** What a user is called; null for one that is gone or not to be known. */
  user: (id: string) => string | null;
}

const PARAM_LABELS: Record<keyof RuleParams, TextKey> = {
  limit_kmh: 'why.rule.limit',
  tolerance_kmh: 'why.rule.tolerance',
  min_duration_s: 'why.rule.min_duration',
  dwell_s: 'why.rule.dwell',
  silent_s: 'why.rule.silent',
  alarms: 'why.rule.alarms',
};

/** A rule’s parameters and recipients, line by line; what is unset is left out. */
export function ruleLines(rule: Rule, names: RuleNames): RuleLine[] {
  return everyLine(rule, names).flatMap(({ value, ...line }) => (value === null ? [] : [{ ...line, value }]));
}

/** What somebody has changed since, field by field. */
export function ruleChanges(then: Rule, now: Rule, names: RuleNames): RuleChange[] {
  const none = names.t('why.rule.none');
  const later = new Map(everyLine(now, names).map((line) => [line.id, line.value]));
  return everyLine(then, names).flatMap(({ id, label, value }) => {
    const changed = later.get(id) ?? null;
    return changed === value ? [] : [{ id, label, then: value ?? none, now: changed ?? none }];
  });
}

type Line = Omit<RuleLine, 'value'> & { value: string | null };

function everyLine(rule: Rule, { t, geofence, user }: RuleNames): Line[] {
  const { params, scope, video, escalation } = rule;
  const list = (items: readonly string[]) => (items.length === 0 ? null : items.join(', '));
  const line = (id: string, label: TextKey, value: string | null): Line => ({ id, label: t(label), value });
  return [
    line('name', 'why.rule.name', rule.name),
    line(
      'escalation',
      'escalation.title',
      escalation === null
        ? null
        : 'depot' in escalation
          ? t('escalation.choice.depot')
          : escalation.steps.map((it) => stepWords(it, it.user_ids.map(user), t)).join('; '),
    ),
    line('event_kind', 'why.rule.kind', t(`alarm.${rule.event_kind}`)),
    line('severity', 'why.rule.severity', t(`severity.${rule.severity}`)),
    line('quiet', 'why.rule.quiet', rule.quiet ? t('why.rule.on') : null),
    line('sound', 'why.rule.sound', rule.sound === 'default' ? null : t(`sound.${rule.sound}`)),
    ...(Object.keys(PARAM_LABELS) as (keyof RuleParams)[]).map((key) =>
      line(key, PARAM_LABELS[key], formatParam(key, params)),
    ),
    line(
      'geozone_ids',
      'why.rule.geofences',
      list(rule.geozone_ids.map((it) => geofence(it) ?? t('place.unknown_geofence'))),
    ),
    line(
      'scope',
      'why.rule.scope',
      'all' in scope
        ? t('why.rule.scope_all')
        : list([
            ...(scope.vehicle_ids.length === 0
              ? []
              : [t('why.rule.scope_vehicles', { count: scope.vehicle_ids.length })]),
            ...(scope.group_ids.length === 0
              ? []
              : [t('why.rule.scope_groups', { count: scope.group_ids.length })]),
          ]),
    ),
    line(
      'schedule',
      'why.rule.schedule',
      rule.schedule && `${formatSchedule(rule.schedule)} (${rule.schedule.timezone})`,
    ),
    line('cooldown_s', 'why.rule.cooldown', formatDuration(rule.cooldown_s * 1_000)),
    line('opens_incident', 'why.rule.incident', rule.opens_incident ? t('why.rule.incident_opens') : null),
    line('channels', 'why.rule.channels', list(rule.channels.map((it) => t(`why.channel.${it}`)))),
    line('webhook_url', 'why.rule.webhook', rule.webhook_url),
    line('email_to', 'why.rule.email', list(rule.email_to)),
    line(
      'video',
      'why.rule.video',
      video === null ? null : t('why.rule.video_around', { before: video.before_s, after: video.after_s }),
    ),
    line('enabled', 'why.rule.enabled', rule.enabled ? null : t('why.rule.off')),
  ];
}

function formatParam(key: keyof RuleParams, params: RuleParams): string | null {
  switch (key) {
    case 'alarms':
      return params.alarms?.map((it) => it.replaceAll('_', ' ')).join(', ') ?? null;
    case 'limit_kmh':
    case 'tolerance_kmh': {
      const value = params[key];
      if (value === undefined) return null;
      return formatSpeed(value, Number.isInteger(inUnit('speed', value)) ? 0 : 1);
    }
    case 'min_duration_s':
    case 'dwell_s':
    case 'silent_s': {
      const value = params[key];
      return value === undefined ? null : formatDuration(value * 1_000);
    }
  }
}
