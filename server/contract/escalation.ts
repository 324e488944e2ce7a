import { z } from 'zod';
import { causes } from './causes.ts';
import { stating } from './conditions.ts';
import { id, time } from './fields.ts';

/** How a rule notifies: in the console and on the desktop, by a request to another server, by email. */
export const channel = z.enum(['desktop', 'webhook', 'email']);
export type Channel = z.infer<typeof channel>;

export const webhookUrl = z
  .url({ protocol: /^https?$/, hostname: /./ })
  .max(2_000)
  .nullable()
  .default(null)
  .meta({ description: 'where channel `webhook` posts to; set by dealers' });

export const maxEscalationSteps = 5;

const stepFields = {
  after_min: z.int().min(1).max(1_440).meta({
    description: 'minutes without acknowledgement since the notification was opened',
  }),
  channels: z.array(channel).min(1).max(3),
  on_duty: z.boolean().default(false).meta({
    description: 'those on duty who see the vehicle; while nobody of them is on duty, everybody who sees it',
  }),
  user_ids: z.array(id).max(20).default([]).meta({
    description:
      'of these, those who see the vehicle are notified. A user who is no dealer names only itself',
  }),
  email_to: z
    .array(z.email().max(200))
    .max(10)
    .default([])
    .meta({ description: 'addresses of users, and addresses approved by a dealer' }),
  webhook_url: webhookUrl,
};

/** In JSON Schema: that it notifies by a channel. */
export const notifies = (by: Channel) => ({
  properties: { channels: { contains: { const: by } } },
  required: ['channels'],
});
/** In JSON Schema: that a list has an item. */
export const names = (field: string) => ({ properties: { [field]: { minItems: 1 } }, required: [field] });
const hasUrl = { properties: { webhook_url: { type: 'string' } }, required: ['webhook_url'] };

/** One step, as a rule or the depot names it. */
const namedStep = stating(
  z.strictObject(stepFields).superRefine((step, context) => {
    const { channels, on_duty, user_ids, email_to, webhook_url } = step;
    if (channels.includes('webhook') && webhook_url === null)
      context.addIssue({
        code: 'custom',
        path: ['webhook_url'],
        message: 'is needed for the channel webhook',
        params: { kind: 'missing' },
      });
    const people = on_duty || user_ids.length > 0;
    const reaches =
      channels.includes('webhook') ||
      (channels.includes('email') && (people || email_to.length > 0)) ||
      (channels.includes('desktop') && people);
    if (!reaches)
      context.addIssue({
        ...{ code: 'custom', path: ['user_ids'], message: 'names nobody for these channels' },
        params: { causes: [{ code: 'escalation.nobody', values: {} }] },
      });
  }),
  { if: notifies('webhook'), then: hasUrl },
  {
    anyOf: [
      notifies('webhook'),
      { allOf: [notifies('email'), names('email_to')] },
      {
        allOf: [
          { anyOf: [notifies('email'), notifies('desktop')] },
          {
            anyOf: [{ properties: { on_duty: { const: true } }, required: ['on_duty'] }, names('user_ids')],
          },
        ],
      },
    ],
  },
).meta({ id: 'NewEscalationStep' });
export type EscalationStep = z.infer<typeof namedStep>;

/** What a notification goes through while nobody acknowledges it, in the order of its minutes. */
export const escalationSteps = z
  .array(namedStep)
  .min(1)
  .max(maxEscalationSteps)
  .superRefine((steps, context) => {
    for (const [at, { after_min }] of steps.entries()) {
      const before = steps[at - 1];
      if (before !== undefined && after_min <= before.after_min)
        context.addIssue({
          code: 'custom',
          path: [at, 'after_min'],
          message: 'is not later than the step before',
          params: { causes: [{ code: 'escalation.step_order', values: {} }] },
        });
    }
  });

const ofDepot = z.strictObject({ depot: z.literal(true) });

/** Of a rule: its own steps, those of the depot as they are when it fires, or null for none. */
export const newEscalation = z.union([ofDepot, z.strictObject({ steps: escalationSteps })]);

const shownStep = z.object(stepFields).meta({ id: 'EscalationStep' });

/** The same as it is read: without what the reader may not know. */
export const ownEscalation = z.object({ steps: z.array(shownStep) });
export const escalation = z.union([ofDepot, ownEscalation]);
export type Escalation = z.infer<typeof escalation>;

/** A user by name; null where the reader may not know it, or the user has none. */
const person = z.object({ user_id: id, name: z.string().nullable() });

const stepNumber = z.int().min(1).max(maxEscalationSteps);

/** What comes next for an open notification, and what came last. */
export const notificationEscalation = z
  .object({
    steps: z.int().meta({ description: 'how many it has' }),
    step: stepNumber.nullable().meta({ description: 'the last that was carried out; null: none yet' }),
    escalated_at: time.nullable().meta({ description: 'when that was' }),
    to_me: z.boolean().meta({ description: 'whether that one notifies the caller in the console' }),
    next_at: time
      .nullable()
      .meta({ description: 'when the next step is due; null: while it is snoozed, and after the last step' }),
    next: z
      .object({
        step: stepNumber,
        channels: z.array(channel),
        on_duty: z.boolean(),
        people: z.array(person),
        addresses: z.int().meta({ description: 'email addresses that it names beside people' }),
      })
      .nullable()
      .meta({ description: 'null: none comes any more' }),
  })
  .meta({ id: 'NotificationEscalation' });
export type NotificationEscalation = z.infer<typeof notificationEscalation>;

/** What escalation has done with a notification. */
export const escalationHistory = z
  .object({
    steps: z.int(),
    refused: z
      .string()
      .nullable()
      .meta({ description: 'why it does not escalate although its rule says so; null: it does' }),
    refused_causes: causes,
    done: z.array(
      z.object({
        step: stepNumber,
        at: time,
        missed: z
          .array(stepNumber)
          .meta({ description: 'steps that were due while the server did not run, in whose place it came' }),
        nobody_on_duty: z.boolean(),
        everybody: z.boolean().meta({ description: 'the consoles of all who see the vehicle' }),
        console: z.array(person).meta({ description: 'users notified in the console' }),
        email: z.array(person).meta({ description: 'users notified by email' }),
        no_address: z
          .array(person)
          .meta({ description: 'users to be notified by email who have no address' }),
        no_access: z.array(person).meta({ description: 'users it names who do not see the vehicle' }),
        not_mailed: z
          .int()
          .meta({ description: 'users left out because one step sends so many emails at most' }),
      }),
    ),
  })
  .meta({ id: 'EscalationHistory' });
export type EscalationHistory = z.infer<typeof escalationHistory>;
