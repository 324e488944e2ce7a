import type { BoxWords, Say } from './language.ts';

/** What becomes of the program when its main window is closed: it stays in the tray, the task bar or the dock, or ends. */
export type AfterClose = 'tray' | 'taskbar' | 'dock' | 'quit';

/** The part of a `BrowserWindow` that is used here. */
export interface ClosingWindow {
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown;
  on(event: 'closed', listener: () => void): unknown;
  once(event: 'leave-full-screen', listener: () => void): unknown;
  close(): void;
  hide(): void;
  minimize(): void;
  isDestroyed(): boolean;
  isFullScreen(): boolean;
  setFullScreen(on: boolean): void;
}

export interface ClosingDeps {
  /** What becomes of the program when its main window is closed now. */
  afterClose: () => Promise<AfterClose>;
  /** Explains it, the first time; false: the operator would rather quit. */
  explain: (stays: Exclude<AfterClose, 'quit'>) => Promise<boolean>;
  /** Says what quitting stops, and asks; false: not now. */
  confirmQuit: () => Promise<boolean>;
  /** Closes the host and ends the process. */
  end: () => void;
  warn: (words: string, error: unknown) => void;
}

/**
 * Closing is not quitting: the main window stays loaded out of sight, so that alarms are heard and notices shown, and
 * whoever quits is asked.
 */
export function createClosing({ afterClose, explain, confirmQuit, end, warn }: ClosingDeps) {
  let main: ClosingWindow | null = null;
  let isEnding = false;
  /** A question is on the screen; whoever asks again gets no second one. */
  let isAsking = false;

  function endNow(): void {
    if (isEnding) return;
    isEnding = true;
    // It remembers its place when it is closed.
    main?.close();
    end();
  }

  async function quit(): Promise<void> {
    if (!isEnding && (await confirmQuit())) endNow();
  }

  async function stayWithout(window: ClosingWindow): Promise<void> {
    const stays = await afterClose();
    if (stays === 'quit' || !(await explain(stays))) {
      await quit();
      return;
    }
    if (isEnding || window.isDestroyed()) return;
    if (stays === 'taskbar') window.minimize();
    else hide(window);
  }

  function ask(question: () => Promise<void>): void {
    if (isAsking || isEnding) return;
    isAsking = true;
    question()
      .catch((error: unknown) => warn('a question about closing failed', error))
      .finally(() => (isAsking = false));
  }

  return {
    /** Takes care of the main window from its beginning. */
    adopt: (window: ClosingWindow): void => {
      main = window;
      window.on('closed', () => (main = null));
      window.on('close', (event) => {
        if (isEnding) return;
        event.preventDefault();
        ask(() => stayWithout(window));
      });
    },
    /** Asks, and ends. */
    quit: () => ask(quit),
    /** Ends without a question: the system shuts down, or an update is to be installed. */
    endNow,
  };
}

/** A window that is hidden while it fills the screen leaves a black one on macOS (electron#20263). */
function hide(window: ClosingWindow): void {
  if (!window.isFullScreen()) {
    window.hide();
    return;
  }
  window.once('leave-full-screen', () => window.hide());
  window.setFullScreen(false);
}

/** What the first closing says. @param hasDepot whether this computer runs a depot of its own */
export function stayWords(say: Say, stays: 'tray' | 'taskbar', hasDepot: boolean): BoxWords {
  const still = say(hasDepot ? 'stays.positions' : 'stays.alarms');
  return { message: say(`stays.${stays}`), detail: say(`stays.${stays}_about`, { still }) };
}

/** What quitting stops. @param downloads videos that are being fetched; null: this computer runs no depot of its own */
export function quitWords(say: Say, downloads: number | null): BoxWords {
  const message = say('quit.ask');
  if (downloads === null) return { message, detail: say('quit.elsewhere') };
  const lines = [say('quit.positions'), say('quit.alarms')];
  if (downloads > 0) lines.push(say('quit.downloads', { count: downloads }));
  return { message, detail: `${say('quit.until')}\n\n${lines.map((line) => `• ${line}`).join('\n')}` };
}
