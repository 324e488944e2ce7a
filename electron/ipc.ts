import { z } from 'zod';
import { languages } from '../server/app.ts';
import { ShellError } from './shellError.ts';
import {
  pageChannels,
  wireName,
  type ArgumentsOf,
  type DirectionOf,
  type MessageOf,
  type PageChannelName,
  type ReplyOf,
  type ShellChannelName,
} from './bridge/channels.ts';

/** The part of Electron's `ipcMain` that is used here. */
export interface IpcReceiver {
  on(
    channel: string,
    listener: (event: IpcMessage & { returnValue: unknown }, ...args: unknown[]) => void,
  ): unknown;
  handle(channel: string, listener: (event: IpcMessage, ...args: unknown[]) => unknown): void;
}

interface IpcMessage {
  readonly sender: { readonly id: number };
  readonly senderFrame: { readonly origin: string; readonly parent: object | null } | null;
}

/** The page that a service works for. */
export interface PageSender {
  /** Of its `webContents`, so of its window. */
  readonly id: number;
  readonly origin: string;
}

/** Who answers each channel. Arguments have passed their schema. */
export type DesktopServices = {
  readonly [Name in PageChannelName]: (
    sender: PageSender,
    ...args: ArgumentsOf<Name>
  ) => ServiceReply<DirectionOf<Name>, ReplyOf<Name>>;
};
type ServiceReply<Direction, Reply> = Direction extends 'asks' ? Promise<Reply> | Reply : Reply;

/** A notice is read at a glance; systems cut longer ones. */
const LONGEST_TEXT = 500;
/** No page makes longer ones, and what is cut costs its length first. */
const LONGEST_CUT_TEXT = 100_000;
/** Windows shows five buttons at most. */
const MOST_ACTIONS = 5;
/** Half an hour of video; a page that asks for more is faulty. */
const LARGEST_FILE_BYTES = 1024 ** 3;

const text = z
  .string()
  .max(LONGEST_CUT_TEXT)
  .transform((it) => it.slice(0, LONGEST_TEXT));
const file = z.instanceof(ArrayBuffer).refine(({ byteLength }) => byteLength <= LARGEST_FILE_BYTES);
const nothing = z.tuple([]);
const url = z.string().max(300);
const name = z.string().trim().min(1).max(200);
const fingerprint = z.string().max(200).nullable();
const connectionId = z.string().max(16);

/** A menu bar of a screen's width, menus of its height. */
const MOST_OF_MENU = { menus: 12, sections: 12, items: 40 };
const menuText = z.string().min(1).max(100);
const menuItem = z.object({
  id: menuText,
  label: menuText,
  keys: z.string().min(1).max(40).nullable(),
  enabled: z.boolean(),
});
const menus = z
  .array(
    z.object({
      place: z.enum(['file', 'view', 'help', 'own']),
      title: menuText,
      sections: z.array(z.array(menuItem).max(MOST_OF_MENU.items)).max(MOST_OF_MENU.sections),
    }),
  )
  .max(MOST_OF_MENU.menus);

/** What the arguments of each channel must be. */
const schemas: { readonly [Name in PageChannelName]: z.ZodType<ArgumentsOf<Name>> } = {
  facts: nothing,
  setupCode: nothing,
  reloadReason: nothing,
  saveFile: z.tuple([text, file]),
  notify: z.tuple([
    z.object({
      tag: text,
      title: text,
      body: text,
      urgency: z.enum(['normal', 'critical']),
      actions: z.array(text).max(MOST_ACTIONS),
    }),
  ]),
  withdrawNotice: z.tuple([text]),
  takeOpening: nothing,
  setBadge: z.tuple([z.object({ count: z.int().min(0), worst: z.enum(['alarm', 'warning']) }).nullable()]),
  setLanguage: z.tuple([z.enum(languages)]),
  setMenu: z.tuple([menus]),
  bringToFront: nothing,
  preferences: nothing,
  changePreferences: z.tuple([
    z
      .object({
        startAtLogin: z.boolean(),
        keepRunning: z.boolean(),
        confirmQuit: z.boolean(),
        mutedUntil: z.int().min(0).nullable(),
      })
      .partial(),
  ]),
  raiseWindow: nothing,
  connections: nothing,
  lookForHosts: nothing,
  probeHost: z.tuple([z.object({ url, fingerprint, insecure: z.boolean() })]),
  addConnection: z.tuple([z.object({ name, url, fingerprint, insecure: z.boolean() })]),
  renameConnection: z.tuple([connectionId, name]),
  removeConnection: z.tuple([connectionId]),
  openConnection: z.tuple([connectionId.nullable()]),
  startOwnDepot: z.tuple([z.boolean()]),
  problemFacts: nothing,
  updateState: nothing,
  changeUpdates: z.tuple([
    z.strictObject({
      on: z.boolean(),
      url: text,
      publicKey: text,
      hour: z.int().min(0).max(23),
      byItself: z.boolean(),
    }),
  ]),
  checkForUpdates: nothing,
  installUpdate: nothing,
};

/** Questions that wait for their answers; a page asks for one file at a time. */
export const MOST_PENDING = { ofAPage: 8, inAll: 32, bytes: 2 * LARGEST_FILE_BYTES };

/** A message that a page of ours would not send. */
class Unfit extends Error {
  override name = 'Unfit';
}

/**
 * Answers only the console's pages: the top frame of an origin that is ours. What does not fit its channel is not acted
 * upon; it is reported to `warn`, and so is a service that fails.
 */
export function answerPages(
  ipc: IpcReceiver,
  services: DesktopServices,
  deps: { isOurs: (origin: string) => boolean; warn: (words: string, error?: unknown) => void },
): void {
  const pending = countPending();

  function refuse(words: string): Unfit {
    deps.warn(`refused: ${words}`);
    return new Unfit(words);
  }

  function senderOf(name: PageChannelName, { sender, senderFrame }: IpcMessage): PageSender {
    if (senderFrame === null || senderFrame.parent !== null || !deps.isOurs(senderFrame.origin)) {
      throw refuse(`${name} from ${senderFrame?.origin ?? 'a page that is gone'}`);
    }
    return { id: sender.id, origin: senderFrame.origin };
  }

  function act(name: PageChannelName, sender: PageSender, args: unknown[]): unknown {
    const parsed = schemas[name].safeParse(args);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw refuse(`${name} with ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'other arguments'}`);
    }
    // The schema of a channel yields the arguments of its service.
    const service = services[name] as (sender: PageSender, ...args: unknown[]) => unknown;
    return service(sender, ...parsed.data);
  }

  for (const name of Object.keys(pageChannels) as PageChannelName[]) {
    if (pageChannels[name].direction === 'asks') {
      ipc.handle(wireName(name), async (event, ...args) => {
        const sender = senderOf(name, event);
        const end = pending.begin(sender.id, args);
        if (end === null) throw refuse(`${name}: too many questions wait for their answers`);
        try {
          return await act(name, sender, args);
        } catch (error) {
          // Of an error Electron takes nothing else to a page.
          if (!(error instanceof ShellError)) throw error;
          const { message: detail, causes } = error;
          throw new Error(JSON.stringify({ detail, causes }), { cause: error });
        } finally {
          end();
        }
      });
    } else {
      ipc.on(wireName(name), (event, ...args) => {
        // A page that waits for its answer must get one, or it hangs.
        let answer: unknown = null;
        try {
          answer = act(name, senderOf(name, event), args);
        } catch (error) {
          if (!(error instanceof Unfit)) deps.warn(`${name} failed`, error);
        } finally {
          event.returnValue = answer ?? null;
        }
      });
    }
  }
}

/** Bounds what waits, per page and in all. `begin` returns its undo; null when there are too many. */
function countPending() {
  const ofPage = new Map<number, number>();
  let inAll = 0;
  let bytesInAll = 0;
  return {
    begin(page: number, args: readonly unknown[]): (() => void) | null {
      const bytes = args.reduce<number>(
        (sum, it) => sum + (it instanceof ArrayBuffer ? it.byteLength : 0),
        0,
      );
      const before = ofPage.get(page) ?? 0;
      const tooMany = before >= MOST_PENDING.ofAPage || inAll >= MOST_PENDING.inAll;
      if (tooMany || bytesInAll + bytes > MOST_PENDING.bytes) return null;
      ofPage.set(page, before + 1);
      inAll++;
      bytesInAll += bytes;
      return () => {
        const left = (ofPage.get(page) ?? 1) - 1;
        if (left === 0) ofPage.delete(page);
        else ofPage.set(page, left);
        inAll--;
        bytesInAll -= bytes;
      };
    },
  };
}

/** Sends a message to one page. */
export function sendToPage<Name extends ShellChannelName>(
  page: { send(channel: string, message: unknown): void },
  name: Name,
  message: MessageOf<Name>,
): void {
  page.send(wireName(name), message);
}
