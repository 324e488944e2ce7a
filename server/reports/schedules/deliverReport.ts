import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { Cause } from '../../contract/causes.ts';
import { causeOf } from '../../contract/causeTexts.ts';
import type { ReportMail, SendReportMail } from '../../notifications/channels/email.ts';
import { ApiError, causesOf } from '../../http/apiError.ts';
import { createServerWords, type Wording } from '../../contract/texts/serverWords.ts';
import type { TimeRange } from '../../geofences/scheduleClock.ts';
import { writableFolder } from '../../settings/writableFolder.ts';
import { errorCode } from '../../store/documents/Files.ts';
import type { MadeReport } from '../reportRoutes.ts';
import { wallClock } from '../localDays.ts';
import type { ScheduleRecord } from './scheduleRecord.ts';

/** Mail servers take no larger ones; encoded for the mail it is a third more. */
const maxMailBytes = 15 * 1024 * 1024;

export interface Delivered {
  /** What was done, and what was not. */
  sent: Cause[];
  faults: Cause[][];
  /** The addresses of `email_to` to which it was not sent. */
  unreached: string[];
  /** What may succeed later; null when nothing may. */
  left: Pick<ScheduleRecord, 'email_to' | 'folder'> | null;
}

export type DeliverReport = (
  made: MadeReport,
  schedule: Pick<ScheduleRecord, 'name' | 'email_to' | 'folder' | 'owner_id'>,
  period: TimeRange,
  signal: AbortSignal,
) => Promise<Delivered>;

/** Sends a report to the addresses of its schedule, and writes it into its folder. Throws the signal's reason only. */
export function createDeliverReport(deps: {
  /** The data folder. */
  data: string;
  sendMail: SendReportMail;
  mayReceive: (address: string) => boolean;
  depot: () => { depot_name: string; timezone: string };
  /** How mails to this user are written. */
  wordingOf: (userId: string) => Wording;
  clock: Pick<Clock, 'now'>;
}): DeliverReport {
  return async (made, { name, email_to, folder, owner_id }, { from_ms, to_ms }, signal) => {
    const { depot_name, timezone } = deps.depot();
    const { say } = createServerWords(deps.wordingOf(owner_id));
    const clockAt = wallClock(timezone);
    const [from = '', to = ''] = [from_ms, to_ms - 1].map((ms) => clockAt(ms).slice(0, 10));
    const period = from === to ? from : say('file.period', { from, to });
    const fileName = `${nameForFiles(name)}_${made.name}`;
    const bytes = made.pieces.reduce((sum, it) => sum + it.length, 0);
    const result: Delivered = { sent: [], faults: [], unreached: [], left: null };
    const later = { email_to: [] as string[], folder: null as string | null };

    const tooLarge = bytes > maxMailBytes;
    if (tooLarge && email_to.length > 0) result.faults.push([causeOf('schedule.too_large')]);
    if (tooLarge) result.unreached.push(...email_to);
    const mail: Omit<ReportMail, 'to'> = {
      ...{ depot: depot_name, subject: `${name}, ${period}`, message_id: randomUUID() },
      text: `${name}, ${period} (${timezone}).\n\n${say('mail.sent_report', { depot: depot_name })}\n`,
      file: { name: fileName, contentType: made.contentType, content: Buffer.concat(made.pieces) },
    };
    for (const to of tooLarge ? [] : email_to) {
      if (!deps.mayReceive(to)) {
        result.faults.push([causeOf('schedule.not_approved', { to })]);
        result.unreached.push(to);
        continue;
      }
      const outcome = await deps.sendMail({ ...mail, to }, signal);
      if (outcome.outcome === 'sent') result.sent.push(causeOf('schedule.sent', { to }));
      else {
        const { detail, causes = [causeOf('verbatim', { detail })] } = outcome;
        result.faults.push([causeOf('schedule.not_sent', { to }), ...causes]);
        result.unreached.push(to);
      }
      if (outcome.outcome === 'later') later.email_to.push(to);
    }
    if (folder !== null) {
      try {
        const target = await writableFolder(folder, deps.data);
        await writeWhole(join(target, fileName), made.pieces);
        result.sent.push(causeOf('schedule.written', { path: join(folder, fileName) }));
      } catch (error) {
        signal.throwIfAborted();
        result.faults.push(
          error instanceof ApiError
            ? causesOf(error)
            : [causeOf('folder.not_written', { folder, reason: reasonOf(error) })],
        );
        later.folder = folder;
      }
    }
    signal.throwIfAborted();
    return { ...result, left: later.email_to.length > 0 || later.folder !== null ? later : null };
  };
}

/** Nobody finds half a file. */
async function writeWhole(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const partial = `${path}.part`;
  try {
    const file = await open(partial, 'w', 0o640);
    try {
      for (const piece of pieces) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error));
}

/** Letters and digits of all scripts; no sign that a file system or a shell reads otherwise. */
const nameForFiles = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'report';
