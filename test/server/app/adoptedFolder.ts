import { pino } from 'pino';
import { readDepotCopy, readDocuments } from '../../../server/app/adoptDocuments.ts';
import { systemClock } from '../../../server/clock.ts';
import { finishAdoption, type AdoptionOptions } from '../../../server/store/adoption.ts';
import { openDataFolder } from '../../../server/store/dataFolder.ts';
import { diskFiles, type Files } from '../../../server/store/documents/Files.ts';
import { createRecoveryLog } from '../../../server/store/documents/recoveryLog.ts';
import { openStore, type StoreOptions } from '../../../server/store/openStore.ts';
import { soonAfter } from '../../support/folderOf010.ts';

export interface AdoptedOptions extends Pick<StoreOptions, 'maxPages' | 'onRecovered'> {
  files?: Files;
  readSpace?: AdoptionOptions['readSpace'];
  onLog?: (line: string) => void;
}

/** Opens a data folder as a host does, up to where it would load the collections. */
export async function openAdopted(data: string, options: AdoptedOptions = {}) {
  const { files = diskFiles, readSpace, onLog = () => undefined, ...storeOptions } = options;
  const clock = { ...systemClock, now: () => soonAfter };
  const log = pino({ level: 'warn' }, { write: onLog });
  const undo: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const folder = await openDataFolder(data);
    undo.push(() => folder.close());
    const adopt = await readDocuments(folder, { clock, log, ...(readSpace && { readSpace }) });
    const recoveries = await createRecoveryLog(data, { log, clock });
    undo.push(() => recoveries.close());
    const store = await openStore({
      folder: data,
      clock,
      log,
      adopt,
      restore: adopt === null ? () => readDepotCopy(data, clock) : null,
      ...storeOptions,
    });
    undo.push(() => store.close());
    await finishAdoption(folder, store, recoveries, files);
    return { store, recoveries, close };
  } catch (error) {
    await close();
    throw error;
  }
}
