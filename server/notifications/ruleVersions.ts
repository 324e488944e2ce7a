import type { Rule } from '../contract/rules.ts';
import type { NotificationRow, RuleVersionRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import { presentRule, ruleRecord } from './ruleRecord.ts';

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
