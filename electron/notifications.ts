import type { DesktopNotice } from './bridge/channels.ts';

/** The part of Electron's `Notification` that is used here. */
export interface SystemNotice {
  on(event: 'click', listener: () => void): unknown;
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- Electron's type has one for each event
  on(event: 'close', listener: () => void): unknown;
  show(): void;
  close(): void;
}

/** More on one screen say nothing; systems keep an own list of what went by. */
const MOST_AT_ONCE = 20;

/**
 * Notices of the operating system, one for a tag. They are held here because a notice that is collected as garbage
 * no longer answers a click.
 */
export function createNotifications(
  create: (content: { title: string; body: string }) => SystemNotice,
  onOpened: (tag: string) => void,
) {
  const shown = new Map<string, SystemNotice>();

  function take(tag: string): void {
    const notice = shown.get(tag);
    shown.delete(tag);
    notice?.close();
  }

  return {
    show({ tag, title, body }: DesktopNotice): void {
      take(tag);
      const [oldest] = shown.keys();
      if (oldest !== undefined && shown.size >= MOST_AT_ONCE) take(oldest);
      const notice = create({ title, body });
      shown.set(tag, notice);
      notice.on('click', () => {
        take(tag);
        onOpened(tag);
      });
      notice.on('close', () => {
        if (shown.get(tag) === notice) shown.delete(tag);
      });
      notice.show();
    },
    closeAll(): void {
      for (const tag of [...shown.keys()]) take(tag);
    },
  };
}
