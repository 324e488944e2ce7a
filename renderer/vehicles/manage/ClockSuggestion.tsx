import { useCallback } from 'react';
import { vehicleRoutes, type Vehicle } from '../../../server/contract/vehicles.ts';
import { isProblem } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { useAction } from '../../resources/useAction.ts';
import { usePolling } from '../../resources/useReread.ts';
import { Button } from '../../ui/Button.tsx';
import { readVehicle } from './useVehicleForm.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import { formatAge } from '../../format/age.ts';
import type { Translate } from '../../i18n/text.ts';
import { rebaseForm } from '../../resources/rebaseForm.ts';
import { formOf, isChanged, vehicleDrafts } from './vehicleForm.ts';

/** What a terminal's clock seems to be ahead by, and a button that sets its vehicle to that. */
export function ClockSuggestion({
  vehicle,
  suggestion_s,
  disabled = false,
  onSet,
}: {
  vehicle: Vehicle;
  suggestion_s: number;
  disabled?: boolean;
  onSet?: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const { busy, sentence, run } = useAction();
  const set = () =>
    run(
      async () => {
        await setClockOffset(app, vehicle, suggestion_s);
        onSet?.();
      },
      {
        texts: { version_conflict: t('intake.clock.conflict') },
        onFailure: (error) =>
          isProblem(error, 'version_conflict') && readVehicle(app, vehicle).catch(() => undefined),
      },
    );
  return (
    <div className="clock-suggestion">
      <span className="fill">{sentence ?? clockWords(suggestion_s, t)}</span>
      <Button
        size="small"
        label={t('intake.clock.set_of', { offset: formatOffset(suggestion_s), vehicle: vehicle.name })}
        disabled={disabled || busy || lost}
        onPress={() => void set()}
      >
        {t('intake.clock.set', { offset: formatOffset(suggestion_s) })}
      </Button>
    </div>
  );
}

/** It takes minutes of messages to measure a clock. */
const againMs = 30_000;

/** How far the clock of a vehicle's terminal seems to be ahead, in seconds, where that is not what it is set to. */
export function useClockSuggestion({
  vehicle_id,
  clock_offset_s,
}: Pick<Vehicle, 'vehicle_id' | 'clock_offset_s'>): number | null {
  const { api } = useAppContext();
  const read = useCallback(
    (signal: AbortSignal) => api.request(vehicleRoutes.clock, { params: { vehicle: vehicle_id }, signal }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another setting is read at once, not with the next round
    [api, vehicle_id, clock_offset_s],
  );
  // A form does well without it.
  const { value: suggestion } = usePolling(read, againMs);
  // The suggestion for another setting is no longer valid.
  return suggestion?.clock_offset_s === clock_offset_s ? suggestion.suggested_clock_offset_s : null;
}

/** How far a clock is ahead, in its two largest units: 8 h, 5 h 30 min, −3 h, 0 s. */
export function formatOffset(s: number): string {
  return `${s < 0 ? '−' : ''}${formatAge(Math.abs(s) * 1_000)}`;
}

/** What a terminal's stamps say of its clock. */
export function clockWords(suggestion_s: number, t: Translate): string {
  if (suggestion_s === 0) return t('intake.clock.right');
  return t(suggestion_s > 0 ? 'intake.clock.ahead' : 'intake.clock.behind', {
    age: formatOffset(Math.abs(suggestion_s)),
  });
}

/**
 * Sets how far the clock of a vehicle's terminal is ahead, and leaves what else was typed in its form. Throws as
 * `vehicleActions.change` does.
 */
export async function setClockOffset(
  app: AppContext,
  vehicle: Vehicle,
  clock_offset_s: number,
): Promise<void> {
  const saved = await app.vehicleActions.change(vehicle, { clock_offset_s });
  const id = vehicle.vehicle_id;
  const drafts = vehicleDrafts(app);
  const draft = drafts.get(id);
  // A form that was behind already goes on to show what others changed.
  if (draft?.base?.version === vehicle.version) {
    const typed = rebaseForm(draft.form, formOf(draft.base), formOf(saved));
    const form = { ...typed, clock_offset_s: String(saved.clock_offset_s) };
    drafts.keep(id, isChanged(form, saved) ? { base: saved, form } : null);
  }
  app.vehicles.put([saved]);
}
