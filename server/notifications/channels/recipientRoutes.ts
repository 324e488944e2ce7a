import { recipientRoutes } from '../../contract/recipients.ts';
import type { Api } from '../../http/api.ts';
import { invalid } from '../../http/apiError.ts';
import { portOf, urlError } from '../../http/outgoingCall.ts';
import { paginate } from '../../http/pagination.ts';
import { isDealer, type Viewer } from '../../http/viewer.ts';
import { checkApproved, checkWebhook, keyOf, placesOfSteps, type IsOwnAddress } from '../ruleChannels.ts';
import { checkPeople, stepsWithoutPlaces } from '../ruleEscalation.ts';
import type { Rules } from '../rules.ts';
import { presenterOf, type Recipients } from './recipients.ts';
import { notificationRoutes, type ChannelSettings } from '../../contract/notifications.ts';
import type { ChannelStore } from './channelSettings.ts';

export interface RecipientRouteDeps {
  recipients: Recipients;
  rules: Pick<Rules, 'all'>;
  isOwnAddress: IsOwnAddress;
  channels: Pick<ChannelStore, 'present'>;
}

export function addRecipientRoutes(
  api: Api,
  { recipients, rules, isOwnAddress, channels }: RecipientRouteDeps,
): void {
  api.handle(recipientRoutes.list, ({ query }) => {
    const { items, next_cursor } = paginate(
      recipients.all(),
      (it) => [`${it.state === 'to_review' ? 0 : 1} ${it.address}`, it.recipient_id],
      query,
    );
    return { items: items.map(presenterOf(rules.all())), next_cursor };
  });

  api.handle(recipientRoutes.add, async ({ body, viewer, response, log }) => {
    if (body.kind === 'webhook_host') {
      const url = new URL(body.address);
      if (isOwnAddress(url.hostname, portOf(url)))
        throw invalid('address', 'is an address of this host itself', 'own_address');
      const fault = urlError(body.address, url);
      if (fault !== null) throw invalid('address', fault);
    }
    const record = await recipients.add(body, viewer.user.user_id);
    log.info(
      { user: viewer.user.login, kind: record.kind, address: record.address },
      'recipient was approved',
    );
    response.set('Location', `/api/v1/notifications/recipients/${record.recipient_id}`);
    return presenterOf(rules.all())(record);
  });

  api.handle(recipientRoutes.suggestions, ({ viewer }) => {
    const { alarm_escalation: set } = channels.present();
    const shown = set === null || isDealer(viewer) ? set : { steps: stepsWithoutPlaces(set.steps) };
    return { ...recipients.suggestionsFor(viewer.user.email), alarm_escalation: shown };
  });

  api.handle(recipientRoutes.get, ({ params }) =>
    presenterOf(rules.all())(recipients.find(params.recipient_id)),
  );

  api.handle(recipientRoutes.keep, async ({ params, viewer, log }) => {
    const record = await recipients.keep(params.recipient_id, viewer.user.user_id);
    log.info(
      { user: viewer.user.login, kind: record.kind, address: record.address },
      'recipient was approved',
    );
    return presenterOf(rules.all())(record);
  });

  api.handle(recipientRoutes.remove, async ({ params, viewer, log }) => {
    const record = await recipients.remove(params.recipient_id);
    const presented = presenterOf(rules.all())(record);
    log.info(
      { user: viewer.user.login, kind: record.kind, address: record.address, rules: presented.rule_count },
      'recipient was removed',
    );
    return presented;
  });
}

export function addChannelRoutes(
  api: Api,
  channels: ChannelStore,
  deps: Pick<RecipientRouteDeps, 'recipients' | 'isOwnAddress'> & { isUser: (userId: string) => boolean },
): void {
  /** Throws 400 for whom and what the escalation of the depot may not name; what it named before may stay. */
  function checkEscalation(wanted: ChannelSettings['alarm_escalation'], viewer: Viewer): void {
    if (wanted === null) return;
    const before = channels.present().alarm_escalation;
    checkPeople(wanted, before, viewer, deps.isUser, 'alarm_escalation');
    const kept = new Set(placesOfSteps(before?.steps ?? []).map(keyOf));
    const added = placesOfSteps(wanted.steps, 'alarm_escalation.steps').filter((it) => !kept.has(keyOf(it)));
    for (const { channel, target, path } of added)
      if (channel === 'webhook') checkWebhook(target, path, deps.isOwnAddress);
    checkApproved(added, (it) => deps.recipients.isApproved(it));
  }

  api.handle(notificationRoutes.channels, () => channels.present());
  api.handle(notificationRoutes.patchChannels, ({ body, viewer }) => {
    checkEscalation(body.alarm_escalation ?? null, viewer);
    return channels.patch(body);
  });
}
