import type { EscalationStep } from '../contract/escalation.ts';
import type { NewRule, Rule } from '../contract/rules.ts';
import { ApiError, invalid } from '../http/apiError.ts';
import { portOf, urlError } from '../http/outgoingCall.ts';
import { isDealer, type Viewer } from '../http/viewer.ts';
import type { DeliveryRow } from '../store/telemetry/rows.ts';
import { ownSteps } from './ruleEscalation.ts';

/** Whether a host name or address, with a port, leads to this host itself; names it does not resolve. */
export type IsOwnAddress = (host: string, port: number) => boolean;

export type Target = Pick<DeliveryRow, 'channel' | 'target'>;

/** Where a rule's notifications go beyond the console, each place once. */
export function targetsOf({
  channels,
  webhook_url,
  email_to,
}: Pick<Rule, 'channels' | 'webhook_url' | 'email_to'>): Target[] {
  return [...new Set(channels)].flatMap((channel): Target[] => {
    switch (channel) {
      case 'desktop':
        return [];
      case 'webhook':
        return webhook_url === null ? [] : [{ channel, target: webhook_url }];
      case 'email':
        return [...new Set(email_to)].map((target) => ({ channel, target }));
    }
  });
}

/** A place that a rule names, and its field in the rule. */
export interface NamedTarget extends Target {
  path: string;
}

/** What a rule says of where it sends to. */
export type Naming = Pick<Rule, 'webhook_url' | 'email_to' | 'escalation'>;
type Places = Pick<Naming, 'webhook_url' | 'email_to'>;

/** All that a rule names, in itself and in its escalation, whether its channels are on or not. */
export function namedTargets({ escalation, ...own }: Naming): NamedTarget[] {
  return [...placesOf(own, ''), ...placesOfSteps(ownSteps(escalation))];
}

/** All that the steps of an escalation name. */
export const placesOfSteps = (steps: readonly EscalationStep[], path = 'escalation.steps'): NamedTarget[] =>
  steps.flatMap((step, at) => placesOf(step, `${path}.${at}.`));

function placesOf({ webhook_url, email_to }: Places, path: string): NamedTarget[] {
  return [
    ...email_to.map((target, at): NamedTarget => ({
      channel: 'email',
      target,
      path: `${path}email_to.${at}`,
    })),
    ...(webhook_url === null
      ? []
      : [{ channel: 'webhook' as const, target: webhook_url, path: `${path}webhook_url` }]),
  ];
}

/** Addresses of mail are one in whatever letters; of a webhook its scheme, host and port count. */
export function keyOf({ channel, target }: Target): string {
  return channel === 'email' ? `email ${target.toLowerCase()}` : `webhook_host ${new URL(target).origin}`;
}

/** What a rule names that it did not name before. */
export function newlyNamed(rule: Naming, before: Naming | undefined): NamedTarget[] {
  const retained = new Set(before === undefined ? [] : namedTargets(before).map(keyOf));
  return namedTargets(rule).filter((it) => !retained.has(keyOf(it)));
}

/** Throws 400 for an address that no webhook may call. */
export function checkWebhook(address: string, path: string, isOwnAddress: IsOwnAddress): void {
  const url = new URL(address);
  if (isOwnAddress(url.hostname, portOf(url)))
    throw invalid(path, 'is an address of this host itself', 'own_address');
  const fault = urlError(address, url);
  if (fault !== null) throw invalid(path, fault);
}

/**
 * Throws 400 for a channel that does not know where to, and for an address that the viewer may not give. Only dealers
 * have the host call addresses of its network; whose rule has one already may keep it, or take it away. Mail of users
 * goes to approved addresses alone.
 */
export function checkChannels(
  input: Pick<NewRule, 'channels' | keyof Naming>,
  before: Naming | undefined,
  viewer: Viewer,
  isOwnAddress: IsOwnAddress,
  isApproved: (target: Target) => boolean,
): void {
  const { channels, webhook_url, email_to } = input;
  const kept = new Set(
    (before === undefined ? [] : namedTargets(before)).flatMap((it) =>
      it.channel === 'webhook' ? it.target : [],
    ),
  );
  for (const { channel, target, path } of namedTargets(input)) {
    if (channel !== 'webhook' || kept.has(target)) continue;
    if (!isDealer(viewer)) throw invalid(path, 'is for dealers to set', 'denied');
    checkWebhook(target, path, isOwnAddress);
  }
  if (channels.includes('webhook') && webhook_url === null) {
    throw invalid('webhook_url', 'is needed for the channel webhook', 'missing');
  }
  if (channels.includes('email') && email_to.length === 0) {
    throw invalid('email_to', 'is needed for the channel email', 'missing');
  }
  if (isDealer(viewer)) return;
  checkApproved(newlyNamed(input, before), isApproved);
}

/** Throws 400 for places that no dealer has approved. */
export function checkApproved(places: readonly NamedTarget[], isApproved: (target: Target) => boolean): void {
  const faults = places
    .filter((it) => !isApproved(it))
    .map(({ path, target }) => ({
      path,
      message: `${target} is not approved: a dealer has to approve it`,
      kind: 'not_approved' as const,
    }));
  if (faults.length > 0)
    throw new ApiError('validation_failed', faults.map((it) => it.message).join('; '), { faults });
}
