import { useStore } from 'zustand';
import type { DepotTime } from '../format/depotTime.ts';
import { useAppContext } from './AppContextProvider.tsx';

/** The server's time, moving once a second. */
export function useNow(): number {
  const { serverTime } = useAppContext();
  return useStore(serverTime.ticks, (state) => state.now);
}

/** What is made of the server's time: what shows it is drawn again when that changes, not every second. */
export function useOfNow<T extends string | number | boolean | null>(of: (now: number) => T): T {
  const { serverTime } = useAppContext();
  return useStore(serverTime.ticks, (state) => of(state.now));
}

/** Moments in the depot's time zone. */
export function useDepotTime(): DepotTime {
  const { settings } = useAppContext();
  return useStore(settings, (state) => state.time);
}

/** Since when the server is lost, by the server's time; null while it is not. */
export function useLostSince(): number | null {
  const { connection, serverTime } = useAppContext();
  return useStore(connection, ({ link }) => (link.phase === 'lost' ? serverTime.of(link.since) : null));
}
