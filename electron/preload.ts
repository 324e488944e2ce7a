import { contextBridge, ipcRenderer } from 'electron';
import { bridgeName, createBridge } from './bridge/desktopBridge.ts';

const bridge = createBridge(ipcRenderer);
if (bridge !== null) contextBridge.exposeInMainWorld(bridgeName, bridge);
