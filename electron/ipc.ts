import { channels } from './bridge/channels.ts';
import type { DesktopFacts, DesktopNotice } from './bridge/desktopBridge.ts';

/** The part of Electron's `ipcMain` that is used here. */
export interface IpcReceiver {
  on(
    channel: string,
    listener: (event: IpcMessage & { returnValue: unknown }, ...args: unknown[]) => void,
  ): unknown;
  handle(channel: string, listener: (event: IpcMessage, ...args: unknown[]) => unknown): void;
}

interface IpcMessage {
  readonly senderFrame: { readonly origin: string; readonly parent: object | null } | null;
}

export interface DesktopServices {
  facts: DesktopFacts;
  setupCode: () => string | null;
  notify: (notice: DesktopNotice) => void;
  setBadge: (count: number) => void;
  bringToFront: () => void;
  saveFile: (name: string, content: ArrayBuffer) => Promise<string | false>;
}

/** A notice is read at a glance; systems cut longer ones. */
const LONGEST_TEXT = 500;
/** Half an hour of video; a page that asks for more is faulty. */
const LARGEST_FILE_BYTES = 1024 ** 3;

/** A message that a page of ours would not send. */
class Unfit extends Error {
  override name = 'Unfit';
}

/**
 * Answers only the console's pages: the top frame of our own origin. Invalid messages are dropped and reported to
 * `warn`.
 */
export function answerPages(
  ipc: IpcReceiver,
  origin: string,
  services: DesktopServices,
  warn: (words: string) => void,
): void {
  function isOurs({ senderFrame }: IpcMessage): boolean {
    return senderFrame !== null && senderFrame.parent === null && senderFrame.origin === origin;
  }

  function guarded<T>(channel: string, event: IpcMessage, act: () => T): T {
    if (!isOurs(event)) throw refuse(`${channel} from ${event.senderFrame?.origin ?? 'a page that is gone'}`);
    return act();
  }

  function refuse(words: string): Unfit {
    warn(`refused: ${words}`);
    return new Unfit(words);
  }

  function onMessage(channel: string, act: (...args: unknown[]) => unknown): void {
    ipc.on(channel, (event, ...args) => {
      // A page that waits for its answer must get one, or it hangs.
      let answer: unknown = null;
      try {
        answer = guarded(channel, event, () => act(...args));
      } catch (error) {
        if (!(error instanceof Unfit)) throw error;
      } finally {
        event.returnValue = answer ?? null;
      }
    });
  }

  const text = (value: unknown, name: string): string => {
    if (typeof value !== 'string') throw refuse(`${name} is no text`);
    return value.slice(0, LONGEST_TEXT);
  };

  onMessage(channels.facts, () => services.facts);
  onMessage(channels.setupCode, () => services.setupCode());
  onMessage(channels.bringToFront, () => services.bringToFront());
  onMessage(channels.setBadge, (count) => {
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) {
      throw refuse('the count is no whole number');
    }
    services.setBadge(count);
  });
  onMessage(channels.notify, (notice) => {
    if (typeof notice !== 'object' || notice === null) throw refuse('the notice is no record');
    const { tag, title, body } = { tag: null, title: null, body: null, ...notice };
    services.notify({ tag: text(tag, 'tag'), title: text(title, 'title'), body: text(body, 'body') });
  });
  ipc.handle(channels.saveFile, (event, name, content) =>
    guarded(channels.saveFile, event, () => {
      if (!(content instanceof ArrayBuffer) || content.byteLength > LARGEST_FILE_BYTES) {
        throw refuse('the file is no buffer of a gigabyte at most');
      }
      return services.saveFile(text(name, 'name'), content);
    }),
  );
}
