import { z } from 'zod';
import { ownEscalation } from './escalation.ts';
import { id, listQuery, page, time } from './fields.ts';
import { route } from './route.ts';

const tag = 'Notifications';

export const recipientKind = z.enum(['email', 'mail_domain', 'webhook_host']);
export type RecipientKind = z.infer<typeof recipientKind>;

/** How many recipients a depot may have approved. */
export const maxRecipients = 2_000;
/** Rules that are named of one recipient. */
export const maxNamedRules = 20;

const usingRule = z.object({ rule_id: id, name: z.string() });

export const recipient = z
  .object({
    recipient_id: id,
    kind: recipientKind,
    address: z.string().meta({
      description:
        'an email address, an email domain without its subdomains, or scheme, host and port of webhooks',
    }),
    state: z.enum(['approved', 'to_review']).meta({
      description:
        '`to_review`: named by a rule from before recipients were approved; it still receives, but users may not add it to other rules',
    }),
    origin: z.enum(['added', 'rule', 'upgrade']).meta({
      description:
        '`added`: by a dealer to this list; `rule`: by a dealer in a rule; `upgrade`: by an older rule',
    }),
    approved_by: id.nullable(),
    approved_at: time.nullable(),
    rules: z.array(usingRule).max(maxNamedRules),
    rule_count: z
      .int()
      .meta({ description: `the rules that name it, of which \`rules\` holds ${maxNamedRules}` }),
  })
  .meta({ id: 'Recipient' });
export type Recipient = z.infer<typeof recipient>;

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/,
    'is not a mail domain',
  );

export const newRecipient = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('email'), address: z.email().max(200) }),
    z.strictObject({ kind: z.literal('mail_domain'), address: domain }),
    z.strictObject({
      kind: z.literal('webhook_host'),
      address: z.url({ protocol: /^https?$/, hostname: /./ }).max(2_000),
    }),
  ])
  .meta({ id: 'NewRecipient' });
export type NewRecipient = z.infer<typeof newRecipient>;

export const recipientSuggestions = z
  .object({
    email: z.array(z.string()),
    mail_domains: z.array(z.string()),
    alarm_escalation: ownEscalation.nullable().meta({
      description: 'what the escalation of the depot does; whom it names, for dealers; null: there is none',
    }),
  })
  .meta({ id: 'RecipientSuggestions' });
export type RecipientSuggestions = z.infer<typeof recipientSuggestions>;

const params = z.object({ recipient_id: id });
const path = '/api/v1/notifications/recipients';

export const recipientRoutes = {
  list: route({
    id: 'listRecipients',
    tag,
    method: 'GET',
    path,
    summary: 'List approved recipients of email and webhooks, those to review first',
    access: 'dealer',
    query: z.strictObject(listQuery),
    reply: page(recipient),
  }),
  add: route({
    id: 'addRecipient',
    tag,
    method: 'POST',
    path,
    summary: `Approve an email address, an email domain or a webhook host; ${maxRecipients} at most`,
    access: 'dealer',
    body: newRecipient,
    reply: recipient,
    status: 201,
    errors: ['already_exists'],
  }),
  suggestions: route({
    id: 'suggestRecipients',
    tag,
    method: 'GET',
    path: `${path}/suggestions`,
    summary: "The caller's own address, and what dealers have added to the approved recipients",
    access: { right: 'notifications', level: 'write' },
    reply: recipientSuggestions,
  }),
  get: route({
    id: 'getRecipient',
    tag,
    method: 'GET',
    path: `${path}/{recipient_id}`,
    summary: 'One recipient',
    access: 'dealer',
    params,
    reply: recipient,
    errors: ['not_found'],
  }),
  keep: route({
    id: 'keepRecipient',
    tag,
    method: 'PATCH',
    path: `${path}/{recipient_id}`,
    summary: 'Approve a recipient that needs review',
    access: 'dealer',
    params,
    body: z.strictObject({ state: z.literal('approved') }),
    reply: recipient,
    errors: ['not_found'],
  }),
  remove: route({
    id: 'removeRecipient',
    tag,
    method: 'DELETE',
    path: `${path}/{recipient_id}`,
    summary:
      'Revoke an approval: rules keep the recipient, but nothing more is sent to it; returns the previous record with these rules',
    access: 'dealer',
    params,
    reply: recipient,
    errors: ['not_found'],
  }),
};
