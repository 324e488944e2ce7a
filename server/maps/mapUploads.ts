import { causeOf } from '../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { id, shortText, time } from '../contract/fields.ts';
import { maxUploadPart, type MapUpload } from '../contract/maps.ts';
import { ApiError, invalid, notFound } from '../http/apiError.ts';
import { checkQuota } from '../http/quotas.ts';
import type { WorkAsk } from '../workerChannel.ts';
import { nameOf, type MapRecord, type Maps } from './maps.ts';

/** Lies beside what was received. */
const uploadFile = z.object({ upload_id: id, name: shortText, bytes: z.int(), created_at: time });
type Upload = z.infer<typeof uploadFile>;

/** Nobody goes on with it any more. */
const abandonedAfterMs = 7 * 86_400_000;

export type MapUploads = Awaited<ReturnType<typeof openMapUploads>>;

/** Files of maps that come in parts, each where the one before ended; they outlive the host. */
export async function openMapUploads({
  maps,
  freeBytes,
  clock,
  log,
}: {
  maps: Pick<Maps, 'folder' | 'addOwn' | 'checkQuota'>;
  /** What may be written to the disk beside its reserve. */
  freeBytes: () => Promise<number>;
  clock: Clock;
  log: Logger;
}) {
  const { folder } = maps;
  const uploads = new Map<string, Upload>();
  /** When the last part of each came since the host started. */
  const wentOn = new Map<string, number>();
  const busy = new Set<string>();
  const partOf = (uploadId: string) => join(folder, `${uploadId}.part`);
  const fileOf = (uploadId: string) => join(folder, `${uploadId}.upload.json`);

  async function forget(uploadId: string): Promise<void> {
    uploads.delete(uploadId);
    wentOn.delete(uploadId);
    await rm(fileOf(uploadId), { force: true });
    await rm(partOf(uploadId), { force: true });
  }

  const isAbandoned = ({ upload_id, created_at }: Upload) =>
    clock.now() - (wentOn.get(upload_id) ?? Date.parse(created_at)) >= abandonedAfterMs;

  await readBack();
  async function readBack(): Promise<void> {
    for (const name of await readdir(folder)) {
      const uploadId = /^(.+)\.upload\.json$/.exec(name)?.[1];
      if (uploadId === undefined) continue;
      try {
        const upload = uploadFile.parse(JSON.parse(await readFile(fileOf(uploadId), 'utf8')));
        if (!isAbandoned(upload)) uploads.set(uploadId, upload);
      } catch (error) {
        log.warn({ err: error, upload_id: uploadId }, 'an upload of a map cannot be read; it is deleted');
      }
    }
    for (const name of await readdir(folder)) {
      const uploadId = /^(.+)\.(part|upload\.json)$/.exec(name)?.[1];
      if (uploadId !== undefined && !uploads.has(uploadId)) await forget(uploadId);
    }
  }

  function find(uploadId: string): Upload {
    const upload = uploads.get(uploadId);
    if (upload === undefined) throw notFound('upload');
    return upload;
  }

  async function present(upload: Upload): Promise<Omit<MapUpload, 'map'>> {
    const { size } = await stat(partOf(upload.upload_id));
    return { ...upload, received: size };
  }

  return {
    list: () => Promise.all([...uploads.values()].map(present)),
    get: (uploadId: string) => present(find(uploadId)),

    async start({ name, bytes }: Pick<Upload, 'name' | 'bytes'>): Promise<Omit<MapUpload, 'map'>> {
      checkQuota('map_uploads', uploads.size, 1);
      maps.checkQuota();
      await checkSpace(bytes, freeBytes);
      const upload = {
        upload_id: randomUUID(),
        name,
        bytes,
        created_at: new Date(clock.now()).toISOString(),
      };
      checkQuota('map_uploads', uploads.size, 1);
      uploads.set(upload.upload_id, upload);
      try {
        await writeFile(partOf(upload.upload_id), '', { mode: 0o600 });
        await writeFile(fileOf(upload.upload_id), JSON.stringify(upload), { mode: 0o600 });
      } catch (error) {
        await forget(upload.upload_id);
        throw error;
      }
      return present(upload);
    },

    /**
     * Takes the next part. With the last one the file is checked, and is a map or deleted.
     *
     * @throws ApiError 409 when the part does not begin where the last one ended; 400 with what is wrong with the file
     */
    async takePart(
      uploadId: string,
      from: number,
      body: Readable,
      caller: WorkAsk,
    ): Promise<{ upload: Omit<MapUpload, 'map'>; map: MapRecord | null }> {
      const upload = find(uploadId);
      if (busy.has(uploadId)) throw new ApiError('in_use', causeOf('map.part_under_way'));
      busy.add(uploadId);
      try {
        const { received } = await present(upload);
        if (from !== received) {
          throw new ApiError(
            'in_use',
            causeOf('map.next_part', { next: String(received), from: String(from) }),
          );
        }
        await checkSpace(upload.bytes - received, freeBytes);
        const most = Math.min(maxUploadPart, upload.bytes - received);
        const file = await open(partOf(uploadId), 'r+');
        let now = received;
        try {
          now += await writeBody(file, received, body, most);
          if (now === upload.bytes) await file.sync();
        } finally {
          await file.close();
        }
        const done = { ...upload, received: now };
        if (now < upload.bytes) return { upload: done, map: null };
        try {
          return { upload: done, map: await maps.addOwn(partOf(uploadId), nameOf(upload.name), caller) };
        } finally {
          await forget(uploadId);
        }
      } finally {
        busy.delete(uploadId);
        if (uploads.has(uploadId)) wentOn.set(uploadId, clock.now());
      }
    },

    /** Deletes those that nobody goes on with. */
    async prune(): Promise<void> {
      for (const upload of [...uploads.values()])
        if (isAbandoned(upload) && !busy.has(upload.upload_id)) await forget(upload.upload_id);
    },

    async cancel(uploadId: string): Promise<void> {
      find(uploadId);
      if (busy.has(uploadId)) throw new ApiError('in_use', causeOf('map.part_under_way'));
      await forget(uploadId);
    },
  };
}

/** @throws ApiError 507 when the disk has less */
export async function checkSpace(bytes: number, freeBytes: () => Promise<number>): Promise<void> {
  const free = await freeBytes();
  if (bytes <= free) return;
  const inMb = (count: number) => Math.max(0, Math.ceil(count / 1_000_000));
  throw new ApiError('disk_full', causeOf('map.no_space', { needed_mb: inMb(bytes), free_mb: inMb(free) }));
}

/** Returns how many bytes were written; what came before a connection broke stays. @throws ApiError 400 beyond `most` */
async function writeBody(file: FileHandle, from: number, body: Readable, most: number): Promise<number> {
  let written = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (written + chunk.length > most) {
      await file.truncate(from);
      throw invalid('body', `holds more than the ${most} bytes that may come`);
    }
    await file.write(chunk, 0, chunk.length, from + written);
    written += chunk.length;
  }
  return written;
}
