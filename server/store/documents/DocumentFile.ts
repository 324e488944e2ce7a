import { DataFolderError } from '../storeErrors.ts';
import { isUtf8 } from 'node:buffer';
import { basename, join } from 'node:path';
import type { Adapter } from 'lowdb';
import { z } from 'zod';
import type { Sealing } from '../sealing.ts';
import { settle } from './draft.ts';
import { errorCode, type Files } from './Files.ts';
import { LeftAhead, keepCopy, writeFileAtomically } from './writeFileAtomically.ts';

/** Turns a document's data of one schema number into that of the next. */
export type Migration = (data: unknown) => unknown;

/** Milliseconds since 1970; `Date` is one. */
export interface Clock {
  now(): number;
}

/** The part of a pino logger that documents use. */
export interface StoreLog {
  info(what: object, message: string): void;
  warn(what: object, message: string): void;
}

export interface DocumentFileOptions<T extends object> {
  /** Absolute path of the data folder. */
  folder: string;
  /** `users` for `users.json`. */
  name: string;
  schema: z.ZodType<T>;
  /** The schema number that is written, from 1. */
  version: number;
  /** `migrations[0]` makes version 2 of version 1, and so on: one fewer than `version`. */
  migrations: readonly Migration[];
  /** Hears of a recovery, and has stored it when it resolves, before any broken file is replaced. */
  report: (recovery: Recovery) => Promise<void>;
  log: StoreLog;
  clock: Clock;
  files: Files;
  /** Its secrets, which the file has sealed; left out where it has none. */
  secrets?: DocumentSecrets<T>;
}

export interface DocumentSecrets<T> {
  sealing: Sealing;
  /** The same data with each secret replaced. */
  replace: (data: T, by: (secret: string) => string) => T;
}

// A newer version may have changed everything but the version number.
const envelope = z.object({ schema: z.int().positive(), data: z.unknown().optional() });
type Envelope = z.infer<typeof envelope>;

type Found<T> = { state: 'missing' } | { state: 'broken'; reason: string } | { state: 'good'; data: T };

/** lowdb's adapter for one document in one file, `{"schema": n, "data": ...}`, with the previous one as `.bak`. */
export class DocumentFile<T extends object> implements Adapter<T> {
  /** What the document holds differs from what lies in the file: it must be written even if nothing changes. */
  mustWrite = false;
  readonly #options: DocumentFileOptions<T>;
  readonly #path: string;
  #mainIsGood = false;
  /** File or backup has a secret as text that could be sealed. */
  #hasBareSecrets = false;

  constructor(options: DocumentFileOptions<T>) {
    if (options.migrations.length !== options.version - 1) {
      throw new Error(`${options.name}: version ${options.version} needs ${options.version - 1} migrations`);
    }
    this.#options = options;
    this.#path = join(options.folder, `${options.name}.json`);
  }

  /**
   * The data of the file, else of its `.bak`, else null. Frozen.
   *
   * @throws {DataFolderError} `newer_version`; then nothing was touched
   */
  async read(): Promise<T | null> {
    const backupPath = `${this.#path}.bak`;
    const main = await this.#find(this.#path);
    if (main.state === 'good') {
      this.#mainIsGood = true;
      await this.#tighten(backupPath);
      await this.#noteBareSecrets(backupPath);
      if (this.#hasBareSecrets) this.mustWrite = true;
      return main.data;
    }
    this.mustWrite = true;
    const backup = await this.#find(backupPath);
    if (main.state === 'missing' && backup.state === 'missing') return null;
    await this.#recover(main, backup);
    return backup.state === 'good' ? backup.data : null;
  }

  /** @throws {DiskFull}, or the system's error; then the file is as before, or `mustWrite` is set */
  async write(data: T): Promise<void> {
    const { secrets, version, files } = this.#options;
    const sealed =
      secrets === undefined ? data : secrets.replace(data, (secret) => secrets.sealing.seal(secret));
    const text = JSON.stringify({ schema: version, data: sealed });
    try {
      await writeFileAtomically(files, this.#path, text, { backUp: this.#mainIsGood });
      // By the second writing the backup is without them too.
      if (this.#hasBareSecrets) await writeFileAtomically(files, this.#path, text, { backUp: true });
      this.#hasBareSecrets = false;
    } catch (error) {
      if (!(error instanceof LeftAhead)) throw error;
      this.mustWrite = true;
      // What lies there was refused: it must not become the backup either.
      this.#mainIsGood = false;
      throw error.cause;
    }
    this.mustWrite = false;
    this.#mainIsGood = true;
  }

  async #find(path: string): Promise<Found<T>> {
    let bytes: Buffer;
    try {
      bytes = await this.#options.files.read(path);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') return { state: 'missing' };
      // A sector that cannot be read is damage like any other; a missing right is not.
      if (code === 'EIO') return { state: 'broken', reason: 'it cannot be read from the disk' };
      throw error;
    }
    const opened = openEnvelope(bytes);
    if ('reason' in opened) return { state: 'broken', reason: opened.reason };
    const { version, name } = this.#options;
    if (opened.schema > version) {
      throw new DataFolderError(
        'newer_version',
        `${path} was written by a newer version (schema ${opened.schema} of ${name}, this version knows ${version}).`,
      );
    }
    // Before any migration sees it: a file without data is damage, not an older shape.
    if (typeof opened.data !== 'object' || opened.data === null) {
      return { state: 'broken', reason: 'it holds no data' };
    }
    await this.#tighten(path);
    if (opened.schema < version) return { state: 'good', data: await this.#migrate(path, opened) };
    const parsed = this.#options.schema.safeParse(opened.data);
    if (!parsed.success) return { state: 'broken', reason: oneLine(parsed.error) };
    return { state: 'good', data: settle(this.#opened(parsed.data)) };
  }

  /** Of a backup that is not needed: one that cannot be read keeps nobody from the file. */
  async #noteBareSecrets(path: string): Promise<void> {
    const { secrets, files, schema } = this.#options;
    if (secrets === undefined) return;
    const bytes = await files.read(path).catch(() => null);
    const opened = bytes === null ? null : openEnvelope(bytes);
    if (opened === null || 'reason' in opened) return;
    const parsed = schema.safeParse(opened.data);
    if (parsed.success) this.#opened(parsed.data);
  }

  #opened(data: T): T {
    const { secrets } = this.#options;
    if (secrets === undefined) return data;
    return secrets.replace(data, (stored) => {
      if (secrets.sealing.isBare(stored)) this.#hasBareSecrets = true;
      return secrets.sealing.open(stored);
    });
  }

  /**
   * A migration that fails is a fault of the program, not of the file: the host must not start with an empty
   * document for that, so nothing is set aside.
   */
  async #migrate(path: string, { schema: from, data }: Envelope): Promise<T> {
    const { migrations, version, schema, name, files, log } = this.#options;
    let migrated: T;
    try {
      const current = migrations.slice(from - 1).reduce((before, migration) => migration(before), data);
      migrated = settle(this.#opened(schema.parse(current)));
    } catch (error) {
      const reason = error instanceof z.ZodError ? oneLine(error) : String(error);
      throw new Error(`${path} could not be brought from schema ${from} to ${version}: ${reason}`, {
        cause: error,
      });
    }
    const copy = `${this.#path}.v${from}`;
    await files.remove(copy);
    await keepCopy(files, path, copy);
    this.mustWrite = true;
    log.info({ document: name, from, to: version, copy: basename(copy) }, 'document migrated');
    return migrated;
  }

  /**
   * First the broken files get a second name, then the report is stored, and only the write that follows puts a
   * good file in place: a crash in between ends in the same recovery at the next start, never in a silent one.
   */
  async #recover(main: Found<T>, backup: Found<T>): Promise<void> {
    const { name, clock, log, report, files, folder } = this.#options;
    const quarantinedAs: string[] = [];
    if (main.state === 'broken') quarantinedAs.push(await this.#quarantine(this.#path));
    if (backup.state === 'broken') quarantinedAs.push(await this.#quarantine(`${this.#path}.bak`));
    await files.syncFolder(folder);
    const recovery: Recovery = {
      document: name,
      quarantinedAs,
      restoredFrom: backup.state === 'good' ? 'bak' : 'initial',
      at: new Date(clock.now()).toISOString(),
    };
    log.warn({ ...recovery, reasons: [main, backup].map(reasonOf) }, 'document recovered');
    await report(recovery);
  }

  async #quarantine(path: string): Promise<string> {
    await this.#tighten(path);
    const stamp = new Date(this.#options.clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    for (let tries = 1; ; tries++) {
      const target = `${path}.broken-${stamp}${tries === 1 ? '' : `-${tries}`}`;
      try {
        await keepCopy(this.#options.files, path, target);
        return basename(target);
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
    }
  }

  async #tighten(path: string): Promise<void> {
    const { files, log, name } = this.#options;
    if (await files.tighten(path)) {
      log.warn(
        { document: name, file: basename(path) },
        'file was accessible to other users; permissions were corrected',
      );
    }
  }
}

function openEnvelope(bytes: Buffer): Envelope | { reason: string } {
  if (!isUtf8(bytes)) return { reason: 'it is not UTF-8' };
  try {
    // TextDecoder drops the byte order mark that some editors put in front.
    const parsed = envelope.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success ? parsed.data : { reason: oneLine(parsed.error) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

function reasonOf(found: Found<unknown>): string {
  return found.state === 'broken' ? found.reason : found.state;
}

/** The first fault, with its place; the data itself may hold secrets and is not shown. */
function oneLine(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `/${issue.path.map(String).join('/')}: ${issue.message}` : error.message;
}

/** A document was not read from its own file. */
export interface Recovery {
  /** The document's name, `users`. */
  document: string;
  /** The names under which broken files were kept, `users.json.broken-20261121T074300Z`; none when it was missing. */
  quarantinedAs: readonly string[];
  /** `bak`: the copy from before the last change; `initial`: nothing could be read, it starts empty. */
  restoredFrom: 'bak' | 'initial';
  /** RFC 3339, UTC. */
  at: string;
}

/** The recoveries that nobody has confirmed yet; they outlive a restart. */
export interface RecoveryLog {
  /** Oldest first. */
  pending(): readonly Recovery[];
  /** Resolves when it is stored. */
  report(recovery: Recovery): Promise<void>;
  /** Ends what is pending for these documents; resolves when that is stored. Other names do nothing. */
  confirm(documents: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
