import type { NewRule, Rule } from '../contract/rules.ts';
import { invalid } from '../http/apiError.ts';
import { urlFault } from '../http/outgoingCall.ts';
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

/** The port of a URL of HTTP or HTTPS, the usual one where it names none. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/**
 * Throws 400 for a channel that does not know where to, and for an address that the viewer may not give. Only dealers
 * have the host call addresses of its network; whose rule has one already may keep it, or take it away.
 */
export function checkChannels(
  wanted: Pick<NewRule, 'channels' | 'webhook_url' | 'email_to'>,
  before: Pick<Rule, 'webhook_url'> | undefined,
  viewer: Viewer,
  isOwnAddress: IsOwnAddress,
): void {
  const { channels, webhook_url, email_to } = wanted;
  if (webhook_url !== null && webhook_url !== before?.webhook_url) {
    if (!isDealer(viewer)) throw invalid('webhook_url', 'is for dealers to set');
    const url = new URL(webhook_url);
    if (isOwnAddress(url.hostname, portOf(url))) {
      throw invalid('webhook_url', 'is an address of this host itself');
    }
    const fault = urlFault(webhook_url, url);
    if (fault !== null) throw invalid('webhook_url', fault);
  }
  if (channels.includes('webhook') && webhook_url === null) {
    throw invalid('webhook_url', 'is needed for the channel webhook');
  }
  if (channels.includes('email') && email_to.length === 0) {
    throw invalid('email_to', 'is needed for the channel email');
  }
}
