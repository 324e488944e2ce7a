import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useVideo } from '../useVideo.ts';
import { orderSubject, type OrderSubject } from './orderLabels.ts';
import { videoOrders, type VideoRequest } from './videoOrders.ts';

/** All orders of this user, the newest first. */
export function useOrders(): readonly VideoRequest[] {
  const video = useVideo();
  const tasks = useStore(video.tasks, (state) => state.byId);
  const clips = useStore(video.clips.store, (state) => state.clips);
  return useMemo(() => videoOrders(tasks.values(), (id) => clips.get(id)?.whole === true), [tasks, clips]);
}

/** Reads the events that orders are about, as far as the queue does not know them. */
export function useEventsOf(orders: readonly VideoRequest[]): void {
  const video = useVideo();
  const ids = orders.flatMap(({ eventId }) => (eventId === null ? [] : [eventId])).join(' ');
  useEffect(() => {
    if (ids !== '') video.events.want(ids.split(' '));
  }, [video, ids]);
}

export function useSubject(order: VideoRequest): OrderSubject | null {
  const app = useAppContext();
  const video = useVideo();
  const notifications = useStore(app.notifications.store, (state) => state.byId);
  const events = useStore(video.events.store, (state) => state.byId);
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  return useMemo(
    () => orderSubject(order, { notifications: notifications.values(), events }, app),
    // The names of geofences stand in the words.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the texts read the geofences through the app context
    [order, notifications, events, geofences, app],
  );
}

/** "1 Front": the names of channels by their numbers, as far as the vehicle's profile is known. */
export function useChannelNames(vehicleId: string): (channel: number) => string {
  const video = useVideo();
  const profile = useStore(video.profiles.store, (state) => state.byVehicle.get(vehicleId));
  useEffect(() => {
    // Without names the numbers stand alone; the next look asks again.
    if (profile === undefined) void video.profiles.readAll().catch(() => undefined);
  }, [video, vehicleId, profile]);
  return (channel) => profile?.channels.find((it) => it.channel === channel)?.name ?? '';
}
