import { useStore } from 'zustand';
import type { Drive } from '../../server/contract/drivers.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { Translate } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { NEW } from '../navigation/navigation.ts';
import { Button } from '../ui/Button.tsx';
import { driverOf } from './currentDriver.ts';
import './drivers.css';

type Driven = Pick<Vehicle, 'current_driver' | 'driver' | 'phone'>;

/** A driver's name, or the card that nobody is known to have; null: nobody is named. */
export function driverText(vehicle: Driven, t: Translate): string | null {
  const driver = driverOf(vehicle);
  if (driver === null) return null;
  return driver.name ?? (driver.card === null ? null : t('drivers.unknown_card', { card: driver.card }));
}

/** The name and the phone, which calls on devices that can. */
export function DriverName({ vehicle }: { vehicle: Driven }) {
  const t = useT();
  const phone = driverOf(vehicle)?.phone ?? null;
  return (
    <>
      {driverText(vehicle, t)} {phone !== null && <PhoneLink phone={phone} />}
    </>
  );
}

export function PhoneLink({ phone }: { phone: string }) {
  return (
    <a className="in-accent num" href={`tel:${phone.replaceAll(/[^\d+*#]/g, '')}`}>
      {phone}
    </a>
  );
}

/** How the driver is reached; of a card that nobody is known to have, how somebody gets it. Nothing where nobody is named. */
export function DriverContact({ vehicle, mayAdd }: { vehicle: Driven; mayAdd: boolean }) {
  const app = useAppContext();
  const t = useT();
  const driver = driverOf(vehicle);
  const card = driver?.name === null ? driver.card : null;
  if (driver === null || (driver.phone === null && (card === null || !mayAdd))) return null;
  return (
    <div className="vehicle-panel__section driver-assignment">
      <span className="fill ellipsis">{driver.name ?? card}</span>
      {driver.phone !== null && <PhoneLink phone={driver.phone} />}
      {card !== null && mayAdd && (
        <Button size="small" onPress={() => app.navigation.go('vehicles', { tab: 'drivers', id: NEW, card })}>
          {t('drivers.add_for_card')}
        </Button>
      )}
    </div>
  );
}

/** Who drove then, with the phone of today. */
export function DriveName({ drive }: { drive: Pick<Drive, 'driver_id' | 'driver_name' | 'card'> }) {
  const { drivers } = useAppContext();
  const t = useT();
  const phone = useStore(drivers.store, (state) => state.byId.get(drive.driver_id ?? '')?.phone ?? null);
  const { driver_name, card } = drive;
  return (
    <>
      {driver_name ?? (card === null ? '–' : t('drivers.unknown_card', { card }))}{' '}
      {phone !== null && <PhoneLink phone={phone} />}
    </>
  );
}
