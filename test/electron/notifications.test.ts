import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createNotifications, type SystemNotice } from '../../electron/notifications.ts';

class FakeNotice extends EventEmitter implements SystemNotice {
  isShown = false;
  readonly title: string;
  constructor(title: string) {
    super();
    this.title = title;
  }
  show(): void {
    this.isShown = true;
  }
  close(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.emit('close');
  }
}

function setUp() {
  const made: FakeNotice[] = [];
  const opened: string[] = [];
  const notices = createNotifications(
    ({ title }) => {
      const notice = new FakeNotice(title);
      made.push(notice);
      return notice;
    },
    (tag) => opened.push(tag),
  );
  const show = (tag: string, title = tag) => notices.show({ tag, title, body: '' });
  const shown = () => made.filter((notice) => notice.isShown).map(({ title }) => title);
  return { notices, made, opened, show, shown };
}

describe('notices of the system', () => {
  it('notices of the system are shown one for a tag, the newest', () => {
    const { show, shown } = setUp();
    show('van', 'SOS');
    show('truck', 'Overspeed');
    show('van', 'SOS, twice');
    expect(shown()).toEqual(['Overspeed', 'SOS, twice']);
  });

  it('notices of the system report which was clicked on, and open its target', () => {
    const { show, made, opened, shown } = setUp();
    show('van');
    show('truck');
    made[0]?.emit('click');
    expect(opened).toEqual(['van']);
    expect(shown()).toEqual(['truck']);
  });

  it('notices of the system are forgotten when the operator closes them, but not the later one of the same tag', () => {
    const { show, made, shown, notices } = setUp();
    show('van', 'first');
    show('van', 'second');
    // Some systems report the end of a notice late.
    made[0]?.emit('close');
    notices.closeAll();
    expect(shown()).toEqual([]);
  });

  it('notices of the system are twenty at most, the oldest goes first', () => {
    const { show, shown } = setUp();
    for (let count = 1; count <= 22; count++) show(`notice ${count}`);
    expect(shown()).toHaveLength(20);
    expect(shown()[0]).toBe('notice 3');
  });
});
