import type { MenuItemConstructorOptions } from 'electron';

/** The menu bar: what the system expects of any program. The console's own commands stand in its palette. */
export function menuTemplate(deps: {
  platform: NodeJS.Platform;
  openLogFolder: () => void;
}): MenuItemConstructorOptions[] {
  return [
    ...(deps.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    { label: '&File', submenu: [{ role: 'quit' }] },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { role: 'reload' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { label: 'Open the &log folder', click: deps.openLogFolder },
        { role: 'toggleDevTools' },
        { type: 'separator' },
        { role: 'about' },
      ],
    },
  ];
}
