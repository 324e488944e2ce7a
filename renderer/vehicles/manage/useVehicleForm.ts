import { newVehicle, vehiclePatch, vehicleRoutes, type Vehicle } from '../../../server/contract/vehicles.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import { useResourceForm, type ResourceForm } from '../../resources/useResourceForm.ts';
import {
  formOf,
  newVehicleOf,
  patchOf,
  VEHICLE_FIELDS,
  vehicleDrafts,
  type FormFaults,
  type VehicleForm,
} from './vehicleForm.ts';

export type VehicleEditing = ResourceForm<Vehicle, VehicleForm>;

/**
 * The form of a vehicle, or of a new one.
 *
 * @param start what a new one begins with, or all that is typed; must keep its identity
 * @param isKept what is typed stays for the session
 */
export function useVehicleForm(
  vehicle: Vehicle | null,
  start: (vehicle: Vehicle | null) => VehicleForm = formOf,
  isKept = false,
): VehicleEditing {
  const app = useAppContext();
  const t = useT();
  const wrong = (faults: FormFaults) => {
    const words = {
      not_a_number: t('form.not_a_number'),
      name_twice: t('vehicles.attribute_twice'),
      name_missing: t('vehicles.attribute_nameless'),
    };
    return {
      faults: Object.fromEntries(Object.entries(faults).map(([field, fault]) => [field, words[fault]])),
    };
  };
  const keep = async (answer: Promise<Vehicle>) => {
    const saved = await answer;
    app.vehicles.put([saved]);
    return saved;
  };
  return useResourceForm({
    item: vehicle,
    formOf: start,
    requestOf: (form, base) => {
      if (base === null) {
        const read = newVehicleOf(form);
        if ('faults' in read) return wrong(read.faults);
        const body = read.vehicle;
        return { schema: newVehicle, body, send: () => keep(app.vehicleActions.create(body)) };
      }
      const read = patchOf(form, base);
      if ('faults' in read) return wrong(read.faults);
      const body = read.patch;
      if (Object.keys(body).length === 0) return null;
      return { schema: vehiclePatch, body, send: () => keep(app.vehicleActions.change(base, body)) };
    },
    fields: VEHICLE_FIELDS,
    texts: { already_exists: t('vehicle.exists'), version_conflict: `${t('conflict.vehicle')}.` },
    onConflict: (base) => base && readVehicle(app, base),
    ...(isKept && vehicle !== null ? { drafts: { of: vehicleDrafts(app), id: vehicle.vehicle_id } } : {}),
  });
}

/** Takes over a vehicle as it is now: the answer may be faster than the stream. Throws ApiProblem, Unreachable. */
export async function readVehicle(app: AppContext, { vehicle_id }: Vehicle): Promise<void> {
  app.vehicles.put([await app.api.request(vehicleRoutes.get, { params: { vehicle: vehicle_id } })]);
}
