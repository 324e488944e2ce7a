/**
 * What Electron runs with `--watch`: a process without a window, a host or the lock of the single instance, which starts
 * the program again when it ends and nobody asked for that.
 */
import { join } from 'node:path';
import { app, dialog, powerMonitor } from 'electron';
import { crashWords } from './crashRecords.ts';
import { createShellLanguage } from './language.ts';
import { startDetached } from './startDetached.ts';
import { runWatcher, WATCH_ADDRESS, WATCH_ORDER, watchOrder } from './watcher.ts';

const { [WATCH_ORDER]: given, ...environment } = process.env;
const order = watchOrder.parse(JSON.parse(given ?? 'null'));
// Two processes of Chromium must not share a profile.
app.setPath('userData', join(order.folder, 'watch'));
app.disableHardwareAcceleration();
app.dock?.hide();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => app.exit(0));
// The computer shuts down, or its user logs off.
app.on('ready', () => powerMonitor.on('shutdown', () => app.exit(0)));
// Electron would show it to the operator; the program starts another process like this one.
process.on('uncaughtException', () => app.exit(1));

runWatcher(order, {
  platform: process.platform,
  timing: {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after(ms, call) {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  },
  start: (address) => startDetached(order.program, order.args, { ...environment, [WATCH_ADDRESS]: address }),
  kill(pid) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // It has just ended by itself.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  },
  async ask(end) {
    await app.whenReady();
    // Only now: the console may have changed it since this process was started.
    const { say } = createShellLanguage({
      folder: order.folder,
      preferred: () => app.getPreferredSystemLanguages(),
      warn: () => undefined,
    });
    const { response } = await dialog.showMessageBox({
      type: 'error',
      message: say('watch.title'),
      detail: say('watch.about', { crash: crashWords(say, end) }),
      buttons: [say('watch.start'), say('watch.close')],
      defaultId: 0,
      cancelId: 1,
    });
    return response === 0;
  },
  exit: () => app.exit(0),
  warn: (error) => process.stderr.write(`An end of Fleetdeck could not be recorded: ${String(error)}\n`),
});
