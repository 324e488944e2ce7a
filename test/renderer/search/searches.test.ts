import { describe, expect, it } from 'vitest';
import type { Driver } from '../../../server/contract/drivers.ts';
import type { User } from '../../../server/contract/users.ts';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { paletteEntries } from '../../../renderer/commands/paletteEntries.tsx';
import { driverSearch, incidentSearch, userSearch } from '../../../renderer/search/searches.ts';
import { wanted } from '../../../renderer/vehicles/manage/vehicleTable.ts';
import { openSession } from '../commands/openSession.ts';
import { sampleIncident, sampleVehicle } from '../samples.ts';

const anyVehicle = { status: null, groupId: null };

describe('the search of each kind of record', () => {
  const vehicles = [
    sampleVehicle({ vehicle_id: 'v1', name: 'Van 1', plate: 'AL 4287', terminal_id: '860001', phone: null }),
    sampleVehicle({
      ...{ vehicle_id: 'v2', name: 'Lorry 2', plate: 'B-MÜ 77', terminal_id: '860002' },
      ...{ phone: '+49 30 55-17', driver: 'Anna Weiß', vin: 'WDB9066331S123456' },
    }),
    sampleVehicle({ vehicle_id: 'v3', name: 'Van 3', plate: null, terminal_id: '860003', phone: null }),
  ];

  it.each([
    ['al4287', ['v1']],
    ['AL-42', ['v1']],
    ['b mu77', ['v2']],
    ['+493055', ['v2']],
    ['30-5517', ['v2']],
    ['weiss anna', ['v2']],
    ['1s123456', ['v2']],
    ['860003', ['v3']],
    ['van', ['v1', 'v3']],
    ['van van', []],
    ['nobody', []],
  ])('the palette and the table of vehicles find the same by %s', (typed, ids) => {
    const { app } = openSession();
    app.vehicles.put(vehicles);
    const inTable = wanted(vehicles, { ...anyVehicle, text: typed }, new Map());
    const inPalette = paletteEntries(app, typed).filter(({ id }) => id.startsWith('vehicle-'));
    expect(inTable.map((it) => it.vehicle_id)).toEqual(ids);
    expect(inPalette.map(({ id }) => id).toSorted()).toEqual(ids.map((id) => `vehicle-${id}`));
  });

  it('users are found by login, name and address, in upper and lower case', () => {
    const anna = { user_id: 'u1', login: 'a.weiss', name: 'Anna Weiss', email: null } as User;
    const ben = { user_id: 'u2', login: 'ben', name: null, email: 'Ben@Depot.example' } as User;
    expect(userSearch.filter([anna, ben], 'WEISS ann')).toEqual([anna]);
    expect(userSearch.filter([anna, ben], 'depot')).toEqual([ben]);
    expect(userSearch.filter([anna, ben], '  ')).toEqual([anna, ben]);
  });

  it('drivers are found by phone, card and licence', () => {
    const driver = { name: 'Ben', phone: '+49 40 1', licence_number: 'L-9', external_id: null } as Driver;
    const anna = { ...driver, cards: [{ number: 'CARD 12' }] } as Driver;
    for (const typed of ['49401', 'card12', 'l9', 'ben card'])
      expect(driverSearch.filter([anna], typed), typed).toEqual([anna]);
  });

  it('incidents are found by what their vehicle is called now', () => {
    const incident = sampleIncident({ vehicle_id: 'v1' });
    const called = (name: string) => new Map<string, Vehicle>([['v1', sampleVehicle({ name })]]);
    expect(incidentSearch(called('Van 1')).filter([incident], 'van')).toEqual([incident]);
    expect(incidentSearch(called('Lorry')).filter([incident], 'van')).toEqual([]);
    expect(incidentSearch(called('Lorry')).filter([incident], `#${incident.number} lor`)).toEqual([incident]);
  });
});
