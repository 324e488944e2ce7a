import type { EscalationStep } from '../contract/escalation.ts';
import { ruleRoutes, type Rule } from '../contract/rules.ts';
import type { Api } from '../http/api.ts';
import { invalid } from '../http/apiError.ts';
import { paginate } from '../http/pagination.ts';
import { isDealer, type Viewer } from '../http/viewer.ts';
import type { UserRecord } from '../users/userRecord.ts';
import type { CountTest, TestedPlaces, TestRule } from './channels/testRule.ts';
import { ownSteps } from './ruleEscalation.ts';
import { namesOf, presentRule, type RuleRecord } from './ruleRecord.ts';
import type { Rules } from './rules.ts';

export interface RuleRouteDeps {
  rules: Rules;
  testRule: TestRule;
  countTest: CountTest;
  /** Of the escalation of the depot. */
  depotSteps: () => readonly EscalationStep[] | null;
  userOf: (userId: string) => Pick<UserRecord, 'user_id' | 'email'> | undefined;
}

/** Of vehicles, groups and geofences, 0.8 MB of them; one rule may name 21,000. */
const namesOfPage = 20_000;

export function addRuleRoutes(api: Api, deps: RuleRouteDeps): void {
  const { rules, testRule, countTest, userOf } = deps;
  const present = (rule: RuleRecord, viewer: Viewer) => rules.shownTo(viewer, presentRule(rule));

  api.handle(ruleRoutes.list, ({ query, viewer }) => {
    const { items, next_cursor } = paginate(
      rules.visible(viewer),
      (rule) => [rule.name, rule.rule_id],
      query,
      {
        max: namesOfPage,
        of: namesOf,
      },
    );
    return { items: items.map((it) => present(it, viewer)), next_cursor };
  });

  api.handle(ruleRoutes.create, async ({ body, viewer, response }) => {
    const rule = await rules.add(body, viewer);
    response.set('Location', `/api/v1/notifications/rules/${rule.rule_id}`);
    return present(rule, viewer);
  });

  api.handle(ruleRoutes.get, ({ params, viewer }) => present(rules.find(params.rule_id, viewer), viewer));

  api.handle(ruleRoutes.patch, async ({ params, body, viewer, ifMatch }) =>
    present(await rules.patch(params.rule_id, body, viewer, ifMatch), viewer),
  );

  api.handle(ruleRoutes.remove, ({ params, viewer, ifMatch }) =>
    rules.remove(params.rule_id, viewer, ifMatch),
  );

  /** @throws ApiError 400 for a step that its escalation does not have */
  function placesOf(rule: Rule, number: number | undefined, viewer: Viewer): TestedPlaces {
    const { escalation } = rule;
    if (number === undefined) return { ...rule, escalation: null };
    const isOfDepot = escalation !== null && 'depot' in escalation;
    const steps = isOfDepot ? (deps.depotSteps() ?? []) : ownSteps(escalation);
    const step = steps[number - 1];
    if (step === undefined) throw invalid('step', 'is no step of its escalation');
    const people = step.user_ids
      .filter((id) => isDealer(viewer) || id === viewer.user.user_id)
      .flatMap((id) => userOf(id)?.email ?? []);
    // Where the depot sends to, its dealers alone know.
    const { webhook_url, email_to } =
      isOfDepot && !isDealer(viewer) ? { webhook_url: null, email_to: [] } : step;
    const addresses = new Map([...email_to, ...people].map((it) => [it.toLowerCase(), it]));
    return {
      ...{ channels: step.channels, webhook_url, email_to: [...addresses.values()] },
      escalation: { step: number, steps: steps.length, missed: [] },
    };
  }

  api.handle(ruleRoutes.test, async ({ params, query, viewer, log }) => {
    const rule = rules.findOwn(params.rule_id, viewer);
    const places = placesOf(rule, query.step, viewer);
    countTest(viewer.user.user_id);
    const results = await testRule(rule, places);
    const { user_id, login } = viewer.user;
    log.info(
      {
        user_id,
        login,
        rule_id: rule.rule_id,
        rule: rule.name,
        step: query.step,
        recipients: results.flatMap(({ channel, target, ok }) =>
          target === null ? [] : [{ channel, target, ok }],
        ),
      },
      'a user tested a rule',
    );
    return { results };
  });
}
