/** As `POST /api/v1/vehicles/import` takes it. */
interface VehicleProfile {
  terminal_id: string;
  name: string;
  plate: string;
  type: 'car' | 'van' | 'truck' | 'bus';
  driver: string;
  phone: string;
}

export type VehicleRole =
  | 'bus line 1'
  | 'bus line 2'
  | 'delivery'
  | 'haulage'
  | 'service'
  | 'hurried'
  | 'parked'
  | 'idling'
  | 'silent'
  | 'dead spot';

export interface RosterEntry {
  profile: VehicleProfile;
  group: 'Buses' | 'Deliveries' | 'Haulage' | 'Service cars';
  role: VehicleRole;
}

/** The three vehicles that the first minute is about, by name. */
export const SCRIPTED = { quay: 'V 19', overspeed: 'V 17', sos: 'V 20' } as const;

const ROLES: VehicleRole[] = [
  'delivery',
  'haulage',
  'bus line 1',
  'service',
  'delivery',
  'haulage',
  'bus line 2',
  'delivery',
  'hurried',
  'parked',
  'bus line 1',
  'haulage',
  'silent',
  'service',
  'bus line 2',
  'haulage',
  'hurried',
  'delivery',
  'haulage',
  'bus line 1',
  'delivery',
  'hurried',
  'parked',
  'bus line 2',
  'delivery',
  'haulage',
  'idling',
  'dead spot',
  'haulage',
  'parked',
];
/** Parked vehicles of the roster that are trucks; the other parked ones are vans. */
const PARKED_TRUCK = 'V 23';

const DRIVERS =
  'R. Abara,L. Moreau,T. Brandt,S. Lindqvist,C. Duarte,P. Novak,E. Holt,J. Marsh,A. Kowal,D. Finch,N. Ferrante,' +
  'B. Osei,K. Vance,I. Petrescu,H. Tanaka,G. Petrov,M. Okafor,F. Keller,W. Sato,Y. Demir,O. Hansen,V. Costa,Z. Baran,' +
  'U. Lang,Q. Rossi,R. Elmas,T. Quist,L. Vogel,M. Ibarra,S. Thorne';

/** The same thirty for every seed: their names are what an operator learns. */
export function fleetRoster(): RosterEntry[] {
  const drivers = DRIVERS.split(',');
  return ROLES.map((role, index) => {
    const number = index + 1;
    const name = `V ${number}`;
    const type = typeOf(role, name);
    return {
      role,
      group: { bus: 'Buses', van: 'Deliveries', truck: 'Haulage', car: 'Service cars' }[
        type
      ] as RosterEntry['group'],
      profile: {
        terminal_id: `alder-${String(number).padStart(3, '0')}`,
        name,
        plate: `AL ${String(1000 + ((number * 2311) % 9000))}`,
        type,
        driver: drivers[index] ?? '',
        // Ofcom keeps 07700 900000 to 900999 free for drama: nobody's telephone rings.
        phone: `+44 7700 900${String(100 + number)}`,
      },
    };
  });
}

function typeOf(role: VehicleRole, name: string): VehicleProfile['type'] {
  switch (role) {
    case 'bus line 1':
    case 'bus line 2':
      return 'bus';
    case 'haulage':
      return 'truck';
    case 'service':
    case 'idling':
    case 'silent':
      return 'car';
    case 'hurried':
      return name === SCRIPTED.overspeed ? 'van' : 'car';
    case 'parked':
      return name === PARKED_TRUCK ? 'truck' : 'van';
    case 'delivery':
    case 'dead spot':
      return 'van';
  }
}
