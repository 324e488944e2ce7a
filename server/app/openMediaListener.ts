import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { noCounts } from '../telemetry/intakeCounter.ts';
import { listenMedia, type MediaListener } from '../video/terminals/jt1078/mediaListener.ts';
import type { ListenerInfo } from './intake.ts';

/** Where terminals bring the video that they were asked for. A delivery counts as a message. */
export interface MediaListenerHandle extends ListenerInfo {
  listener: MediaListener;
}

/** Rejects when the port cannot be had. */
export async function openMediaListener(
  { jt1078Port }: Pick<Config, 'jt1078Port'>,
  host: string,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<MediaListenerHandle> {
  const counts = noCounts();
  const onDelivery = () => {
    counts.messages += 1;
    counts.last_message_ms = clock.now();
  };
  const listener = await listenMedia(jt1078Port, host, { clock, log, onDelivery });
  return { protocol: 'JT/T 1078 video', transports: ['tcp'], listener, counts, watch: null };
}
