import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { reaches } from '../../server/contract/rights.ts';
import { CommandsProvider } from '../CommandsContext.tsx';
import { createCommands } from '../commands.ts';
import { useConsole } from '../ConsoleContext.tsx';
import { useDesk } from '../desk/DeskContext.tsx';
import { listenForShortcuts } from '../keyboard/listenForShortcuts.ts';
import { liveLayout } from '../live/liveLayout.ts';
import { useWindowSize } from '../ui/useWindowSize.ts';
import { ToastRegion } from '../ui/ToastRegion.tsx';
import { LiveScreen } from './LiveScreen.tsx';
import { Overlays } from './Overlays.tsx';
import { Rail } from './Rail.tsx';
import { SettingsScreen } from './SettingsScreen.tsx';
import { SetupScreen } from './SetupScreen.tsx';
import { TopBar } from './TopBar.tsx';
import './AppShell.css';

/** What stands round every screen: the rail, the top bar, dialogs and the toast. */
export function AppShell() {
  const desk = useDesk();
  const { auth, videoScreen } = useConsole();
  const mayWatch = desk.user.role === 'dealer' || reaches(desk.user.rights.video, 'read');
  const VideoScreen = mayWatch ? videoScreen : null;
  const { place, query } = useStore(desk.navigation.store);
  const panes = useStore(desk.preferences, (state) => state.panes);
  const panelShown = useStore(desk.view, (state) => state.vehicleId !== null || state.fenceEdit !== null);
  const { width, height } = useWindowSize();
  const layout = useMemo(
    () =>
      liveLayout({
        width,
        height,
        sizes: panes,
        panelShown: panelShown && panes['panel']?.folded !== true,
      }),
    [width, height, panes, panelShown],
  );

  const commands = useMemo(() => createCommands(desk, () => void auth.logout()), [desk, auth]);
  useEffect(
    () => listenForShortcuts(window, commands, () => desk.preferences.getState().singleKeys),
    [desk, commands],
  );

  return (
    <CommandsProvider value={commands}>
      <div className="shell">
        <Rail place={place} narrow={layout.railWidth === 48} />
        <div className="shell__main">
          <TopBar />
          <main className="shell__screen">
            {(place === 'live' || (place === 'video' && VideoScreen === null)) && (
              <LiveScreen layout={layout} />
            )}
            {place === 'video' && VideoScreen !== null && <VideoScreen taskId={query['task'] ?? null} />}
            {place === 'settings' && <SettingsScreen />}
            {place === 'setup' && <SetupScreen />}
          </main>
        </div>
        <Overlays />
        <ToastRegion store={desk.toasts} />
      </div>
    </CommandsProvider>
  );
}
