import type { Escalation, EscalationStep } from '../contract/escalation.ts';
import type { Rule } from '../contract/rules.ts';
import { invalid } from '../http/apiError.ts';
import { isDealer, type Viewer } from '../http/viewer.ts';

/** The steps that an escalation names itself; those of the depot are none of them. */
export const ownSteps = (escalation: Escalation | null): readonly EscalationStep[] =>
  escalation === null || 'depot' in escalation ? [] : escalation.steps;

/**
 * Throws 400 for users that are not there; a user who is no dealer knows of no other. What was named before may stay.
 *
 * @param path where the escalation stands in what was sent
 */
export function checkPeople(
  escalation: Escalation | null,
  before: Escalation | null,
  viewer: Viewer,
  isUser: (id: string) => boolean,
  path = 'escalation',
): void {
  const kept = new Set(ownSteps(before).flatMap((it) => it.user_ids));
  const isNamed = (id: string) =>
    kept.has(id) || ((isDealer(viewer) || id === viewer.user.user_id) && isUser(id));
  for (const [step, { user_ids }] of ownSteps(escalation).entries()) {
    const at = user_ids.findIndex((id) => !isNamed(id));
    if (at >= 0) throw invalid(`${path}.steps.${step}.user_ids.${at}`, 'is not a user', 'unknown');
  }
}

/** The same without whom and where it sends to. */
export const stepsWithoutPlaces = (steps: readonly EscalationStep[]): EscalationStep[] =>
  steps.map((it) => ({ ...it, user_ids: [], email_to: [], webhook_url: null }));

/** A rule without whom and where it sends to. */
export function withoutPlaces(rule: Rule): Rule {
  const { escalation } = rule;
  return {
    ...rule,
    webhook_url: null,
    email_to: [],
    escalation:
      escalation === null || 'depot' in escalation
        ? escalation
        : { steps: stepsWithoutPlaces(escalation.steps) },
  };
}
