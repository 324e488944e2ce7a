import { lazy, Suspense, useEffect, useMemo, type ComponentType, type LazyExoticComponent } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { COMMANDS } from '../commands/commands.ts';
import { listenForShortcuts } from '../commands/shortcuts.ts';
import { liveLayout } from '../live/liveLayout.ts';
import { useWindowSize } from '../ui/useWindowSize.ts';
import { ToastRegion } from '../ui/ToastRegion.tsx';
import { LiveScreen } from './LiveScreen.tsx';
import { Overlays } from './Overlays.tsx';
import { Rail } from './Rail.tsx';
import { SettingsScreen } from './SettingsScreen.tsx';
import { SetupScreen } from './SetupScreen.tsx';
import { VideoScreen } from './VideoScreen.tsx';
import { TopBar } from './TopBar.tsx';
import { canOpen } from '../navigation/mayOpen.ts';
import type { ScreenName } from '../navigation/navigation.ts';
import './AppShell.css';

/** What is not looked at all night comes when it is opened. */
const FURTHER_SCREENS: Partial<Record<ScreenName, LazyExoticComponent<ComponentType>>> = {
  events: lazy(async () => ({ default: (await import('./EventsScreen.tsx')).EventsScreen })),
  geofences: lazy(async () => ({ default: (await import('./GeofencesScreen.tsx')).GeofencesScreen })),
  rules: lazy(async () => ({ default: (await import('./RulesScreen.tsx')).RulesScreen })),
  reports: lazy(async () => ({ default: (await import('./ReportsScreen.tsx')).ReportsScreen })),
  vehicles: lazy(async () => ({ default: (await import('./VehiclesScreen.tsx')).VehiclesScreen })),
  users: lazy(async () => ({ default: (await import('./UsersScreen.tsx')).UsersScreen })),
};

/** What stands round every screen: the rail, the top bar, dialogs and the toast. */
export function AppShell() {
  const app = useAppContext();
  const { place: asked, query } = useStore(app.navigation.store);
  // An address may name a screen that this user may not open.
  const place = canOpen(app.user, asked) ? asked : 'live';
  const Further = FURTHER_SCREENS[place];
  const panes = useStore(app.preferences, (state) => state.panes);
  const panelShown = useStore(app.view, (state) => state.vehicleId !== null || state.geofenceEdit !== null);
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

  useEffect(
    () => listenForShortcuts(window, COMMANDS, app, () => app.preferences.getState().singleKeys),
    [app],
  );

  return (
    <div className="shell">
      <Rail place={place} narrow={layout.railWidth === 48} />
      <div className="shell__main">
        <TopBar />
        <main className="shell__screen">
          {place === 'live' && <LiveScreen layout={layout} />}
          {place === 'video' && <VideoScreen taskId={query['task'] ?? null} />}
          {Further !== undefined && (
            <Suspense>
              <Further />
            </Suspense>
          )}
          {place === 'settings' && <SettingsScreen />}
          {place === 'setup' && <SetupScreen />}
        </main>
      </div>
      <Overlays />
      <ToastRegion store={app.toasts} />
    </div>
  );
}
