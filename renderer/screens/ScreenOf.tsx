import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { ScreenName } from '../navigation/navigation.ts';
import { laterPart, type LaterPart } from './laterPart.tsx';
import { SettingsScreen } from './SettingsScreen.tsx';
import { SetupScreen } from './SetupScreen.tsx';
import { VideoScreen } from './VideoScreen.tsx';

/** What is not looked at all night. */
export const FURTHER_SCREENS: Partial<Record<ScreenName, LaterPart>> = {
  history: laterPart(async () => (await import('./HistoryScreen.tsx')).HistoryScreen),
  events: laterPart(async () => (await import('./EventsScreen.tsx')).EventsScreen),
  geofences: laterPart(async () => (await import('./GeofencesScreen.tsx')).GeofencesScreen),
  rules: laterPart(async () => (await import('./RulesScreen.tsx')).RulesScreen),
  reports: laterPart(async () => (await import('./ReportsScreen.tsx')).ReportsScreen),
  vehicles: laterPart(async () => (await import('./VehiclesScreen.tsx')).VehiclesScreen),
  users: laterPart(async () => (await import('./UsersScreen.tsx')).UsersScreen),
};

/** Every screen but Live. */
export function ScreenOf({ place }: { place: Exclude<ScreenName, 'live'> }) {
  const { navigation } = useAppContext();
  const taskId = useStore(navigation.store, ({ query }) => query['task'] ?? null);
  if (place === 'video') return <VideoScreen taskId={taskId} />;
  if (place === 'settings') return <SettingsScreen />;
  if (place === 'setup') return <SetupScreen />;
  const Further = FURTHER_SCREENS[place]?.Part;
  return Further === undefined ? null : <Further />;
}
