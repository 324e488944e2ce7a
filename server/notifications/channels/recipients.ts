import { causeOf } from '../../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { stamps } from '../../contract/fields.ts';
import {
  maxNamedRules,
  maxRecipients,
  recipientKind,
  type NewRecipient,
  type Recipient,
  type RecipientSuggestions,
} from '../../contract/recipients.ts';
import type { Rule } from '../../contract/rules.ts';
import { ApiError, invalid, notFound } from '../../http/apiError.ts';
import type { Collection, Stamped } from '../../store/entity.ts';
import type { UserRecord } from '../../users/userRecord.ts';
import { keyOf, namedTargets, type NamedTarget, type Naming, type Target } from '../ruleChannels.ts';

/** A recipient as the store keeps it. */
export const recipientRecord = z.object({
  recipient_id: z.string(),
  kind: recipientKind,
  address: z.string(),
  state: z.enum(['approved', 'to_review']),
  origin: z.enum(['added', 'rule', 'upgrade']),
  approved_by: z.string().nullable(),
  approved_at: z.string().nullable(),
  ...stamps,
});
export type RecipientRecord = z.infer<typeof recipientRecord>;

const recordKey = ({ kind, address }: Pick<RecipientRecord, 'kind' | 'address'>) => `${kind} ${address}`;

function domainKey({ channel, target }: Target): string | null {
  return channel === 'email'
    ? `mail_domain ${target.slice(target.lastIndexOf('@') + 1).toLowerCase()}`
    : null;
}

export interface RecipientDeps {
  collection: Collection<RecipientRecord>;
  /** The same list until something changes. */
  users: () => readonly Pick<UserRecord, 'email' | 'blocked'>[];
  clock: { now(): number };
}

type Approval = Pick<RecipientRecord, 'state' | 'origin' | 'approved_by' | 'approved_at'>;

/**
 * Where mail and webhooks of rules may go. The address of a user of the depot needs no approval, since dealers alone
 * set it; it counts no more once the user is blocked or deleted.
 */
export type Recipients = ReturnType<typeof createRecipients>;

export function createRecipients({ collection, users, clock }: RecipientDeps) {
  const all = () => collection.all();
  const index = remembered(all, (list) => new Map(list.map((it) => [recordKey(it), it])));
  const ownAddresses = remembered(
    users,
    (list) =>
      new Set(list.flatMap(({ email, blocked }) => (email === null || blocked ? [] : [email.toLowerCase()]))),
  );

  /** The record of the place itself first, else that of its mail domain. */
  function recordsFor(target: Target): RecipientRecord[] {
    return [keyOf(target), domainKey(target)].flatMap((key) =>
      key === null ? [] : (index().get(key) ?? []),
    );
  }

  const isListed = (target: Target) => recordsFor(target).some((it) => it.state === 'approved');
  const isUsers = ({ channel, target }: Target) =>
    channel === 'email' && ownAddresses().has(target.toLowerCase());
  const mayReceive = (target: Target) => isUsers(target) || recordsFor(target).length > 0;

  function stamp(userId: string) {
    return {
      state: 'approved' as const,
      approved_by: userId,
      approved_at: new Date(clock.now()).toISOString(),
    };
  }

  function get(recipientId: string): RecipientRecord {
    const record = collection.get(recipientId);
    if (record === undefined) throw notFound('recipient');
    return record;
  }

  /** Stages approvals, in the place of what is to review; answers the last one. */
  function enter(
    wanted: readonly Pick<RecipientRecord, 'kind' | 'address'>[],
    approval: Approval,
  ): RecipientRecord | undefined {
    const places = new Map(all().map((it) => [recordKey(it), it]));
    const added: Omit<RecipientRecord, keyof Stamped>[] = [];
    const entered: string[] = [];
    for (const [key, { kind, address }] of new Map(wanted.map((it) => [recordKey(it), it]))) {
      const recipient_id = places.get(key)?.recipient_id ?? randomUUID();
      entered.push(recipient_id);
      if (places.has(key)) collection.staged.change(recipient_id, (old) => ({ ...old, ...approval }));
      else added.push({ recipient_id, kind, address, ...approval });
    }
    collection.staged.add(added);
    return collection.get(entered.at(-1) ?? '');
  }

  return {
    all,
    /** Throws 404. */
    find: get,
    /** Whether anybody may name it in a rule. */
    isApproved: (target: Target): boolean => isUsers(target) || isListed(target),
    /** Whether something may be sent to it: the same, and what older rules name until a dealer has reviewed it. */
    mayReceive,
    /** Of what a rule names, what nothing is sent to, as it stands there. */
    unapprovedOf: (rule: Naming): string[] =>
      namedTargets(rule).flatMap((it) => (mayReceive(it) ? [] : [it.target])),

    /** What a dealer's rule names, within the act of the rule. Throws 400 for the first one when there are too many. */
    approve(targets: readonly NamedTarget[], userId: string): void {
      const wanted = new Map(
        targets.filter((it) => !isListed(it)).map((it) => [keyOf(it), { ...placeOf(it), path: it.path }]),
      );
      const added = [...wanted].filter(([key]) => !index().has(key));
      const [first] = added;
      if (first !== undefined && all().length + added.length > maxRecipients)
        throw invalid(first[1].path, tooMany);
      enter([...wanted.values()], { ...stamp(userId), origin: 'rule' });
    },

    /** Throws 409 for one that is approved, 400 when there are too many. */
    add(wanted: NewRecipient, userId: string): Promise<RecipientRecord> {
      const place =
        wanted.kind === 'mail_domain'
          ? wanted
          : placeOf({ channel: wanted.kind === 'email' ? 'email' : 'webhook', target: wanted.address });
      return collection.act(() => {
        const known = index().get(recordKey(place));
        if (known?.state === 'approved' && known.origin === 'added')
          throw new ApiError('already_exists', causeOf('recipient.approved', { address: place.address }));
        if (known === undefined && all().length >= maxRecipients) throw invalid('address', tooMany);
        const entered = enter([place], { ...stamp(userId), origin: 'added' });
        if (entered === undefined) throw new Error('the recipient was not added');
        return entered;
      });
    },

    /** Throws 404. */
    async keep(recipientId: string, userId: string): Promise<RecipientRecord> {
      const kept = await collection.change(recipientId, (old) =>
        old.state === 'to_review' ? { ...old, ...stamp(userId) } : old,
      );
      if (kept === undefined) throw notFound('recipient');
      return kept;
    },

    /** Throws 404. */
    async remove(recipientId: string): Promise<RecipientRecord> {
      const removed = await collection.remove(recipientId);
      if (removed === undefined) throw notFound('recipient');
      return removed;
    },

    suggestionsFor(email: string | null): Omit<RecipientSuggestions, 'alarm_escalation'> {
      const added = all().filter((it) => it.state === 'approved' && it.origin === 'added');
      const of = (kind: RecipientRecord['kind']) =>
        added.filter((it) => it.kind === kind).map((it) => it.address);
      return {
        email: [...new Set([...(email === null ? [] : [email]), ...of('email')])],
        mail_domains: of('mail_domain'),
      };
    },
  };
}

type NamingRule = Pick<Rule, 'rule_id' | 'name'> & Naming;

/** How recipients are shown with the rules that name them, each rule read once. */
export function presenterOf(rules: readonly NamingRule[]): (record: RecipientRecord) => Recipient {
  const naming = new Map<string, NamingRule[]>();
  for (const rule of rules) {
    const keys = namedTargets(rule).flatMap((it) => [keyOf(it), domainKey(it)]);
    for (const key of new Set(keys)) {
      if (key === null) continue;
      const list = naming.get(key) ?? [];
      list.push(rule);
      naming.set(key, list);
    }
  }
  return ({ version: _, created_at: __, updated_at: ___, ...record }) => {
    const using = naming.get(recordKey(record)) ?? [];
    return {
      ...record,
      rules: using.slice(0, maxNamedRules).map(({ rule_id, name }) => ({ rule_id, name })),
      rule_count: using.length,
    };
  };
}

const tooMany = `would be one more than the ${maxRecipients} approved recipients that a depot may have`;

function placeOf(target: Target): Pick<RecipientRecord, 'kind' | 'address'> {
  const [kind, address = ''] = keyOf(target).split(' ');
  return { kind: kind === 'email' ? 'email' : 'webhook_host', address };
}

/** Rebuilt when the list has changed. */
function remembered<L extends object, R>(list: () => L, make: (list: L) => R): () => R {
  let from: L | null = null;
  let made: R;
  return () => {
    const now = list();
    if (now !== from) {
      made = make(now);
      from = now;
    }
    return made;
  };
}
