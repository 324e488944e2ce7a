import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { eventRoutes, type Event } from '../../server/contract/events.ts';
import { positionRoutes, track, type Position } from '../../server/contract/positions.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useOfNow } from '../appContext/useMoment.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';

/** Points that the chart of a day can show; stops and extremes are kept. */
const CHART_POINTS = 600;
const EVENTS = 50;

export interface VehicleDay {
  load: LoadState;
  /** Since the depot's midnight, in order of time. */
  track: readonly Position[];
  /** Newest first. */
  events: readonly Event[];
  retry: () => void;
}

/**
 * What a vehicle did today: read once a day, and continued by the stream. A component that shows another vehicle is another
 * component (`key`).
 */
export function useVehicleDay(vehicleId: string): VehicleDay {
  const app = useAppContext();
  const time = useStore(app.settings, (state) => state.time);
  const [day, setDay] = useState<{ track: Position[]; events: Event[] }>({ track: [], events: [] });
  const [load, setLoad] = useState<LoadState>({ phase: 'loading' });
  const from = useOfNow((now) => time.dayStart(now));

  const loader = useMemo(
    () =>
      createLoader({
        clock: app.clock,
        read: async (signal) => {
          const period = {
            from: new Date(from).toISOString(),
            to: new Date(app.serverTime.now() + 60_000).toISOString(),
          };
          const [{ positions }, { items }] = await Promise.all([
            app.api.read(positionRoutes.track, track, {
              params: { vehicle: vehicleId },
              query: { ...period, max_points: CHART_POINTS },
              signal,
            }),
            app.api.request(eventRoutes.list, {
              query: { vehicle: vehicleId, from: period.from, limit: EVENTS },
              signal,
            }),
          ]);
          return { track: positions, events: items };
        },
        take: (value) => {
          setDay((before) => ({
            track: withoutRepeats([...value.track, ...before.track], (it) => it.time).sort(byTime),
            events: withoutRepeats([...before.events, ...value.events], (it) => it.event_id).sort((a, b) =>
              byTime(b, a),
            ),
          }));
          app.trails.seed(vehicleId, value.track);
        },
        onState: setLoad,
      }),
    [app, vehicleId, from],
  );

  useEffect(() => {
    loader.load();
    const undo = [
      app.positions.onVehicle(vehicleId, () => {
        const fix = app.positions.get(vehicleId)?.fix;
        if (fix === undefined || fix === null) return;
        setDay((before) =>
          (before.track.at(-1)?.time ?? '') < fix.time
            ? { ...before, track: [...before.track, fix] }
            : before,
        );
      }),
      app.stream.on('event', (event) => {
        if (event.vehicle_id !== vehicleId) return;
        setDay((before) => ({
          ...before,
          events: [event, ...before.events.filter((it) => it.event_id !== event.event_id)].sort((a, b) =>
            byTime(b, a),
          ),
        }));
      }),
    ];
    return () => {
      undo.forEach((run) => run());
      loader.stop();
    };
  }, [app, loader, vehicleId]);

  const today = useMemo(() => {
    const isOfToday = (it: { time: string }) => Date.parse(it.time) >= from;
    return { track: day.track.filter(isOfToday), events: day.events.filter(isOfToday) };
  }, [day, from]);
  return { load, ...today, retry: () => loader.retry() };
}

function byTime(a: { time: string }, b: { time: string }): number {
  return a.time < b.time ? -1 : a.time > b.time ? 1 : 0;
}

function withoutRepeats<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
