import type { Logger } from 'pino';
import type { TaskFile } from '../store/telemetry/rows.ts';
import type { Mp4Service } from './media/mp4Service.ts';
import type { Progress } from './presentTask.ts';
import type { FragmentRequest, Terminal } from './terminals/terminal.ts';
import type { VideoFiles } from './videoFiles.ts';

export interface ObtainDeps {
  files: VideoFiles;
  media: Pick<Mp4Service, 'finish'>;
  log: Logger;
}

export interface ObtainOrder {
  terminal: Terminal;
  fragment: Omit<FragmentRequest, 'output' | 'signal' | 'onProgress'>;
  fileName: string;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Called when all bytes are here; the way goes on when it resolves. */
  onReceived: () => Promise<void>;
  /** Called before the file gets its name; the way goes on when it resolves. */
  onFinished: (file: TaskFile) => Promise<void>;
}

/** The wire is slow, the disk is not. */
const downloadShare = 0.9;

/**
 * From the terminal to a file under its name in the video folder; leaves nothing else behind, however it ends. Answers
 * the file's facts.
 * @throws {TerminalError}, {MediaError}, the system's errors, what the callbacks throw, or the signal's reason
 */
export async function obtainVideo(order: ObtainOrder, { files, media, log }: ObtainDeps): Promise<TaskFile> {
  const { terminal, fragment, fileName, signal, onProgress } = order;
  const input = files.downloadPath(fileName);
  const output = files.finishedPath(fileName);
  try {
    const starts_ms = await terminal.fetchFragment({
      ...fragment,
      output: input,
      signal,
      onProgress: (fraction, bytes) => onProgress({ fraction: fraction * downloadShare, bytes }),
    });
    await order.onReceived();
    const { codec: _, ...finished } = await media.finish({
      input,
      output,
      expected_s: (fragment.to_ms - fragment.from_ms) / 1000,
      signal,
      onProgress: (fraction) =>
        onProgress({ fraction: downloadShare + fraction * (1 - downloadShare), bytes: null }),
    });
    const file = { ...finished, starts_at: starts_ms === null ? null : new Date(starts_ms).toISOString() };
    await order.onFinished(file);
    signal.throwIfAborted();
    await files.publish(fileName);
    return file;
  } finally {
    try {
      await files.removeParts(fileName);
    } catch (error) {
      // What is left over goes with the next attempt or start.
      log.warn({ err: error, file: fileName }, 'temporary files of a video could not be removed');
    }
  }
}
