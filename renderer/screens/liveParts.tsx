import { type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { COMMANDS } from '../commands/commands.ts';
import { keyMapOf } from '../commands/keyHints.ts';
import { CommandPalette } from '../commands/Palette.tsx';
import { listenForShortcuts } from '../commands/shortcuts.ts';
import { useT } from '../i18n/useT.ts';
import { fetchPathTool } from '../map/drawing/geofenceDrawing.ts';
import { openedFilePart } from '../openFiles/FileDrop.tsx';
import { queueFilterFields } from '../notifications/QueueFilterMenu.tsx';
import { fetchCommandToast } from '../terminalCommands/startCommandToasts.ts';
import { Modal } from '../ui/Modal.tsx';
import { speedPart } from '../vehicles/TodayChart.tsx';
import { laterPart } from './laterPart.tsx';

const overlays = laterPart(async () => (await import('./Overlays.tsx')).Overlays, OverlayFrame);

export const geofencePanelPart = laterPart(
  async () => (await import('../geofences/GeofencePanel.tsx')).GeofencePanel,
);
export const pointPanelPart = laterPart(async () => (await import('../points/PointPanel.tsx')).PointPanel);

/** What Live and its windows open on demand: it is fetched before the screens are, which a lost server takes first. */
export const LIVE_PARTS = [
  overlays,
  speedPart,
  pointPanelPart,
  geofencePanelPart,
  queueFilterFields,
  { fetch: fetchPathTool },
  { fetch: fetchCommandToast },
  openedFilePart,
];

/** What is open over the console, one at a time. The search is there from the start: keys are typed into it at once. */
export function OpenOverlay() {
  const { view } = useAppContext();
  const overlay = useStore(view, (state) => state.overlay);
  if (overlay === null) return null;
  if (overlay === 'palette') return <CommandPalette onClose={() => view.setState({ overlay: null })} />;
  // Each dialog is about what is selected when it opens.
  return <overlays.Part key={overlay} />;
}

/** Runs the commands by their keys. What is typed while the code of a dialog is on its way is meant for it. */
export function useShortcuts(app: AppContext): void {
  useEffect(() => {
    const isComing = () => app.view.getState().overlay !== null;
    const drop = () => app.view.setState({ overlay: null });
    const singleKeysOn = () => app.preferences.getState().singleKeys && !isComing();
    const keyMap = () => keyMapOf(app);
    return listenForShortcuts(window, COMMANDS, app, singleKeysOn, keyMap, { isComing, drop });
  }, [app]);
}

function OverlayFrame({ children }: { children: ReactNode }) {
  const { view } = useAppContext();
  const t = useT();
  return (
    <Modal title={t('failure.part')} width={520} onClose={() => view.setState({ overlay: null })}>
      {children}
    </Modal>
  );
}
