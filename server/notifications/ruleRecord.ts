import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { causes } from '../contract/causes.ts';
import { stamps } from '../contract/fields.ts';
import { newRule, rule, type NewRule, type Rule, type VideoWindow } from '../contract/rules.ts';
import type { Measure } from '../http/quotas.ts';
import { kindsBesideTracks } from '../contract/events.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { invalid } from '../http/apiError.ts';
import { holds, type Viewer } from '../http/viewer.ts';
import type { NotificationRow, RuleVersionRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';

/** A rule as the store keeps it. */
export const ruleRecord = z.object({
  ...newRule.shape,
  video: rule.shape.video.default(null),
  rule_id: z.string(),
  /** Why it was switched off by what happened elsewhere; null for one that people switch themselves. */
  disabled_reason: z.string().nullable(),
  disabled_causes: causes,
  /** The user whose rights bound the scope; null for a rule of the depot. */
  owner_id: z.string().nullable(),
  ...stamps,
});
export type RuleRecord = z.infer<typeof ruleRecord>;

const firstRules: readonly Pick<NewRule, 'name' | 'event_kind' | 'severity'>[] = [
  { name: 'SOS', event_kind: 'sos', severity: 'alarm' },
  { name: 'Overspeed', event_kind: 'overspeed', severity: 'warning' },
  { name: 'Geofence entered', event_kind: 'geofence_enter', severity: 'warning' },
  { name: 'Vehicle offline', event_kind: 'offline', severity: 'warning' },
  { name: 'Server trouble', event_kind: 'host_trouble', severity: 'alarm' },
];

/** What a new depot begins with. Only a new one: rules that somebody has deleted do not come back at a restart. */
export function newRules(now_ms: number, settings: VideoSettings): RuleRecord[] {
  return firstRules.map((wanted, at) => ({
    ...newRule.parse({ ...wanted, scope: { all: true } }),
    video: wanted.event_kind === 'sos' ? usualVideo(settings) : null,
    escalation: wanted.severity === 'alarm' ? { depot: true as const } : null,
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

export type VideoSettings = Pick<SettingsFields, 'video_before_s' | 'video_after_s'>;

/** The window around a moment that the settings give. */
function usualVideo({ video_before_s, video_after_s }: VideoSettings): VideoWindow {
  return { before_s: video_before_s, after_s: video_after_s };
}

/** What a new rule orders: as it says; else an alarm of somebody who may order video orders the usual. */
export function videoOfNew(
  { video, severity, event_kind }: NewRule,
  viewer: Viewer,
  settings: VideoSettings,
): VideoWindow | null {
  if (video !== undefined) return video;
  const orders =
    severity === 'alarm' && !kindsBesideTracks.includes(event_kind) && holds(viewer, 'video', 'write');
  return orders ? usualVideo(settings) : null;
}

/** Throws 400 for video that this kind cannot order, and for a viewer who may order none; what was there may stay. */
export function checkVideo(
  { video, event_kind }: Pick<NewRule, 'video' | 'event_kind'>,
  before: Pick<Rule, 'video'> | undefined,
  viewer: Viewer,
): void {
  if (video == null) return;
  if (kindsBesideTracks.includes(event_kind)) {
    throw invalid('video', `is not known to rules of kind ${event_kind}`);
  }
  if (before?.video == null && !holds(viewer, 'video', 'write')) {
    throw invalid('video', 'needs the right video:write', 'denied');
  }
}

/** Rules may name thousands of vehicles, and some fire often. */
const written = new WeakMap<Rule, RuleVersionRow>();

export function versionRow(rule: Rule): RuleVersionRow {
  let row = written.get(rule);
  if (row === undefined) {
    const { rule_id, version } = rule;
    row = { rule_id, version, rule: JSON.stringify(presentRule(rule)) };
    written.set(rule, row);
  }
  return row;
}

/**
 * The rule as it was when it made a notification; what it did not know yet has the value that it has when left out.
 * Null where that is not stored, or in a form that is no longer known.
 */
export async function ruleAsItWas(
  store: Pick<Store, 'ruleVersion'>,
  { rule_id, rule_version }: Pick<NotificationRow, 'rule_id' | 'rule_version'>,
): Promise<Rule | null> {
  const row = await store.ruleVersion({ rule_id, version: rule_version });
  return row === null ? null : readVersion(row.rule);
}

function readVersion(text: string): Rule | null {
  const parsed = ruleRecord.safeParse(JSON.parse(text));
  return parsed.success ? presentRule(parsed.data) : null;
}
