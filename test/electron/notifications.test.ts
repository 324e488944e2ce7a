import { EventEmitter } from 'node:events';
import type { NotificationConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import type { DesktopNotice } from '../../electron/bridge/channels.ts';
import { createNotifications, type SystemNotice } from '../../electron/notifications.ts';
import { raiseWindow } from '../../electron/raiseWindow.ts';

class FakeNotice extends EventEmitter implements SystemNotice {
  isShown = false;
  readonly content: NotificationConstructorOptions;
  constructor(content: NotificationConstructorOptions) {
    super();
    this.content = content;
  }
  show(): void {
    this.isShown = true;
  }
  close(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.emit('close', {});
  }
}

const PAGE = 7;

function setUp() {
  const made: FakeNotice[] = [];
  const heard: unknown[] = [];
  const notices = createNotifications({
    create(content) {
      const notice = new FakeNotice(content);
      made.push(notice);
      return notice;
    },
    opened: (page, tag) => heard.push({ page, tag }),
    acted: (page, tag, action) => heard.push({ page, tag, action }),
  });
  const show = (tag: string, given: Partial<DesktopNotice> = {}) =>
    notices.show(PAGE, { tag, title: tag, body: '', urgency: 'normal', actions: [], ...given });
  const shown = () => made.filter((notice) => notice.isShown).map(({ content }) => content.title);
  return { notices, made, heard, show, shown };
}

describe('notices of the system', () => {
  it('notices of the system are shown one for a tag, the newest', () => {
    const { show, shown } = setUp();
    show('van', { title: 'SOS' });
    show('truck', { title: 'Overspeed' });
    show('van', { title: 'SOS, twice' });
    expect(shown()).toEqual(['Overspeed', 'SOS, twice']);
  });

  it('notices of the system say which was clicked on, and to whose page', () => {
    const { show, made, heard, shown } = setUp();
    show('van');
    show('truck');
    made[0]?.emit('click');
    expect(heard).toEqual([{ page: PAGE, tag: 'van' }]);
    expect(shown()).toEqual(['truck']);
  });

  it('notices of the system say which of their buttons was clicked on, and of no other', () => {
    const { show, made, heard, shown } = setUp();
    show('van', { actions: ['Acknowledge', 'Locate'] });
    show('truck', { actions: ['Acknowledge'] });
    expect(made[0]?.content.actions).toEqual([
      { type: 'button', text: 'Acknowledge' },
      { type: 'button', text: 'Locate' },
    ]);
    made[0]?.emit('action', { actionIndex: 1 });
    made[1]?.emit('action', { actionIndex: 1 });
    expect(heard).toEqual([{ page: PAGE, tag: 'van', action: 1 }]);
    expect(shown()).toEqual([]);
  });

  it('notices of the system stay when they are critical, and sound none', () => {
    const { show, made } = setUp();
    show('van', { urgency: 'critical' });
    show('truck');
    expect(made.map(({ content }) => content)).toMatchObject([
      { urgency: 'critical', timeoutType: 'never', silent: true },
      { urgency: 'normal', timeoutType: 'default', silent: true },
    ]);
  });

  it('notices of the system are forgotten when the operator closes them, but not the later one of the same tag', () => {
    const { show, made, shown, notices } = setUp();
    show('van');
    show('van');
    // Some systems report the end of a notice late.
    made[0]?.emit('close', {});
    notices.closeAll();
    expect(shown()).toEqual([]);
  });

  it('notices of the system answer a click after their time, from the list that Windows keeps', () => {
    const { show, made, heard } = setUp();
    show('van');
    made[0]?.emit('close', { reason: 'timedOut' });
    made[0]?.emit('click');
    expect(heard).toEqual([{ page: PAGE, tag: 'van' }]);
  });

  it('notices of the system are withdrawn by their tag', () => {
    const { show, shown, notices } = setUp();
    show('van');
    show('truck');
    notices.withdraw('van');
    notices.withdraw('bus');
    expect(shown()).toEqual(['truck']);
  });

  it('notices of the system are six at most: the oldest goes first, and no critical one for a lesser', () => {
    const { show, shown } = setUp();
    show('SOS', { urgency: 'critical' });
    for (let count = 1; count <= 6; count++) show(`notice ${count}`);
    expect(shown()).toEqual(['SOS', 'notice 2', 'notice 3', 'notice 4', 'notice 5', 'notice 6']);
    for (let count = 1; count <= 6; count++) show(`SOS ${count}`, { urgency: 'critical' });
    expect(shown()).toEqual([1, 2, 3, 4, 5, 6].map((count) => `SOS ${count}`));
  });
});

describe('a window that is raised', () => {
  function createWindow(isFocused: boolean) {
    const acts: string[] = [];
    const note =
      (act: string) =>
      (...args: unknown[]) =>
        void acts.push([act, ...args].join(' '));
    const window = {
      isFocused: () => isFocused,
      isAlwaysOnTop: () => false,
      showInactive: note('showInactive'),
      setAlwaysOnTop: note('setAlwaysOnTop'),
      moveTop: note('moveTop'),
      flashFrame: note('flashFrame'),
    };
    return { acts, window };
  }

  it('a window that is raised lies above the others, flashes, and does not take the keyboard', () => {
    const { acts, window } = createWindow(false);
    raiseWindow(window);
    expect(acts).toEqual([
      'showInactive',
      'setAlwaysOnTop true',
      'setAlwaysOnTop false',
      'moveTop',
      'flashFrame true',
    ]);
  });

  it('a window that is raised stays as it is when the operator works in it', () => {
    const { acts, window } = createWindow(true);
    raiseWindow(window);
    expect(acts).toEqual([]);
  });
});
