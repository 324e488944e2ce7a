import { ruleRoutes } from '../contract/rules.ts';
import type { Api } from '../http/api.ts';
import { pageOf } from '../http/pageOf.ts';
import { presentRule } from './ruleRecord.ts';
import type { Rules } from './rules.ts';

export function addRuleRoutes(api: Api, rules: Rules): void {
  api.handle(ruleRoutes.list, ({ query, viewer }) => {
    const { items, next_cursor } = pageOf(rules.visible(viewer), (rule) => [rule.name, rule.rule_id], query);
    return { items: items.map(presentRule), next_cursor };
  });

  api.handle(ruleRoutes.create, async ({ body, viewer, response }) => {
    const rule = await rules.add(body, viewer);
    response.set('Location', `/api/v1/notifications/rules/${rule.rule_id}`);
    return presentRule(rule);
  });

  api.handle(ruleRoutes.get, ({ params, viewer }) => presentRule(rules.find(params.rule_id, viewer)));

  api.handle(ruleRoutes.patch, async ({ params, body, viewer, ifMatch }) =>
    presentRule(await rules.patch(params.rule_id, body, viewer, ifMatch)),
  );

  api.handle(ruleRoutes.remove, ({ params, viewer, ifMatch }) =>
    rules.remove(params.rule_id, viewer, ifMatch),
  );
}
