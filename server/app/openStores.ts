import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import { geofencesDocument } from '../geofences/geofenceRecord.ts';
import { groupsDocument } from '../groups/groups.ts';
import { channelsDocument, noChannels } from '../notifications/channels/channelSettings.ts';
import { newRules, rulesDocument } from '../notifications/ruleRecord.ts';
import { newSettings, settingsDocument } from '../settings/settings.ts';
import { openDataFolder } from '../store/dataFolder.ts';
import { openDocument, type Document } from '../store/documents/Document.ts';
import { createRecoveryLog } from '../store/documents/recoveryLog.ts';
import { openStore } from '../store/openStore.ts';
import { usersDocument } from '../users/userRecord.ts';
import { vehiclesDocument } from '../vehicles/vehicleRecord.ts';
import { profilesDocument, secretsDocument } from '../video/profileRecord.ts';

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Takes the data folder and opens all that lies in it; what was opened is closed again when a later step fails. */
export async function openStores(path: string, clock: Clock, log: Logger) {
  const folder = await openDataFolder(path);
  const undo: (() => Promise<void> | void)[] = [() => folder.close()];
  async function close(): Promise<void> {
    for (const step of undo.splice(0).reverse()) await step();
  }
  try {
    for (const warning of folder.warnings) log.warn(warning);
    const recoveries = await createRecoveryLog(folder.path, { log, clock });
    undo.push(() => recoveries.close());

    const open = async <T extends object>(
      name: string,
      schema: z.ZodType<T>,
      initial: T,
    ): Promise<Document<T>> => {
      const document = await openDocument<T>({
        folder: folder.path,
        name,
        schema,
        version: 1,
        initial,
        recoveries,
        log,
        clock,
      });
      undo.push(() => document.close());
      return document;
    };

    const settings = await open('settings', settingsDocument, newSettings(clock.now()));
    const documents = {
      settings,
      users: await open('users', usersDocument, { items: {} }),
      groups: await open('groups', groupsDocument, { items: {} }),
      vehicles: await open('vehicles', vehiclesDocument, { items: {} }),
      geofences: await open('geofences', geofencesDocument, { items: {} }),
      rules: await open('rules', rulesDocument, newRules(clock.now(), settings.data)),
      profiles: await open('profiles', profilesDocument, { items: {} }),
      channels: await open('channels', channelsDocument, noChannels),
      secrets: await open('secrets', secretsDocument, { secrets: {} }),
    };
    const telemetry = await openStore({
      folder: folder.path,
      clock,
      log,
      onRecovered: ({ setAside: quarantine, at }) => {
        recoveries
          .report({ document: 'telemetry.db', setAside: quarantine, readFrom: 'initial', at })
          .catch((error: unknown) => log.error({ err: error }, 'recovery was not recorded'));
      },
    });
    undo.push(() => telemetry.close());
    return { path: folder.path, documents, telemetry, recoveries, close };
  } catch (error) {
    await close();
    throw error;
  }
}
