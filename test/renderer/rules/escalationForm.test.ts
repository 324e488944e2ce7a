import { expect, it } from 'vitest';
import { escalationSteps, type Escalation } from '../../../server/contract/escalation.ts';
import {
  escalationFormOf,
  mayHaveMore,
  nextStep,
  stepFormsOf,
  stepsOf,
} from '../../../renderer/rules/escalationForm.ts';

const own = {
  steps: [
    {
      after_min: 5,
      channels: ['desktop' as const, 'email' as const],
      on_duty: true,
      user_ids: ['00000000-0000-4000-8000-000000000001'],
      email_to: ['boss@port.example', 'night@port.example'],
      webhook_url: null,
    },
    {
      after_min: 15,
      channels: ['webhook' as const],
      on_duty: false,
      user_ids: [],
      email_to: [],
      webhook_url: 'https://pager.example/hook',
    },
  ],
};
const number = (_: string, text: string) => Number(text);

it('the form of an escalation gives back the escalation that it shows', () => {
  expect(stepsOf(stepFormsOf(own), number, 'escalation.steps')).toEqual(own.steps);
  const forms: [Escalation | null, string][] = [
    [null, 'none'],
    [{ depot: true }, 'depot'],
    [own, 'own'],
  ];
  for (const [escalation, choice] of forms) expect(escalationFormOf(escalation).escalation).toBe(choice);
});

it('the form of an escalation offers a step later than the last one, up to five, that the contract takes', () => {
  let steps = [nextStep([])];
  while (mayHaveMore(steps)) steps = [...steps, { ...nextStep(steps), on_duty: true }];
  const read = stepsOf(steps, number, 'escalation.steps');
  expect(read.map((it) => it.after_min)).toEqual([5, 10, 15, 20, 25]);
  expect(escalationSteps.safeParse(read).success).toBe(true);
});

it('the form of an escalation names the field that is no number, and sends nothing for a channel that is off', () => {
  const wrong: string[] = [];
  const [step] = stepFormsOf(own);
  const note = (path: string, text: string) => {
    if (!Number.isFinite(Number(text))) wrong.push(path);
    return Number(text);
  };
  const [read] =
    step === undefined ? [] : stepsOf([{ ...step, after_min: 'x', channels: ['desktop'] }], note, 'p');
  expect(wrong).toEqual(['p.0.after_min']);
  expect(read?.email_to).toEqual([]);
});

it('the contract says which step is too early, and which names nobody', () => {
  const [first, second] = own.steps;
  const faults = escalationSteps
    .safeParse([first, { ...second, after_min: 5, channels: ['desktop'] }])
    .error?.issues.map((it) => it.path.join('.'));
  expect(faults).toEqual(['1.user_ids', '1.after_min']);
});
