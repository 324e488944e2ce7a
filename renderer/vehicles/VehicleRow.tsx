import { useStore } from 'zustand';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince, useOfNow } from '../appContext/useMoment.ts';
import { formatShortAge } from '../format/age.ts';
import { useT } from '../i18n/useT.ts';
import { Age } from '../ui/Moment.tsx';
import { showVehicle } from '../live/liveActions.ts';
import { VehicleGlyph } from '../map/glyphs/VehicleGlyph.tsx';
import { statusWords } from '../telemetry/statusWords.ts';
import { useLive, usePlace } from '../telemetry/useLive.ts';

/** Mean width of a letter at 13 px and weight 550, pixels. */
const LETTER_PX = 8.4;
const NAME_MIN_PX = 44;
const NAME_MAX_PX = 132;

/** Width of the column of names: they are never cut, unless one is longer than anybody can scan. */
export function nameWidthPx(vehicles: readonly Pick<Vehicle, 'name'>[]): number {
  let longest = 0;
  for (const { name } of vehicles) longest = Math.max(longest, name.length);
  return Math.round(Math.min(NAME_MAX_PX, Math.max(NAME_MIN_PX, longest * LETTER_PX)));
}

/** The first two cells of a row in words; long ones end in an ellipsis. */
export function NameAndPlace({ name, place }: { name: string; place: string }) {
  return (
    <>
      <span className="vehicle-row__name ellipsis" title={name}>
        {name}
      </span>
      <span className="quiet ellipsis" title={place}>
        {place}
      </span>
    </>
  );
}

export function VehicleRow({
  vehicleId,
  id,
  active,
}: {
  vehicleId: string;
  id: string;
  /** The keys act on it. */
  active: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(vehicleId));
  const status = useStore(app.statuses, (state) => state.byVehicle.get(vehicleId) ?? 'never');
  const needs = useStore(app.attention, (state) => state.byVehicle.get(vehicleId));
  const selected = useStore(app.view, (state) => state.vehicleId === vehicleId);
  const isPicked = useStore(app.view, (state) => state.selectedIds.has(vehicleId));
  const live = useLive(vehicleId);
  const place = usePlace(vehicleId);
  const lost = useLostSince() !== null;
  const does = useOfNow(() => {
    const idleFor = status === 'idle' && live?.idleSince ? app.asOf() - live.idleSince : 0;
    return idleFor < 60_000
      ? statusWords(status, live, t)
      : t('status.idle_for', { age: formatShortAge(idleFor) });
  });
  if (vehicle === undefined) return null;

  return (
    <div
      id={id}
      role="option"
      aria-selected={selected || isPicked}
      data-vehicle={vehicleId}
      data-picked={isPicked || undefined}
      data-active={active || undefined}
      className="vehicle-row"
      onClick={() => showVehicle(app, vehicleId)}
      onDoubleClick={() => showVehicle(app, vehicleId, { locate: true })}
    >
      <VehicleGlyph
        state={status}
        severity={needs?.severity ?? null}
        acknowledged={needs?.acknowledged ?? false}
        stale={lost}
        course={live?.fix?.course_deg ?? null}
        label={needs === undefined ? t(`status.${status}`) : t(`status.${status}.attention`)}
      />
      <NameAndPlace name={vehicle.name} place={place} />
      <span className="to-right">{does}</span>
      <span className={`vehicle-row__age${lost ? ' vehicle-row__age--stale' : ''}`}>
        {live === undefined ? '–' : <Age since={Date.parse((live.fix ?? live.last).time)} short />}
      </span>
    </div>
  );
}
