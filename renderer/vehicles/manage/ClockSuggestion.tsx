import { useState } from 'react';
import { vehicleRoutes, type Vehicle } from '../../../server/contract/vehicles.ts';
import { isProblem } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { clockWords, offsetText } from './clockOffset.ts';
import { setClockOffset } from './setClockOffset.ts';

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
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  const set = async () => {
    setBusy(true);
    setFault(null);
    try {
      await setClockOffset(app, vehicle, suggestion_s);
      onSet?.();
    } catch (error) {
      if (isProblem(error, 'version_conflict')) await readAgain().catch(() => undefined);
      setFault(sentenceOf(error, t, { version_conflict: t('intake.clock.conflict') }));
    } finally {
      setBusy(false);
    }
  };

  /** The stream brings what others changed too; the answer may be faster. */
  const readAgain = async () => {
    const params = { vehicle: vehicle.vehicle_id };
    app.vehicles.put([await app.api.request(vehicleRoutes.get, { params })]);
  };

  return (
    <div className="clock-suggestion">
      <span className="fill">{fault ?? clockWords(suggestion_s, t)}</span>
      <Button
        size="small"
        label={t('intake.clock.set_of', { offset: offsetText(suggestion_s), vehicle: vehicle.name })}
        disabled={disabled || busy || lost}
        onPress={() => void set()}
      >
        {t('intake.clock.set', { offset: offsetText(suggestion_s) })}
      </Button>
    </div>
  );
}
