import { useStore } from 'zustand';
import type { Incident } from '../../server/contract/incidents.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { selectedIncident } from './incidentActions.ts';

/** The incident that the screen of incidents shows, in its newest state. */
export function useSelectedIncident(): Incident | null {
  const app = useAppContext();
  // Asked for so that it follows them.
  useStore(app.navigation.store);
  useStore(app.incidents.store, (state) => state.byId);
  return selectedIncident(app);
}
