import { ruleRoutes } from '../contract/rules.ts';
import type { Api } from '../http/api.ts';
import { pageOf } from '../http/pageOf.ts';
import type { Viewer } from '../http/viewer.ts';
import type { TestRule } from './channels/testRule.ts';
import { presentRule, type RuleRecord } from './ruleRecord.ts';
import type { Rules } from './rules.ts';

export interface RuleRouteParts {
  rules: Rules;
  testRule: TestRule;
}

export function addRuleRoutes(api: Api, { rules, testRule }: RuleRouteParts): void {
  const shown = (rule: RuleRecord, viewer: Viewer) => rules.shownTo(viewer, presentRule(rule));

  api.handle(ruleRoutes.list, ({ query, viewer }) => {
    const { items, next_cursor } = pageOf(rules.visible(viewer), (rule) => [rule.name, rule.rule_id], query);
    return { items: items.map((it) => shown(it, viewer)), next_cursor };
  });

  api.handle(ruleRoutes.create, async ({ body, viewer, response }) => {
    const rule = await rules.add(body, viewer);
    response.set('Location', `/api/v1/notifications/rules/${rule.rule_id}`);
    return presentRule(rule);
  });

  api.handle(ruleRoutes.get, ({ params, viewer }) => shown(rules.find(params.rule_id, viewer), viewer));

  api.handle(ruleRoutes.patch, async ({ params, body, viewer, ifMatch }) =>
    presentRule(await rules.patch(params.rule_id, body, viewer, ifMatch)),
  );

  api.handle(ruleRoutes.remove, ({ params, viewer, ifMatch }) =>
    rules.remove(params.rule_id, viewer, ifMatch),
  );

  api.handle(ruleRoutes.test, async ({ params, viewer }) => ({
    results: await testRule(rules.findOwn(params.rule_id, viewer)),
  }));
}
