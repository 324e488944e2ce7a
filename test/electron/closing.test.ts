import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { createClosing, quitWords, stayWords, type AfterClose } from '../../electron/closing.ts';
import { createWords } from '../../electron/language.ts';

class FakeWindow extends EventEmitter {
  fullScreen = false;
  readonly did: string[] = [];
  close(): void {
    const kept: true[] = [];
    this.emit('close', { preventDefault: () => kept.push(true) });
    if (kept.length > 0) return;
    this.did.push('closed');
    this.emit('closed');
  }
  hide = () => void this.did.push('hidden');
  minimize = () => void this.did.push('minimised');
  isDestroyed = () => this.did.includes('closed');
  isFullScreen = () => this.fullScreen;
  setFullScreen = () => {
    this.did.push('left full screen');
    this.emit('leave-full-screen');
  };
}

function setUp(stays: AfterClose) {
  const deps = {
    afterClose: vi.fn(() => Promise.resolve(stays)),
    explain: vi.fn(() => Promise.resolve(true)),
    confirmQuit: vi.fn(() => Promise.resolve(true)),
    end: vi.fn(),
    warn: vi.fn(),
  };
  const closing = createClosing(deps);
  const window = new FakeWindow();
  closing.adopt(window);
  return { ...deps, closing, window };
}

it.each([
  ['tray', ['hidden']],
  ['dock', ['hidden']],
  ['taskbar', ['minimised']],
] as const)(
  'the main window that is closed stays loaded where the program stays in the %s',
  async (stays, did) => {
    const { window, end, explain } = setUp(stays);
    window.close();
    await vi.waitFor(() => expect(window.did).toEqual(did));
    expect(explain.mock.calls).toEqual([[stays]]);
    expect(end).not.toHaveBeenCalled();
  },
);

it('a window that fills the screen leaves it before it is hidden', async () => {
  const { window } = setUp('dock');
  window.fullScreen = true;
  window.close();
  await vi.waitFor(() => expect(window.did).toEqual(['left full screen', 'hidden']));
});

it('closing ends the program where it is set so, once the operator has confirmed it', async () => {
  const { window, confirmQuit, end } = setUp('quit');
  confirmQuit.mockResolvedValueOnce(false);
  window.close();
  await vi.waitFor(() => expect(confirmQuit).toHaveBeenCalledOnce());
  expect(window.did).toEqual([]);
  window.close();
  await vi.waitFor(() => expect(end).toHaveBeenCalledOnce());
  expect(window.did).toEqual(['closed']);
});

it('an operator who would rather quit at the first closing is asked as any who quits', async () => {
  const { window, explain, confirmQuit, end } = setUp('tray');
  explain.mockResolvedValueOnce(false);
  window.close();
  await vi.waitFor(() => expect(end).toHaveBeenCalledOnce());
  expect(confirmQuit).toHaveBeenCalledOnce();
});

it('a question that waits is not asked twice, and one that fails is reported and can be asked again', async () => {
  const { closing, confirmQuit, warn, end } = setUp('tray');
  let answer: (confirmed: boolean) => void = () => undefined;
  confirmQuit.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  closing.quit();
  closing.quit();
  expect(confirmQuit).toHaveBeenCalledOnce();
  answer(false);
  confirmQuit.mockRejectedValueOnce(new Error('no screen'));
  await vi.waitFor(() => {
    closing.quit();
    expect(warn).toHaveBeenCalledOnce();
  });
  await vi.waitFor(() => {
    closing.quit();
    expect(end).toHaveBeenCalledOnce();
  });
});

it('a system that shuts down is not held up by a question', () => {
  const { closing, window, confirmQuit, end } = setUp('tray');
  closing.endNow();
  closing.endNow();
  closing.quit();
  expect(window.did).toEqual(['closed']);
  expect(end).toHaveBeenCalledOnce();
  expect(confirmQuit).not.toHaveBeenCalled();
});

it('the questions say what goes on and what stops', () => {
  const { say } = createWords(() => 'en');
  expect(stayWords(say, 'tray', true).detail).toContain('Positions are received and alarms are shown.');
  expect(stayWords(say, 'tray', false).detail).not.toContain('Positions');
  expect(quitWords(say, null).detail).toContain('The depot goes on elsewhere.');
  expect(stayWords(say, 'taskbar', true).detail).toContain('no tray');
  expect(quitWords(say, 0).detail).not.toContain('download');
  expect(quitWords(say, 1).detail).toContain('One video download pauses.');
  expect(quitWords(say, 3).detail).toContain('3 video downloads pause.');
});
