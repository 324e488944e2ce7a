import { useState } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { sentenceOf } from '../../ui/formFaults.ts';
import { nextFreeName } from './freeName.ts';

/** Gives an unknown terminal a vehicle with the next free name. */
export function useAddTerminal(
  terminalId: string,
  groupIds: readonly string[],
  onAdded: (vehicle: Vehicle) => void,
): { add: () => void; mayAdd: boolean; fault: string | null } {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  const add = async () => {
    setBusy(true);
    setFault(null);
    try {
      const names = [...app.vehicles.store.getState().byId.values()].map(({ name }) => name);
      const added = await app.vehicleActions.create({
        terminal_id: terminalId,
        name: nextFreeName(names, (number) => t('setup.name', { number })),
        group_ids: [...groupIds],
      });
      app.vehicles.put([added]);
      app.unknownTerminals.remove([terminalId]);
      onAdded(added);
    } catch (error) {
      setFault(sentenceOf(error, t, { already_exists: t('vehicle.exists') }));
    } finally {
      setBusy(false);
    }
  };

  return { add: () => void add(), mayAdd: !busy && !lost, fault };
}
