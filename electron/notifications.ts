import type { NotificationConstructorOptions } from 'electron';
import type { DesktopNotice } from './bridge/channels.ts';

/** The part of Electron's `Notification` that is used here. */
export interface SystemNotice {
  on(event: 'click', listener: () => void): unknown;
  on(event: 'action', listener: (details: { actionIndex: number }) => void): unknown;
  on(event: 'close', listener: (details: { reason?: string }) => void): unknown;
  show(): void;
  close(): void;
}

/** More on one screen say nothing; a burst is gathered by the page. */
const MOST_AT_ONCE = 6;

/**
 * Notices of the operating system, one for a tag. They are held here because a notice that is collected as garbage
 * no longer answers a click. The system's do-not-disturb holds back what it holds back: Windows asks its user once
 * whether critical ones may come through. Each is silent, since the console sounds its alarms itself, as set there.
 *
 * @param deps.opened is called with the page that showed a notice when the operator clicks on it
 * @param deps.acted the same for a button, with its place; buttons are on Windows, on macOS in a signed program, and on
 *   Linux where its service of notices has them: everywhere else a click has to do
 */
export function createNotifications(deps: {
  create: (content: NotificationConstructorOptions) => SystemNotice;
  opened: (page: number, tag: string) => void;
  acted: (page: number, tag: string, action: number) => void;
}) {
  const shown = new Map<string, { notice: SystemNotice; urgency: DesktopNotice['urgency'] }>();

  function take(tag: string): void {
    const it = shown.get(tag);
    shown.delete(tag);
    it?.notice.close();
  }

  /** The oldest of those that can best be missed. */
  function makePlace(): void {
    if (shown.size < MOST_AT_ONCE) return;
    const tags = [...shown].map(([tag, { urgency }]) => ({ tag, urgency }));
    const least = tags.find(({ urgency }) => urgency === 'normal') ?? tags[0];
    if (least !== undefined) take(least.tag);
  }

  return {
    show(page: number, { tag, title, body, urgency, actions }: DesktopNotice): void {
      take(tag);
      makePlace();
      const notice = deps.create({
        title,
        body,
        urgency,
        timeoutType: urgency === 'critical' ? 'never' : 'default',
        silent: true,
        actions: actions.map((text) => ({ type: 'button', text })),
      });
      shown.set(tag, { notice, urgency });
      notice.on('click', () => {
        take(tag);
        deps.opened(page, tag);
      });
      notice.on('action', ({ actionIndex }) => {
        take(tag);
        if (actionIndex < actions.length) deps.acted(page, tag, actionIndex);
      });
      notice.on('close', ({ reason }) => {
        // Windows goes on listing one whose time is over, where it can still be clicked on.
        if (reason !== 'timedOut' && shown.get(tag)?.notice === notice) shown.delete(tag);
      });
      notice.show();
    },
    withdraw: take,
    closeAll(): void {
      for (const tag of [...shown.keys()]) take(tag);
    },
  };
}
