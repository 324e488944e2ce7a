import { useState } from 'react';
import { useStore } from 'zustand';
import { vehicleRoutes, type Vehicle } from '../../../server/contract/vehicles.ts';
import { isProblem } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import { faultsByField, faultsOf, sentenceOf, type FieldErrors } from '../../ui/formFaults.ts';
import { rebaseForm } from '../../ui/typedSince.ts';
import { draftsOf, keepDraft } from './drafts.ts';
import { formOf, isChanged, patchOf, type FormFaults, type VehicleForm } from './vehicleForm.ts';

export interface VehicleEditing {
  form: VehicleForm;
  /** The vehicle that the form began from. */
  base: Vehicle;
  change: (form: VehicleForm) => void;
  isChanged: boolean;
  /** Somebody else saved the vehicle since the form began. */
  isBehind: boolean;
  faults: FieldErrors;
  sentence: string | null;
  busy: boolean;
  /** While others are ahead nothing is saved, unless `overTheirs`: then this form's changes go on top of theirs. */
  save: (overTheirs?: boolean) => Promise<void>;
  /** Throws the form away and shows the vehicle as it is. */
  reset: () => void;
}

/** A vehicle's form: follows the vehicle until something is typed, and from then on keeps what was typed. */
export function useVehicleForm(vehicle: Vehicle): VehicleEditing {
  const app = useAppContext();
  const t = useT();
  const id = vehicle.vehicle_id;
  const draft = useStore(draftsOf(app), (state) => state.byVehicle.get(id));
  const [faults, setFaults] = useState<FieldErrors>({});
  const [sentence, setSentence] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const base = draft?.base ?? vehicle;
  const form = draft?.form ?? formOf(vehicle);
  // While saving, what the stream brings may be this very change.
  const isBehind = draft !== undefined && !busy && vehicle.version > base.version;

  const change = (next: VehicleForm) => {
    setSentence(null);
    setFaults({});
    keepDraft(app, id, isChanged(next, base) ? { base, form: next } : null);
  };

  const save = async (overTheirs = false) => {
    if (busy || draft === undefined || (isBehind && !overTheirs)) return;
    // What others changed meanwhile stays, but for the fields that this form changes too.
    const merged = isBehind ? rebaseForm(form, formOf(base), formOf(vehicle)) : form;
    const against = isBehind ? vehicle : base;
    const read = patchOf(merged, against);
    if ('faults' in read) {
      setFaults(faultWords(read.faults, t));
      return;
    }
    setBusy(true);
    setSentence(null);
    try {
      const saved = await app.vehicleActions.change(against, read.patch);
      app.vehicles.put([saved]);
      const typed = draftsOf(app).getState().byVehicle.get(id)?.form ?? form;
      const next = rebaseForm(typed, form, formOf(saved));
      keepDraft(app, id, isChanged(next, saved) ? { base: saved, form: next } : null);
      setFaults({});
    } catch (error) {
      if (isProblem(error, 'version_conflict')) {
        await readAgain().catch(() => undefined);
      } else {
        const found = faultsByField(faultsOf(error));
        setFaults(found);
        // What is wrong with a field stands at the field.
        if (Object.keys(found).length === 0)
          setSentence(sentenceOf(error, t, { already_exists: t('vehicle.exists') }));
      }
    } finally {
      setBusy(false);
    }
  };

  /** The stream brings the other's change too; the answer may be faster. */
  const readAgain = async () => {
    app.vehicles.put([await app.api.request(vehicleRoutes.get, { params: { vehicle: id } })]);
  };

  return {
    form,
    base,
    change,
    isChanged: draft !== undefined,
    isBehind,
    faults,
    sentence,
    busy,
    save,
    reset() {
      setFaults({});
      setSentence(null);
      keepDraft(app, id, null);
    },
  };
}

export function faultWords(faults: FormFaults, t: Translate): FieldErrors {
  const words = {
    not_a_number: t('form.not_a_number'),
    name_twice: t('vehicles.attribute_twice'),
    name_missing: t('vehicles.attribute_nameless'),
  };
  return Object.fromEntries(Object.entries(faults).map(([field, fault]) => [field, words[fault]]));
}
