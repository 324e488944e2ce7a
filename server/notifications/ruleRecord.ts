import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { stamps } from '../contract/fields.ts';
import { newRule, rule, type NewRule, type Rule } from '../contract/rules.ts';
import type { Measure } from '../http/quotas.ts';
import { usualVideo, type VideoSettings } from './ruleVideo.ts';

/** A rule as the store keeps it. */
export const ruleRecord = z.object({
  ...newRule.shape,
  video: rule.shape.video.default(null),
  rule_id: z.string(),
  /** Why it was switched off by what happened elsewhere; null for one that people switch themselves. */
  disabled_reason: z.string().nullable(),
  /** The user whose rights bound the scope; null for a rule of the depot. */
  owner_id: z.string().nullable(),
  ...stamps,
});
export type RuleRecord = z.infer<typeof ruleRecord>;

const firstRules: readonly Pick<NewRule, 'name' | 'event_kind' | 'severity'>[] = [
  { name: 'SOS', event_kind: 'sos', severity: 'alarm' },
  { name: 'Overspeed', event_kind: 'overspeed', severity: 'warning' },
  { name: 'Geofence entered', event_kind: 'geofence_enter', severity: 'warning' },
];

/** What a new depot begins with. Only a new one: rules that somebody has deleted do not come back at a restart. */
export function newRules(now_ms: number, settings: VideoSettings): RuleRecord[] {
  return firstRules.map((wanted, at) => ({
    ...newRule.parse({ ...wanted, scope: { all: true } }),
    video: wanted.severity === 'alarm' ? usualVideo(settings) : null,
    rule_id: randomUUID(),
    disabled_reason: null,
    owner_id: null,
    version: 1,
    // They keep their order.
    created_at: new Date(now_ms + at).toISOString(),
    updated_at: new Date(now_ms + at).toISOString(),
  }));
}

export function presentRule(record: RuleRecord): Rule {
  return record;
}

const ownerOf = ({ owner_id }: RuleRecord) => owner_id;

/** How many vehicles, groups and geofences it names. */
export function namesOf({ scope, geozone_ids }: Pick<RuleRecord, 'scope' | 'geozone_ids'>): number {
  const ofScope = 'all' in scope ? 0 : scope.vehicle_ids.length + scope.group_ids.length;
  return ofScope + geozone_ids.length;
}

export const ruleMeasures: readonly Measure<RuleRecord>[] = [
  { quota: 'rules', of: () => 1 },
  { quota: 'rules_of_user', of: () => 1, ownerOf },
  { quota: 'rule_names', of: namesOf },
  { quota: 'rule_names_of_user', of: namesOf, ownerOf },
];
