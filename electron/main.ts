/** The desktop: a browser that starts the host first. Reads as a list of steps. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as electron from 'electron';
import { pino } from 'pino';
import { openLogFile, startRefusal, startupFault, watchEventLoop } from '../server/app.ts';
import { openConnections } from './connections.ts';
import { openConsole } from './consoleWindow.ts';
import { createCrashWatch, watchCrashes } from './crash.ts';
import { desktopFacts, markCrashesSeen, readCrashes, restartNotice, unseenCrashes } from './crashRecords.ts';
import { startHost, type DesktopHost } from './host.ts';
import { after, askAboutPage, startLifeCycle, type LifeCycle } from './lifeCycle.ts';
import { sendToPage } from './ipc.ts';
import { createShellLanguage, createWords } from './language.ts';
import { createOpenings } from './openings.ts';
import { readOptions } from './options.ts';
import { createPageRecovery } from './pageRecovery.ts';
import { createShutdown } from './quit.ts';
import { openSecretBox } from './secrets.ts';
import { guardProgram } from './security.ts';
import { watchThisProgram } from './watched.ts';
import { goBackWhereNeeded, openUpdates } from './updates/openUpdates.ts';
import { canInstallOld } from './updates/startUpdates.ts';
import { createWayBack } from './updates/wayBack.ts';
import { hasTray } from './tray.ts';
import { bringToFront } from './window.ts';

const { app, dialog } = electron;
/** As in electron-builder.yml: by it Windows knows whose notices these are. */
const APP_ID = 'org.fleetdeck.console';
/** Of what the host stores, which speaks to users of all languages. */
const ENGLISH = createWords(() => 'en');
/** Where the bundle finds what lies beside it: this file is dist/app/electron.js. */
const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The same for what a packed desktop has in its archive, which Electron reads as a folder. */
const inArchive = (path: string) => beside(path).replace('app.asar.unpacked', 'app.asar');
const consoleFolder = inArchive('../console');

const options = readOptions((name) => app.commandLine.getSwitchValue(name), process.env);
if (options.userFolder !== null) app.setPath('userData', options.userFolder);
const folder = app.getPath('userData');
const logFile = openLogFile(join(folder, 'logs', 'fleetdeck.log'));
const log = pino({ base: null, level: options.logLevel }, logFile);
const language = createShellLanguage({
  folder,
  preferred: () => app.getPreferredSystemLanguages(),
  warn: (words, error) => log.warn({ err: error }, words),
});
const { say } = language;
let window: electron.BrowserWindow | null = null;
let lifeCycle: LifeCycle | null = null;
const openings = createOpenings({
  announce() {
    if (window !== null) sendToPage(window.webContents, 'openingsWait', 1);
  },
  warn: (words) => log.warn(words),
});

const wayBack = createWayBack({
  folder: join(folder, 'updates'),
  version: app.getVersion(),
  canInstall: canInstallOld(process.platform, process.env),
});
const watched = watchThisProgram(app, folder, options.watch, (words) => log.warn(words));
const quit = createShutdown({
  leave: () => watched.goodbye(),
  exit(code) {
    try {
      if (code === 0) wayBack.quitWell();
    } catch (error) {
      log.warn({ err: error }, 'update.json was not written');
    }
    app.exit(code);
  },
  after: (ms, call) => void setTimeout(call, ms),
  warn: (words, error) => log.error({ err: error }, words),
});

const recovery = createPageRecovery({
  ask: (signal) => askAboutPage(electron, say, signal),
  after,
  warn: (words, details) => log.warn({ details }, words),
});

if (app.requestSingleInstanceLock()) {
  guardProgram(app, (words) => log.warn(words));
  watched.begin();
  handleCrashes();
  handleEnds();
  app.on('second-instance', (_event, args, workingFolder) => {
    showConsole();
    openings.addArguments(args.slice(1), workingFolder);
  });
  handleOpenings();
  // A click on the dock of macOS.
  app.on('activate', showConsole);
  app.whenReady().then(start).catch(refuseToStart);
} else {
  // The first one hears of it and comes to the front.
  app.exit(0);
}

async function start(): Promise<void> {
  app.setAppUserModelId(APP_ID);
  const leave = () => watched.goodbye();
  if (!(await goBackWhereNeeded({ dialog, wayBack, folder, leave, say, log }))) {
    endForOther();
    return;
  }
  const ends = unseenCrashes(folder);
  if (ends.length > 0) log.error({ ends }, 'the program ended unexpectedly before this start');
  const connections = openConnections({ folder, consoleFolder, appVersion: app.getVersion(), log });
  quit.holds(() => connections.close());
  const host = connections.startsOwnDepot()
    ? await startOwnHost(restartNotice(ENGLISH, ends)?.detail ?? null)
    : null;
  if (host !== null) connections.setOwnUrl(host.url);
  // A host measures it by itself, and reports it.
  else watchEventLoop({ log });
  // Positions come in while nobody touches the machine.
  electron.powerSaveBlocker.start('prevent-app-suspension');

  const life = startLifeCycle({
    electron,
    platform: process.platform,
    hasTray: () => hasTray(process.platform),
    folder,
    open: showConsole,
    downloads: () => host?.downloads() ?? null,
    end: () => quit.begin(),
    language,
    log,
  });
  lifeCycle = life;
  const updates = openUpdates({
    app,
    folder,
    wayBack,
    host,
    shownAlarms: () => life.shownCount(),
    leave,
    end: () => quit.begin(),
    log,
  });
  const { window: shown, windows } = openConsole({
    electron,
    connections,
    setupCode: host?.setupCode ?? null,
    folder,
    preload: beside('./preload.cjs'),
    icon: inArchive('../../resources/icons/icon.png'),
    lifeCycle: life,
    takeOpening: () => openings.take(),
    openLogFolder: () => void electron.shell.openPath(logFile.folder),
    recovery,
    updates,
    language,
    problemFacts: () =>
      desktopFacts(
        app.getVersion(),
        readCrashes(folder),
        updates.state(),
        // A host's report has the same lines.
        host === null ? logFile.recent() : [],
      ),
    log,
  });
  window = shown;
  quit.holds(() => {
    windows.end();
    return Promise.resolve();
  });
  shown.on('closed', () => {
    window = null;
    // The others lead to it.
    quit.begin();
  });
  const url = await connections.startUrl();
  await load(shown, url);
  windows.restore(new URL(url).origin);
  wayBack.cameUp(after);
  const restarted = restartNotice(language, ends);
  if (restarted !== null) {
    // Not in front of the console, which nobody may be there to free.
    void dialog.showMessageBox({ type: 'warning', ...restarted });
    // Only now: a start that ends before leaves them for the next one.
    markCrashesSeen(folder, (error) => log.warn({ err: error }, 'crashes.json was not written'));
  }
  if (host !== null && host.notice !== null)
    await dialog.showMessageBox(shown, { type: 'warning', ...host.notice });
}

/** The version that was installed in the place of this one has to find the lock free. */
function endForOther(): void {
  watched.goodbye();
  app.releaseSingleInstanceLock();
  quit.begin(1);
}

function showConsole(): void {
  if (window !== null) bringToFront(window);
}

/** Links and files: of this start's arguments, and by macOS, which may report them before all else. */
function handleOpenings(): void {
  openings.addArguments(process.argv.slice(1), process.cwd());
  app.on('open-url', (event, url) => {
    event.preventDefault();
    openings.addLink(url);
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    openings.addFile(path);
  });
  // Installers register it too; an AppImage has none.
  if (app.isPackaged && !app.setAsDefaultProtocolClient('fleetdeck')) {
    log.warn('links of fleetdeck:// are not opened by this program: the system refused');
  }
}

async function startOwnHost(earlierEnd: string | null): Promise<DesktopHost> {
  const host = await startHost(folder, options, {
    log,
    say,
    consoleFolder,
    earlierEnd,
    recentLog: logFile.recent,
    secretBox: await openSecretBox({
      storage: electron.safeStorage,
      platform: process.platform,
      file: join(folder, 'secrets-key.json'),
      now: () => Date.now(),
      warn: (words, error) => log.warn({ err: error }, words),
    }),
  });
  quit.holds(() => host.close());
  return host;
}

async function load(shown: electron.BrowserWindow, url: string): Promise<void> {
  try {
    await shown.loadURL(url);
  } catch (error) {
    // Closed while it loaded, the operator has changed their mind.
    if (!shown.isDestroyed()) throw error;
  }
}

function handleCrashes(): void {
  app.on('web-contents-created', (_event, page) => recovery.watch(page));
  const watch = createCrashWatch({
    log: (words, details) => log.fatal({ err: details }, words),
    upTimeMs: () => process.uptime() * 1_000,
    reload: recovery.reload,
    end(why) {
      if (watched.isWatched()) {
        watched.failing(why);
      } else {
        watched.goodbye();
        dialog.showErrorBox(say('stopped.title'), `${why}\n\n${whereDetailsAre()}`);
      }
      quit.begin(1);
    },
  });
  watchCrashes(app, watch, (words, details) => log.warn({ details }, words));
}

/** Whatever ends the program, the host is closed first. */
function handleEnds(): void {
  app.on('window-all-closed', () => quit.begin());
  app.on('before-quit', (event) => {
    event.preventDefault();
    // macOS announces the end of the session and then quits each program: there is nothing left to ask.
    if (lifeCycle === null || quit.hasBegun()) quit.begin();
    else lifeCycle.quit();
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => quit.begin());
  // Windows logs its user off without any of the above.
  app.on('browser-window-created', (_event, created) => created.on('session-end', () => quit.begin()));
  // Electron has this module only from then on.
  app.on('ready', () => electron.powerMonitor.on('shutdown', () => quit.begin()));
}

function whereDetailsAre(): string {
  return say('stopped.log', { folder: logFile.folder });
}

function refuseToStart(error: unknown): void {
  log.fatal({ err: error }, 'the program could not start');
  const fault = startupFault(error);
  // With the words of the host, which name the file or the port, for whoever helps.
  const words = [
    ...(fault === null ? [] : [say(`refused.${fault}`)]),
    startRefusal(error) ?? whereDetailsAre(),
  ];
  // What follows waits for the operator, and reports nothing meanwhile.
  watched.goodbye();
  dialog.showErrorBox(say('refused.title'), words.join('\n\n'));
  quit.begin(1);
}
