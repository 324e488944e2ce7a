import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { reportJob } from '../../contract/reportJobs.ts';

/** A job as it lies in the folder, beside its result. */
export const jobRecord = reportJob.omit({ progress: true, expires_at: true }).extend({
  user_id: z.string(),
  /** The API token that started it; null for a person. */
  token_id: z.string().nullable(),
  content_type: z.string().nullable(),
  /** How often it was started: one that ends the host each time is given up. */
  starts: z.int(),
});
export type JobRecord = z.infer<typeof jobRecord>;

/** Report jobs and their results in a folder of their own. Both are gone after a day, so no backup holds them. */
export async function openJobFiles(folder: string, log: Pick<Logger, 'warn'>) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const recordOf = (jobId: string) => join(folder, `${jobId}.json`);
  const resultOf = (jobId: string) => join(folder, `${jobId}.result`);

  /** What is at `path` is whole or not there, whenever the host ends. */
  async function write(path: string, pieces: readonly (string | Uint8Array)[]): Promise<void> {
    const file = await open(`${path}.part`, 'w', 0o600);
    try {
      for (const piece of pieces) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
  }

  return {
    /** Those of before a restart; what cannot be read, and results without a job, are deleted. */
    async load(): Promise<JobRecord[]> {
      const records: JobRecord[] = [];
      for (const name of await readdir(folder)) {
        if (!name.endsWith('.json')) continue;
        try {
          records.push(jobRecord.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))));
        } catch (error) {
          log.warn({ err: error, name }, 'a report job cannot be read; it is deleted');
        }
      }
      const known = new Set(records.flatMap(({ job_id }) => [`${job_id}.json`, `${job_id}.result`]));
      for (const name of await readdir(folder)) {
        if (!known.has(name)) await rm(join(folder, name), { force: true, recursive: true });
      }
      return records;
    },
    save: (record: JobRecord): Promise<void> => write(recordOf(record.job_id), [JSON.stringify(record)]),
    writeResult: (jobId: string, pieces: readonly Uint8Array[]): Promise<void> =>
      write(resultOf(jobId), pieces),
    removeResult: (jobId: string): Promise<void> => rm(resultOf(jobId), { force: true }),
    async remove(jobId: string): Promise<void> {
      for (const path of [recordOf(jobId), resultOf(jobId)]) await rm(path, { force: true });
    },
    /** Null when it is not there, or not of its length. */
    async read({ job_id, bytes }: Pick<JobRecord, 'job_id' | 'bytes'>): Promise<ReadStream | null> {
      const size = await stat(resultOf(job_id)).then(
        (it) => it.size,
        () => null,
      );
      return size === null || size !== bytes ? null : createReadStream(resultOf(job_id));
    },
  };
}
