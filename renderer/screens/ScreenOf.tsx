import type { ScreenName } from '../navigation/navigation.ts';
import { laterPart, type LaterPart } from './laterPart.tsx';

/** Every screen but Live, whose code the first picture does without. */
export const FURTHER_SCREENS: Record<Exclude<ScreenName, 'live'>, LaterPart> = {
  history: laterPart(async () => (await import('./HistoryScreen.tsx')).HistoryScreen),
  shift: laterPart(async () => (await import('./ShiftScreen.tsx')).ShiftScreen),
  events: laterPart(async () => (await import('./EventsScreen.tsx')).EventsScreen),
  incidents: laterPart(async () => (await import('./IncidentsScreen.tsx')).IncidentsScreen),
  video: laterPart(async () => (await import('./VideoScreen.tsx')).VideoScreen),
  geofences: laterPart(async () => (await import('./GeofencesScreen.tsx')).GeofencesScreen),
  rules: laterPart(async () => (await import('./RulesScreen.tsx')).RulesScreen),
  reports: laterPart(async () => (await import('./ReportsScreen.tsx')).ReportsScreen),
  vehicles: laterPart(async () => (await import('./VehiclesScreen.tsx')).VehiclesScreen),
  users: laterPart(async () => (await import('./UsersScreen.tsx')).UsersScreen),
  settings: laterPart(async () => (await import('./SettingsScreen.tsx')).SettingsScreen),
  setup: laterPart(async () => (await import('./SetupScreen.tsx')).SetupScreen),
};

export function ScreenOf({ place }: { place: Exclude<ScreenName, 'live'> }) {
  const { Part } = FURTHER_SCREENS[place];
  return <Part />;
}
