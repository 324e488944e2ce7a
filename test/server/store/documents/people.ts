import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  openDocument,
  type Document,
  type DocumentOptions,
} from '../../../../server/store/documents/Document.ts';
import { diskFiles, type Files } from '../../../../server/store/documents/Files.ts';
import { createRecoveryLog } from '../../../../server/store/documents/recoveryLog.ts';
import type { RecoveryLog } from '../../../../server/store/documents/DocumentFile.ts';

/** The document of these tests: people by name, with their age. */
export const people = z.strictObject({ people: z.record(z.string(), z.number()) });
export type People = z.infer<typeof people>;

const NOW = Date.UTC(2026, 10, 21, 7, 43);

const silent = { info: () => undefined, warn: () => undefined };

export interface Opened {
  document: Document<People>;
  recoveries: RecoveryLog;
  close: () => Promise<void>;
}

export async function openPeople(
  folder: string,
  options: Partial<DocumentOptions<People>> = {},
): Promise<Opened> {
  const clock = { now: () => NOW };
  const recoveries = await createRecoveryLog(folder, { log: silent, clock });
  const document = await openDocument({
    folder,
    name: 'people',
    schema: people,
    version: 1,
    initial: { people: {} },
    recoveries,
    log: silent,
    clock,
    ...options,
  });
  return {
    document,
    recoveries,
    close: async () => {
      await document.close();
      await recoveries.close();
    },
  };
}

/** The folder's files but the recovery log's, sorted. */
export async function filesOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith('recoveries')).sort();
}

export function textOf(folder: string, file: string): Promise<string> {
  return readFile(join(folder, file), 'utf8');
}

/** The file as the document writes it. */
export function fileWith(ages: Record<string, number>, schema = 1): string {
  return JSON.stringify({ schema, data: { people: ages } });
}

export async function put(folder: string, texts: Record<string, string | Buffer>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** The steps of a write, any of which fails all of it. */
export const STEPS = ['create', 'write', 'sync', 'renameBackup', 'rename', 'syncFolder'] as const;
export type Step = (typeof STEPS)[number] | 'link';

/** The real file system, of which calls can be made to fail. */
export class FaultyFiles {
  readonly files: Files;
  /** The names of the files that were put in place. */
  renamed: string[] = [];
  #faults: { at: Step; code: string }[] = [];

  constructor() {
    this.files = {
      ...diskFiles,
      create: async (path) => {
        this.#step('create');
        const file = await diskFiles.create(path);
        return {
          ...file,
          write: async (text) => {
            // A full disk takes a part of what it is given.
            await file.write(this.#faults[0]?.at === 'write' ? text.slice(0, text.length / 2) : text);
            this.#step('write');
          },
          sync: () => {
            this.#step('sync');
            return file.sync();
          },
        };
      },
      link: (from, to) => {
        this.#step('link');
        return diskFiles.link(from, to);
      },
      rename: async (from, to) => {
        this.#step(to.endsWith('.bak') ? 'renameBackup' : 'rename');
        await diskFiles.rename(from, to);
        this.renamed.push(to.slice(to.lastIndexOf('/') + 1));
      },
      syncFolder: (folder) => {
        this.#step('syncFolder');
        return diskFiles.syncFolder(folder);
      },
    };
  }

  /** The next of these steps fails, after it the next of the second kind, and so on. */
  fail(code: string, ...steps: Step[]): void {
    this.#faults = steps.map((at) => ({ at, code }));
  }

  #step(step: Step): void {
    if (this.#faults[0]?.at !== step) return;
    const fault = this.#faults.shift();
    if (fault) throw systemError(fault.code);
  }
}
