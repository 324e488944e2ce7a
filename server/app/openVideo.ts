import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { createQuotaCheck } from '../http/quotas.ts';
import { createCollection } from '../store/documents/collection.ts';
import type { EventRow } from '../store/telemetry/rows.ts';
import { passingItem } from '../stream/itemMaker.ts';
import { validTrack } from '../telemetry/validTrack.ts';
import { createFilmService } from '../video/film/filmService.ts';
import { createMp4Service } from '../video/media/mp4Service.ts';
import type { IsOwnAddress } from '../video/ownAddress.ts';
import { profileMeasures } from '../video/profileRecord.ts';
import { createJt1078Terminal } from '../video/terminals/jt1078/jt1078Terminal.ts';
import { createVideo, type VideoService } from '../video/videoService.ts';
import type { Intake } from './intake.ts';
import { openMediaDoor } from './mediaDoor.ts';
import type { Depot } from './openDepot.ts';
import type { Stores } from './openStores.ts';
import type { Stream } from './openStream.ts';
import { videoEvents } from './videoEvents.ts';

/**
 * Opens the door by which terminals bring their video, makes tasks and files agree, and begins to fetch what is
 * ordered. Rejects when the port cannot be had.
 *
 * @param parts.undo gets what ends each part as soon as it is there; to be called from the last to the first
 */
export async function openVideo(parts: {
  stores: Stores;
  config: Pick<Config, 'jt1078Port' | 'mediaAddress'>;
  appVersion: string;
  settings: () => SettingsFields;
  depot: Pick<Depot, 'users' | 'vehicles' | 'sight'>;
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
  const { stores, config, intake, clock, log, undo } = parts;
  const { users, vehicles } = parts.depot;
  const { shown, hub, feed } = parts.stream;
  const { documents, telemetry: store } = stores;
  const film = createFilmService();
  const media = createMp4Service();
  undo.push(async () => {
    await Promise.all([film.close(), media.close()]);
  });
  const mediaDoor = await openMediaDoor(config, parts.intakeHost, { clock, log });
  undo.push(() => mediaDoor.listener.close());
  intake.add('jt1078', mediaDoor);
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
    settings: parts.settings,
    clock,
    log,
    film,
    media,
    trackSamples: (vehicleId, from_ms, to_ms) => validTrack(store, vehicleId, from_ms, to_ms),
    isOwnAddress: parts.isOwnAddress,
    jt1078: createJt1078Terminal({
      links: intake.links,
      listener: mediaDoor.listener,
      publicAddress: config.mediaAddress,
      clockOffset_s: (vehicleId) => vehicles.get(vehicleId)?.clock_offset_s ?? 0,
      clock,
      checkRoom: () => video.checkRoom(),
    }),
    sight: parts.depot.sight,
    app_version: parts.appVersion,
    loginOf: (id) => users.get(id)?.login ?? null,
    folder: join(stores.path, 'video'),
    onChange: (rows, changes, news) => {
      feed.publish({ changes }, shown.among({ tasks: rows }));
      const events = videoEvents(news);
      if (events.length > 0) parts.raise(events);
    },
    onProgress: (rows) => hub.publish(rows.map((row) => passingItem('task', shown.task(row)))),
  });
  await video.start();
  undo.push(() => video.close());
  return video;
}
