import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { PlacesWithin } from '../places/boundedPlaces.ts';
import { passingItem } from '../stream/streamItems.ts';
import { validTrack } from '../telemetry/track.ts';
import { wordingOf } from '../users/userRecord.ts';
import { createRenderService } from '../video/simulation/renderService.ts';
import { createMp4Service } from '../video/media/mp4Service.ts';
import type { IsOwnAddress } from '../video/ownAddress.ts';
import { createJt1078Terminal } from '../video/terminals/jt1078/jt1078Terminal.ts';
import { createVideo, type VideoDeps, type VideoService } from '../video/videoService.ts';
import type { Intake, ListenerInfo } from './intake.ts';
import type { Repositories } from './openRepositories.ts';
import type { Stores } from './openStores.ts';
import type { Stream } from './openStream.ts';
import { createWrongPorts } from '../telemetry/intake/wrongPort.ts';
import { noCounts } from '../telemetry/intakeCounter.ts';
import { listenMedia, type MediaListener } from '../video/terminals/jt1078/mediaListener.ts';

/**
 * Opens the listener to which terminals send video. Rejects when the port cannot be had. The service fetches nothing
 * before it is started.
 *
 * @param deps.undo gets the close function of each part as soon as it exists; to be called from last to first
 */
export async function openVideo(deps: {
  stores: Stores;
  config: Pick<Config, 'jt1078Port' | 'mediaAddress'>;
  appVersion: string;
  settings: () => SettingsFields;
  depot: Pick<Repositories, 'users' | 'vehicles' | 'sight'>;
  stream: Stream;
  intake: Pick<Intake, 'add' | 'links' | 'portOf'>;
  /** Where the listener should bind. */
  intakeHost: string;
  isOwnAddress: IsOwnAddress;
  placesWithin: PlacesWithin;
  commitWithEvents: VideoDeps['commitWithEvents'];
  onChange: VideoDeps['onChange'];
  /** Whether something needs the clip of a task. */
  isNeeded: NonNullable<VideoDeps['isNeeded']>;
  clock: Clock;
  log: Logger;
  undo: (() => Promise<void> | void)[];
}): Promise<VideoService> {
  const { stores, config, intake, clock, log, undo } = deps;
  const { users, vehicles } = deps.depot;
  const { shown, hub } = deps.stream;
  const { collections, documents, telemetry: store } = stores;
  const clip = createRenderService();
  const media = createMp4Service();
  undo.push(async () => {
    await Promise.all([clip.close(), media.close()]);
  });
  const mediaListener = await openMediaListener(config, deps.intakeHost, {
    portOf: intake.portOf,
    clock,
    log,
  });
  undo.push(() => mediaListener.listener.close());
  intake.add('jt1078', mediaListener);
  const video = createVideo({
    store,
    acts: collections.acts,
    profiles: collections.profiles,
    secrets: documents.secrets,
    vehicles,
    settings: deps.settings,
    clock,
    log,
    clip,
    media,
    trackSamples: (vehicleId, from_ms, to_ms) => validTrack(store, vehicleId, from_ms, to_ms),
    isOwnAddress: deps.isOwnAddress,
    placesWithin: deps.placesWithin,
    jt1078: createJt1078Terminal({
      links: intake.links,
      listener: mediaListener.listener,
      publicAddress: config.mediaAddress,
      clockOffsetS: (vehicleId) => vehicles.get(vehicleId)?.clock_offset_s ?? 0,
      clock,
      checkQuota: () => video.checkQuota(),
    }),
    sight: deps.depot.sight,
    app_version: deps.appVersion,
    loginOf: (id) => users.get(id)?.login ?? null,
    wordingOf: (id) => wordingOf(users.get(id)),
    folder: join(stores.path, 'video'),
    isNeeded: deps.isNeeded,
    onChange: (rows, written) => deps.onChange(rows, written),
    commitWithEvents: deps.commitWithEvents,
    onProgress: (rows) => hub.publish(rows.map((row) => passingItem('task', shown.task(row)))),
  });
  return video;
}

/** Where terminals bring the video that they were asked for. A delivery counts as a message. */
interface MediaListenerHandle extends ListenerInfo {
  listener: MediaListener;
}

/** Rejects when the port cannot be had. */
async function openMediaListener(
  { jt1078Port }: Pick<Config, 'jt1078Port'>,
  host: string,
  { portOf, clock, log }: { portOf: Intake['portOf']; clock: Clock; log: Logger },
): Promise<MediaListenerHandle> {
  const counts = noCounts();
  const onDelivery = () => {
    counts.messages += 1;
    counts.last_message_ms = clock.now();
  };
  const wrongPorts = createWrongPorts('jt1078', { clock, portOf });
  const listener = await listenMedia(jt1078Port, host, { clock, log, onDelivery, wrongPorts });
  return { protocol: 'JT/T 1078 video', transports: ['tcp'], listener, counts, watch: null, wrongPorts };
}
