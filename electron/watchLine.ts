/**
 * The line from the program to the process that watches over it: a named pipe or a socket, since Electron on Windows
 * reads nothing but an end from its standard input (https://github.com/electron/electron/issues/21705), and Node's own
 * channel takes a descriptor that Chromium uses on Linux (https://github.com/electron/electron/issues/17044).
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const bytes = z.number().nonnegative();
export const memory = z.object({
  rss_bytes: bytes,
  heap_used_bytes: bytes,
  heap_limit_bytes: bytes,
  /** What the system would still give; null on macOS, which leaves next to nothing unused. */
  free_bytes: bytes.nullable(),
});
export type Memory = z.infer<typeof memory>;

const watchMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hello'), pid: z.int().positive() }),
  z.object({ kind: z.literal('beat'), memory }),
  /** It is about to end and wants to be started again. */
  z.object({ kind: z.literal('failing'), detail: z.string() }),
  /** It ends on purpose. */
  z.object({ kind: z.literal('goodbye') }),
]);
export type WatchMessage = z.infer<typeof watchMessage>;

/** `sun_path` with its final NUL: 104 bytes on macOS, 108 on Linux. */
const LONGEST_PATH_BYTES = 103;
const SOCKET_NAME = /^watch-[0-9a-f-]{36}[.]sock$/;

/** A name that nobody guesses; on Unix only its owner may connect, and on Windows only its owner and administrators. */
export function newWatchAddress(folder: string, platform: NodeJS.Platform): string {
  const id = randomUUID();
  if (platform === 'win32') return `\\\\.\\pipe\\fleetdeck-watch-${id}`;
  const path = join(folder, `watch-${id}.sock`);
  return Buffer.byteLength(path) <= LONGEST_PATH_BYTES ? path : join(tmpdir(), `watch-${id}.sock`);
}

/** Whether a file of this name is left of a watching process that was killed. */
export function isWatchSocket(name: string): boolean {
  return SOCKET_NAME.test(name);
}

export function sendMessage(socket: Socket, message: WatchMessage): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/** Calls with each message; an unreadable one ends the line. */
export function readMessages(socket: Socket, onMessage: (message: WatchMessage) => void): void {
  createInterface({ input: socket }).on('line', (line) => {
    let message: WatchMessage;
    try {
      message = watchMessage.parse(JSON.parse(line));
    } catch {
      socket.destroy();
      return;
    }
    onMessage(message);
  });
}
