import {
  channel,
  maxEscalationSteps,
  type Channel,
  type Escalation,
  type EscalationStep,
} from '../../server/contract/escalation.ts';

/** A step as it is typed. */
export interface StepForm {
  after_min: string;
  channels: readonly Channel[];
  on_duty: boolean;
  user_ids: readonly string[];
  email_to: string;
  webhook_url: string;
}

export type EscalationChoice = 'none' | 'depot' | 'own';

/** What is typed of an escalation. */
export interface EscalationForm {
  /** Null: nobody has said, and an alarm has that of the depot. */
  escalation: EscalationChoice | null;
  steps: readonly StepForm[];
}

const firstMin = 5;

/** The step after these: later than the last by as much as that one was later than the one before it. */
export function nextStep(steps: readonly StepForm[]): StepForm {
  const minutes = steps.map((it) => Number(it.after_min)).filter((it) => Number.isFinite(it));
  const last = minutes.at(-1) ?? 0;
  const gap = Math.max(1, last - (minutes.at(-2) ?? 0));
  return {
    after_min: String(last === 0 ? firstMin : last + gap),
    channels: ['desktop', 'email'],
    on_duty: steps.length === 0,
    user_ids: [],
    email_to: '',
    webhook_url: '',
  };
}

export const mayHaveMore = (steps: readonly StepForm[]): boolean => steps.length < maxEscalationSteps;

export function stepFormsOf(escalation: Escalation | null): StepForm[] {
  if (escalation === null || 'depot' in escalation) return [];
  return escalation.steps.map(({ after_min, email_to, webhook_url, ...step }) => ({
    ...step,
    after_min: String(after_min),
    email_to: email_to.join(', '),
    webhook_url: webhook_url ?? '',
  }));
}

export function escalationFormOf(escalation: Escalation | null): EscalationForm {
  const steps = stepFormsOf(escalation);
  return { escalation: escalation === null ? 'none' : 'depot' in escalation ? 'depot' : 'own', steps };
}

/** @param number reads what is typed in a field, and notes when it is no number */
export function stepsOf(
  forms: readonly StepForm[],
  number: (path: string, text: string) => number,
  path: string,
): EscalationStep[] {
  return forms.map(({ after_min, channels, on_duty, user_ids, email_to, webhook_url }, at) => ({
    after_min: number(`${path}.${at}.after_min`, after_min),
    channels: channel.options.filter((it) => channels.includes(it)),
    on_duty,
    user_ids: [...user_ids],
    // What is typed for a channel that is off is not sent along.
    email_to: channels.includes('email') ? wordsOf(email_to) : [],
    webhook_url: channels.includes('webhook') && webhook_url.trim() !== '' ? webhook_url.trim() : null,
  }));
}

/** Words that stand between commas, spaces or lines. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '');
}
