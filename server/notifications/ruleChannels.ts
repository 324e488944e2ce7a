import type { NewRule, Rule } from '../contract/rules.ts';
import { ApiError, invalid } from '../http/apiError.ts';
import { portOf, urlError } from '../http/outgoingCall.ts';
import { isDealer, type Viewer } from '../http/viewer.ts';
import type { DeliveryRow } from '../store/telemetry/rows.ts';

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

/** All that a rule names, whether its channels are on or not. */
export function namedTargets({
  webhook_url,
  email_to,
}: Pick<Rule, 'webhook_url' | 'email_to'>): NamedTarget[] {
  return [
    ...email_to.map((target, at): NamedTarget => ({ channel: 'email', target, path: `email_to.${at}` })),
    ...(webhook_url === null
      ? []
      : [{ channel: 'webhook' as const, target: webhook_url, path: 'webhook_url' }]),
  ];
}

/** Addresses of mail are one in whatever letters; of a webhook its scheme, host and port count. */
export function keyOf({ channel, target }: Target): string {
  return channel === 'email' ? `email ${target.toLowerCase()}` : `webhook_host ${new URL(target).origin}`;
}

/** What a rule names that it did not name before. */
export function newlyNamed(
  rule: Pick<Rule, 'webhook_url' | 'email_to'>,
  before: Pick<Rule, 'webhook_url' | 'email_to'> | undefined,
): NamedTarget[] {
  const retained = new Set(before === undefined ? [] : namedTargets(before).map(keyOf));
  return namedTargets(rule).filter((it) => !retained.has(keyOf(it)));
}

/**
 * Throws 400 for a channel that does not know where to, and for an address that the viewer may not give. Only dealers
 * have the host call addresses of its network; whose rule has one already may keep it, or take it away. Mail of users
 * goes to approved addresses alone.
 */
export function checkChannels(
  input: Pick<NewRule, 'channels' | 'webhook_url' | 'email_to'>,
  before: Pick<Rule, 'webhook_url' | 'email_to'> | undefined,
  viewer: Viewer,
  isOwnAddress: IsOwnAddress,
  isApproved: (target: Target) => boolean,
): void {
  const { channels, webhook_url, email_to } = input;
  if (webhook_url !== null && webhook_url !== before?.webhook_url) {
    if (!isDealer(viewer)) throw invalid('webhook_url', 'is for dealers to set');
    const url = new URL(webhook_url);
    if (isOwnAddress(url.hostname, portOf(url))) {
      throw invalid('webhook_url', 'is an address of this host itself');
    }
    const fault = urlError(webhook_url, url);
    if (fault !== null) throw invalid('webhook_url', fault);
  }
  if (channels.includes('webhook') && webhook_url === null) {
    throw invalid('webhook_url', 'is needed for the channel webhook');
  }
  if (channels.includes('email') && email_to.length === 0) {
    throw invalid('email_to', 'is needed for the channel email');
  }
  if (isDealer(viewer)) return;
  const faults = newlyNamed(input, before)
    .filter((it) => !isApproved(it))
    .map(({ path, target }) => ({ path, message: `${target} is not approved: a dealer has to approve it` }));
  if (faults.length > 0)
    throw new ApiError('validation_failed', faults.map((it) => it.message).join('; '), { faults });
}
