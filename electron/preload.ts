import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { channels } from './bridge/channels.ts';
import { bridgeName, type DesktopBridge, type DesktopFacts } from './bridge/desktopBridge.ts';

function createBridge(facts: DesktopFacts): DesktopBridge {
  return {
    ...facts,
    setupCode() {
      const code: unknown = ipcRenderer.sendSync(channels.setupCode);
      return typeof code === 'string' ? code : null;
    },
    notify: (notice) => ipcRenderer.send(channels.notify, notice),
    onNoticeOpened(listen) {
      const onMessage = (_event: IpcRendererEvent, tag: unknown) => {
        if (typeof tag === 'string') listen(tag);
      };
      ipcRenderer.on(channels.noticeOpened, onMessage);
      return () => {
        ipcRenderer.removeListener(channels.noticeOpened, onMessage);
      };
    },
    setBadge: (count) => ipcRenderer.send(channels.setBadge, count),
    bringToFront: () => ipcRenderer.send(channels.bringToFront),
    saveFile: async (name, content) => {
      const path: unknown = await ipcRenderer.invoke(channels.saveFile, name, content);
      return typeof path === 'string' && path;
    },
  };
}

function isFacts(value: unknown): value is DesktopFacts {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'version' in value &&
    typeof value.version === 'string' &&
    'canNotify' in value &&
    typeof value.canNotify === 'boolean'
  );
}

// The shell answers nothing to a page that is not its own, which then gets no bridge.
const facts: unknown = ipcRenderer.sendSync(channels.facts);
if (isFacts(facts)) contextBridge.exposeInMainWorld(bridgeName, createBridge(facts));
