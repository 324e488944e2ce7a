import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import { deriveKey, loadSecretKey } from '../auth/tokens.ts';
import { channelsDocument, channelsInLog, noChannels } from '../notifications/channels/channelSettings.ts';
import { newSettings, settingsDocument } from '../settings/settings.ts';
import { finishAdoption } from '../store/adoption.ts';
import { openDataFolder } from '../store/dataFolder.ts';
import { createDepotCopy } from '../store/depotCopy.ts';
import { openDocument, type Document } from '../store/documents/Document.ts';
import { createRecoveryLog } from '../store/documents/recoveryLog.ts';
import { openLoggedDocument } from '../store/loggedDocument.ts';
import { openStore, type StoreOptions } from '../store/openStore.ts';
import { secretsDocument } from '../video/profileRecord.ts';
import { readDepotCopy, readDocuments } from './adoptDocuments.ts';
import { openCollections } from './openCollections.ts';

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Takes the data folder and opens all that lies in it; what was opened is closed again when a later step fails. */
export async function openStores(
  path: string,
  clock: Clock,
  log: Logger,
  writes: Pick<StoreOptions, 'onWrite' | 'writeFault'> = {},
) {
  const folder = await openDataFolder(path);
  const undo: (() => Promise<void> | void)[] = [() => folder.close()];
  async function close(): Promise<void> {
    for (const step of undo.splice(0).reverse()) await step();
  }
  try {
    for (const warning of folder.warnings) log.warn(warning);
    const adopt = await readDocuments(folder, { clock, log });
    const recoveries = await createRecoveryLog(folder.path, { log, clock });
    undo.push(() => recoveries.close());

    const telemetry = await openStore({
      folder: folder.path,
      clock,
      log,
      ...writes,
      adopt,
      restore: adopt === null ? () => readDepotCopy(folder.path, clock) : null,
      onRecovered: ({ quarantinedAs, at }) => {
        recoveries
          .report({ document: 'telemetry.db', quarantinedAs, restoredFrom: 'initial', at })
          .catch((error: unknown) => log.error({ err: error }, 'recovery was not recorded'));
      },
    });
    undo.push(() => telemetry.close());
    await finishAdoption(folder, telemetry, recoveries);

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

    const collections = await openCollections({ store: telemetry, clock, log });
    const copy = createDepotCopy({ folder: folder.path, store: telemetry, clock, log });
    undo.push(() => copy.close());
    collections.onChange(copy.onChange);
    undo.push(() => collections.acts.close());
    const secretKey = await loadSecretKey(folder.path);
    const { acts } = collections;
    const logged = { acts, store: telemetry, key: deriveKey(secretKey, 'document intent'), clock, log };
    const documents = {
      settings: await openLoggedDocument({
        ...logged,
        name: 'settings',
        document: await open('settings', settingsDocument, newSettings(clock.now())),
        shownInLog: (data) => data,
      }),
      channels: await openLoggedDocument({
        ...logged,
        name: 'channels',
        document: await open('channels', channelsDocument, noChannels),
        shownInLog: channelsInLog,
      }),
      secrets: await open('secrets', secretsDocument, { secrets: {} }),
    };
    undo.push(
      () => documents.channels.close(),
      () => documents.settings.close(),
    );
    return { path: folder.path, secretKey, documents, collections, telemetry, recoveries, close };
  } catch (error) {
    await close();
    throw error;
  }
}
