import { useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useStore } from 'zustand';
import type { Event, EventDetails } from '../../server/contract/events.ts';
import { positionRoutes, track, type Position } from '../../server/contract/positions.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { createLoader } from '../resources/loader.ts';
import { speedSeries } from '../telemetry/today.ts';
import { EventMarks } from '../vehicles/EventMarks.tsx';
import { SPEED_AXIS_PX, speedChartOptions } from '../vehicles/speedChart.ts';

const HEIGHT_PX = 96;
/** So much of the drive before and after is what makes a peak a peak. */
const AROUND_MS = 120_000;
const POINTS = 600;

/** The speed around the moment, with the limit where there was one; nothing where no track is known. */
export function WhyChart({
  vehicleId,
  details,
  at,
  events,
}: {
  vehicleId: string;
  details: EventDetails;
  at: string;
  events: readonly Event[];
}) {
  const t = useT();
  const positions = useTrackAround(vehicleId, details, at);
  const series = useMemo(() => speedSeries(positions), [positions]);
  const first = series.times[0];
  const last = series.times.at(-1);
  if (first === undefined || last === undefined || first === last) return null;
  return (
    <section className="why__section">
      <h3>{t('why.speed')}</h3>
      <div style={{ paddingLeft: SPEED_AXIS_PX }}>
        <EventMarks events={events} from={first * 1_000} to={last * 1_000} />
      </div>
      <Chart series={series} limitKmh={details.unit === 'km/h' ? details.threshold : null} />
    </section>
  );
}

function Chart({ series, limitKmh }: { series: ReturnType<typeof speedSeries>; limitKmh: number | null }) {
  const app = useAppContext();
  const t = useT();
  const time = useStore(app.settings, (state) => state.time);
  const theme = useStore(app.preferences, (state) => state.theme);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = element.current;
    if (parent === null) return;
    const plot = new uPlot(
      speedChartOptions({ element: parent, width: parent.clientWidth, height: HEIGHT_PX, time, limitKmh }),
      [series.times, series.speeds],
      parent,
    );
    const watch = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height: HEIGHT_PX }));
    watch.observe(parent);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [series, time, theme, limitKmh]);
  return <div ref={element} role="img" aria-label={t('why.speed')} style={{ height: HEIGHT_PX }} />;
}

/** An extra: what cannot be read is left out, and read again when the server is back. */
function useTrackAround(vehicleId: string, details: EventDetails, at: string): readonly Position[] {
  const { api, clock } = useAppContext();
  const [positions, setPositions] = useState<readonly Position[]>([]);
  const moments = [...details.fixes.map((fix) => Date.parse(fix.time)), Date.parse(at)];
  const from = Math.min(...moments) - AROUND_MS;
  const to = Math.max(...moments) + AROUND_MS;
  useEffect(() => {
    const loader = createLoader({
      clock,
      read: (signal) =>
        api.read(positionRoutes.track, track, {
          params: { vehicle: vehicleId },
          query: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), max_points: POINTS },
          signal,
        }),
      take: (found) => setPositions(found.positions),
      onState: () => undefined,
    });
    loader.load();
    return () => loader.stop();
  }, [api, clock, vehicleId, from, to]);
  return positions;
}
