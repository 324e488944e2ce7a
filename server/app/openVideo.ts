import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { createQuotaCheck } from '../http/quotas.ts';
import { createCollection } from '../store/documents/collection.ts';
import type { EventRow } from '../store/telemetry/rows.ts';
import { passingItem } from '../stream/streamItems.ts';
import { validTrack } from '../telemetry/validTrack.ts';
import { createRenderService } from '../video/simulation/renderService.ts';
import { createMp4Service } from '../video/media/mp4Service.ts';
import type { IsOwnAddress } from '../video/ownAddress.ts';
import { profileMeasures } from '../video/profileRecord.ts';
import { createJt1078Terminal } from '../video/terminals/jt1078/jt1078Terminal.ts';
import { createVideo, type VideoService } from '../video/videoService.ts';
import type { Intake } from './intake.ts';
import { openMediaListener } from './openMediaListener.ts';
import type { Repositories } from './openRepositories.ts';
import type { Stores } from './openStores.ts';
import type { Stream } from './openStream.ts';
import { videoEvents } from './videoEvents.ts';

/**
 * Opens the door by which terminals bring their video, makes tasks and files agree, and begins to fetch what is
 * ordered. Rejects when the port cannot be had.
 *
 * @param parts.undo gets what ends each part as soon as it is there; to be called from the last to the first
 */
export async function openVideo(deps: {
  stores: Stores;
  config: Pick<Config, 'jt1078Port' | 'mediaAddress'>;
  appVersion: string;
  settings: () => SettingsFields;
  depot: Pick<Repositories, 'users' | 'vehicles' | 'sight'>;
  stream: Stream;
  intake: Pick<Intake, 'add' | 'links'>;
  /** Where the door is to listen. */
  intakeHost: string;
  isOwnAddress: IsOwnAddress;
  /** Tells the rules of tasks that have come to their end. */
  raise: (events: EventRow[]) => void;
  clock: Clock;
  log: Logger;
  undo: (() => Promise<void> | void)[];
}): Promise<VideoService> {
  const { stores, config, intake, clock, log, undo } = deps;
  const { users, vehicles } = deps.depot;
  const { shown, hub, feed } = deps.stream;
  const { documents, telemetry: store } = stores;
  const clip = createRenderService();
  const media = createMp4Service();
  undo.push(async () => {
    await Promise.all([clip.close(), media.close()]);
  });
  const mediaListener = await openMediaListener(config, deps.intakeHost, { clock, log });
  undo.push(() => mediaListener.listener.close());
  intake.add('jt1078', mediaListener);
  const video = createVideo({
    store,
    profiles: createCollection(
      documents.profiles,
      (it) => it.profile_id,
      clock,
      (error) =>
        log.error({ err: error }, 'a change of a video profile was not followed by all that depends on it'),
      createQuotaCheck(profileMeasures),
    ),
    secrets: documents.secrets,
    vehicles,
    settings: deps.settings,
    clock,
    log,
    clip,
    media,
    trackSamples: (vehicleId, from_ms, to_ms) => validTrack(store, vehicleId, from_ms, to_ms),
    isOwnAddress: deps.isOwnAddress,
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
    folder: join(stores.path, 'video'),
    onChange: (rows, changes, news) => {
      feed.publish({ changes }, shown.among({ tasks: rows }));
      const events = videoEvents(news);
      if (events.length > 0) deps.raise(events);
    },
    onProgress: (rows) => hub.publish(rows.map((row) => passingItem('task', shown.task(row)))),
  });
  await video.start();
  undo.push(() => video.close());
  return video;
}
