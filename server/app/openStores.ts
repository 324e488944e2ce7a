import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import { deriveKey, loadSecretKey } from '../auth/tokens.ts';
import {
  channelsDocument,
  channelsInLog,
  noChannels,
  replaceChannelSecrets,
  type ChannelsDocument,
} from '../notifications/channels/channelSettings.ts';
import {
  mapsDocument,
  mapsInLog,
  mapsSchema,
  noMaps,
  replaceMapSecrets,
  type MapsDocument,
} from '../maps/maps.ts';
import { newSettings, settingsDocument } from '../settings/settings.ts';
import { finishAdoption } from '../store/adoption.ts';
import { openDataFolder, unusableFolder } from '../store/dataFolder.ts';
import { createDepotCopy } from '../store/depotCopy.ts';
import { openDocument, type Document, type DocumentOptions } from '../store/documents/Document.ts';
import type { DocumentSecrets, Recovery } from '../store/documents/DocumentFile.ts';
import { createRecoveryLog } from '../store/documents/recoveryLog.ts';
import { openLoggedDocument } from '../store/loggedDocument.ts';
import { openStore, type StoreOptions } from '../store/openStore.ts';
import { createSealing, isUnreadable, type SecretBox } from '../store/sealing.ts';
import { DiskFull, StoreFailed, DataFolderError } from '../store/storeErrors.ts';
import { replaceCameraSecrets, secretsDocument, type SecretsDocument } from '../video/profileRecord.ts';
import { readDepotCopy, readDocuments } from './adoptDocuments.ts';
import { openCollections } from './openCollections.ts';

export type Stores = Awaited<ReturnType<typeof openStores>>;

export interface StoresOptions extends Pick<StoreOptions, 'onWrite' | 'writeFault'> {
  /** Encrypts secrets in files; null: they are stored as text. */
  secretBox?: SecretBox | null;
  /** False for a command that needs no key: one that it cannot read is that of the host, and stays. */
  replacesKey?: boolean;
}

/**
 * Takes the data folder and opens all that lies in it; what was opened is closed again when a later step fails.
 *
 * @throws {DataFolderError}
 */
export async function openStores(
  path: string,
  clock: Clock,
  log: Logger,
  { secretBox = null, replacesKey = true, ...writes }: StoresOptions = {},
) {
  const folder = await openDataFolder(path);
  const sealing = createSealing(secretBox);
  let isOpen = false;
  const undo: (() => Promise<void> | void)[] = [() => (isOpen ? folder.close() : folder.discard())];
  async function close(): Promise<void> {
    for (const step of undo.splice(0).reverse()) await step();
  }
  try {
    for (const warning of folder.warnings) log.warn(warning);
    const adopt = await readDocuments(folder, { clock, log });
    /** The log of recoveries is opened, and with it made, once the database is. */
    const early: Recovery[] = [];
    let report = (recovery: Recovery): Promise<void> => Promise.resolve(void early.push(recovery));
    const telemetry = await openStore({
      folder: folder.path,
      clock,
      log,
      ...writes,
      adopt,
      restore: adopt === null ? () => readDepotCopy(folder.path, clock) : null,
      onRecovered: ({ quarantinedAs, at }) => {
        report({ document: 'telemetry.db', quarantinedAs, restoredFrom: 'initial', at }).catch(
          (error: unknown) => log.error({ err: error }, 'recovery was not recorded'),
        );
      },
    });
    undo.push(() => telemetry.close());
    const recoveries = await createRecoveryLog(folder.path, { log, clock });
    undo.push(() => recoveries.close());
    report = (recovery) => recoveries.report(recovery);
    for (const recovery of early.splice(0)) await report(recovery);
    await finishAdoption(folder, telemetry, recoveries);

    const open = async <T extends object>(
      name: string,
      schema: z.ZodType<T>,
      initial: T,
      versions: Pick<DocumentOptions<T>, 'version' | 'migrations'> = { version: 1 },
      replace: DocumentSecrets<T>['replace'] | null = null,
    ): Promise<Document<T>> => {
      const document = await openDocument<T>({
        folder: folder.path,
        name,
        schema,
        ...versions,
        ...(replace !== null && { secrets: { sealing, replace } }),
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
    let lostKey: string | null = null;
    const onUnreadable = (aside: string) => {
      lostKey = aside;
      log.error({ aside }, 'the key of sessions and API tokens could not be read: all of them end');
    };
    const secretKey = await loadSecretKey(folder.path, sealing, replacesKey ? onUnreadable : null);
    const { acts } = collections;
    const logged = { acts, store: telemetry, key: deriveKey(secretKey, 'document intent'), clock, log };
    const documents = {
      settings: await openLoggedDocument({
        ...logged,
        name: 'settings',
        schema: settingsDocument,
        document: await open('settings', settingsDocument, newSettings(clock.now())),
        shownInLog: (data) => data,
      }),
      channels: await openLoggedDocument({
        ...logged,
        name: 'channels',
        schema: channelsDocument,
        document: await open('channels', channelsDocument, noChannels, { version: 1 }, replaceChannelSecrets),
        shownInLog: channelsInLog,
      }),
      maps: await openLoggedDocument({
        ...logged,
        name: 'maps',
        schema: mapsDocument,
        document: await open('maps', mapsDocument, noMaps, mapsSchema, replaceMapSecrets),
        shownInLog: mapsInLog,
      }),
      secrets: await open('secrets', secretsDocument, { secrets: {} }, { version: 1 }, replaceCameraSecrets),
    };
    undo.push(
      () => documents.maps.close(),
      () => documents.channels.close(),
      () => documents.settings.close(),
    );
    isOpen = true;
    return {
      path: folder.path,
      secretKey,
      documents,
      /** What keeps the key of the secrets; null: they are stored as text. */
      secretsKeptBy: sealing.kind,
      /** Which secrets have to be entered again, in words. */
      unreadableSecrets: () => unreadableSecrets(documents, lostKey !== null),
      collections,
      telemetry,
      recoveries,
      close,
    };
  } catch (error) {
    await close();
    throw asRefusal(folder.path, error);
  }
}

function unreadableSecrets(
  {
    channels,
    secrets,
    maps,
  }: {
    channels: Pick<Document<ChannelsDocument>, 'data'>;
    secrets: Pick<Document<SecretsDocument>, 'data'>;
    maps: Pick<Document<MapsDocument>, 'data'>;
  },
  isKeyLost: boolean,
): string[] {
  const { smtp, webhook_secret } = channels.data;
  const cameras = Object.values(secrets.data.secrets).filter(isUnreadable).length;
  const sources = maps.data.maps.filter((it) => it.online !== null && isUnreadable(it.online.url)).length;
  return [
    ...(isUnreadable(smtp?.password ?? '') ? ['the password of the mail server'] : []),
    ...(isUnreadable(webhook_secret ?? '') ? ['the secret of webhooks'] : []),
    ...(cameras > 0 ? [`${cameras} password${cameras === 1 ? '' : 's'} of cameras`] : []),
    ...(sources > 0 ? [`${sources} address${sources === 1 ? '' : 'es'} of online maps`] : []),
    ...(isKeyLost ? ['the key of sessions and API tokens (all of them have ended)'] : []),
  ];
}

/** In one line, what of the folder is amiss; what is a fault of the program stays as it is. */
function asRefusal(path: string, error: unknown): unknown {
  if (error instanceof DiskFull)
    return new DataFolderError(
      'not_writable',
      `The data folder ${path} cannot be written: its disk is full. Make space there, then start again.`,
      error,
    );
  if (error instanceof StoreFailed)
    return new DataFolderError(
      'unreadable',
      `The database in the data folder ${path} cannot be opened: ${error.cause instanceof Error ? error.cause.message : error.message}. Check the disk and the rights to the folder, or restore a backup of it.`,
      error,
    );
  return error instanceof Error && 'syscall' in error ? unusableFolder(path, error) : error;
}
