import { notificationRoutes } from '../../contract/notifications.ts';
import type { Api } from '../../http/api.ts';
import type { ChannelStore } from './channelSettings.ts';

export function addChannelRoutes(api: Api, channels: ChannelStore): void {
  api.handle(notificationRoutes.channels, () => channels.present());
  api.handle(notificationRoutes.patchChannels, ({ body }) => channels.patch(body));
}
