import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import PQueue from 'p-queue';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Acts } from './acts.ts';
import type { Document } from './documents/Document.ts';
import { produce, settle } from './documents/draft.ts';
import type { StoreLog } from './documents/DocumentFile.ts';
import type { Store } from './operations.ts';

interface Versioned {
  version: number;
}

export interface LoggedDocumentOptions<T extends Versioned> {
  /** Its name in the change log, and that of its intent. */
  name: string;
  document: Document<T>;
  /** Of its data, with what an earlier version did not have. */
  schema: z.ZodType<T>;
  acts: Pick<Acts, 'run'>;
  store: Pick<Store, 'documentIntents' | 'endDocumentIntent'>;
  /** Of 32 bytes and this host alone; the whole document is sealed by it until its file holds it. */
  key: Uint8Array;
  /** The same without what no log may show. */
  shownInLog: (data: T) => object;
  clock: Clock;
  log: StoreLog;
}

/** A document that could not be written is written again after this time. */
const retry_ms = 10_000;

/**
 * A document whose changes stand in the change log. The database has a change first, with the whole document that is
 * to be, and decides that it has happened; the file follows. What a host that ended between the two did not write is
 * written here, so that log and file cannot disagree. A mutator raises the version with each change.
 *
 * @throws {StoreFailed}; what the document throws
 */
export async function openLoggedDocument<T extends Versioned>(
  options: LoggedDocumentOptions<T>,
): Promise<Document<T> & { fault(): string | null }> {
  const { name, document, schema, acts, store, key, shownInLog, clock, log } = options;
  const changes = new PQueue({ concurrency: 1 });
  /** What the database has decided; null: the document's file holds it. */
  let decided: T | null = null;
  let stopTimer = (): void => undefined;

  async function writeFile(next: T): Promise<void> {
    await document.update((draft) => {
      for (const field of Object.keys(draft)) if (!(field in next)) Reflect.deleteProperty(draft, field);
      Object.assign(draft, next);
    });
    decided = null;
    await store.endDocumentIntent({ document: name, version: next.version });
  }

  /** Never rejects: what the database has decided stands. */
  async function follow(next: T): Promise<void> {
    stopTimer();
    try {
      await writeFile(next);
    } catch (error) {
      if (decided === null) return;
      log.warn({ document: name, err: error }, 'a document could not be written; trying again');
      stopTimer = clock.after(retry_ms, () => {
        void changes.add(() => (decided === null ? undefined : follow(decided)));
      });
    }
  }

  async function change<R>(mutate: (draft: T, before: Readonly<T>) => R): Promise<R> {
    const before = decided ?? document.data;
    const { next, result } = produce<T, R>(before, mutate);
    if (next === before) return result;
    const [old, now] = [before, next].map((it) => Object.entries(shownInLog(it)));
    const isChanged = ([field]: [string, unknown]) =>
      field !== 'version' && before[field as keyof T] !== next[field as keyof T];
    await acts.run((act) => {
      act.intent(
        { document: name, version: next.version, sealed: seal(key, next) },
        {
          topic: 'settings',
          resource_id: name,
          visible_to: null,
          version: next.version,
          before: Object.fromEntries(old?.filter(isChanged) ?? []),
          after: Object.fromEntries(now?.filter(isChanged) ?? []),
        },
      );
      act.afterCommit(() => (decided = next));
    });
    await follow(next);
    return result;
  }

  const intent = (await store.documentIntents()).find((it) => it.document === name);
  if (intent !== undefined && intent.version > document.data.version) {
    const next = unsealed(key, intent.sealed);
    if (next === null)
      log.warn({ document: name }, 'the last change of a document cannot be read; it is lost');
    else {
      log.info(
        { document: name, version: intent.version },
        'the last change of a document was written again',
      );
      await writeFile(settle(schema.parse(next)));
    }
  }

  return {
    get data() {
      return decided ?? document.data;
    },
    update: (mutate) => changes.add(() => change(mutate)),
    /** Why the file does not hold what was decided; null when it does. */
    fault: () => (decided === null ? null : `the file of the ${name} cannot be written`),
    async close() {
      stopTimer();
      await changes.onIdle();
      await document.close();
    },
  };
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** By AES-256-GCM: it may hold passwords, which the database must not show. */
function seal(key: Uint8Array, data: object): Uint8Array {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  return Buffer.concat([
    iv,
    cipher.update(JSON.stringify(data), 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** Null: it was sealed by another key, or is broken. */
function unsealed(key: Uint8Array, sealed: Uint8Array): object | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = [decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
    return JSON.parse(Buffer.concat(text).toString()) as object;
  } catch {
    return null;
  }
}
