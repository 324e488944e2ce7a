import { useState } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useLostSince } from '../../desk/useMoment.ts';
import { useText } from '../../i18n/useText.ts';
import { sentenceOf } from '../../ui/formFaults.ts';
import { freeName } from './freeName.ts';

/** Gives a terminal that knocks a vehicle, whose name is the first that is free. */
export function useAddTerminal(
  terminalId: string,
  groupIds: readonly string[],
  onAdded: (vehicle: Vehicle) => void,
): { add: () => void; mayAdd: boolean; fault: string | null } {
  const desk = useDesk();
  const say = useText();
  const lost = useLostSince() !== null;
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  const add = async () => {
    setBusy(true);
    setFault(null);
    try {
      const names = [...desk.vehicles.store.getState().byId.values()].map(({ name }) => name);
      const added = await desk.vehicleActions.create({
        terminal_id: terminalId,
        name: freeName(names, (number) => say('setup.name', { number })),
        group_ids: [...groupIds],
      });
      desk.vehicles.put([added]);
      desk.knocking.remove([terminalId]);
      onAdded(added);
    } catch (error) {
      setFault(sentenceOf(error, say, { already_exists: say('vehicle.exists') }));
    } finally {
      setBusy(false);
    }
  };

  return { add: () => void add(), mayAdd: !busy && !lost, fault };
}
