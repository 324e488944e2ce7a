import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { DriveName } from '../drivers/DriverName.tsx';
import { driveAtMoment, useVehicleDrives } from '../drivers/useDriveAt.ts';
import { useT } from '../i18n/useT.ts';

/** Who drove the vehicle that is looked at, at the instant of the cursor. Nothing where nobody is known. */
export function PastDriver({ vehicleId }: { vehicleId: string }) {
  const { history } = useAppContext();
  const t = useT();
  const { from, to } = useStore(history.store, (state) => state.day);
  const shownAt = useStore(history.store, (state) => state.shownAt);
  const drive = driveAtMoment(useVehicleDrives(vehicleId, from, to), shownAt);
  if (drive === null) return null;
  return (
    <p className="past-driver ellipsis">
      <span className="quiet">{t('vehicle.driver')}</span> <DriveName drive={drive} />{' '}
      <span className="faint small">{t(drive.card === null ? 'drivers.by_hand' : 'drivers.by_card')}</span>
    </p>
  );
}
