import { describe, expect, it } from 'vitest';
import { proposeMapping, vehicleColumns } from '../../../server/contract/vehicleColumns.ts';

describe('the proposed columns', () => {
  it.each([
    ['Traccar', ['id', 'name', 'uniqueId', 'phone', 'category'], ['name', 'uniqueId', 'phone', 'category']],
    ['Wialon', ['Name', 'Unique ID', 'Phone number'], ['Name', 'Unique ID', 'Phone number']],
    [
      'Samsara',
      ['Vehicle Name', 'Serial number', 'License Plate', 'VIN'],
      ['Vehicle Name', 'Serial number', 'License Plate', 'VIN'],
    ],
    ['Navixy', ['label', 'device_id', 'phone'], ['label', 'device_id', 'phone']],
    [
      'a list in German',
      ['Fahrzeug', 'Geräte-ID', 'Kfz-Kennzeichen', 'FIN', 'Handy-Nr.'],
      ['Fahrzeug', 'Geräte-ID', 'Kfz-Kennzeichen', 'FIN', 'Handy-Nr.'],
    ],
    [
      'a list in French',
      ['Nom du véhicule', 'N° IMEI', 'Immatriculation', 'Téléphone'],
      ['Nom du véhicule', 'N° IMEI', 'Immatriculation', 'Téléphone'],
    ],
    [
      'a list in Polish',
      ['Pojazd', 'Numer IMEI', 'Numer rejestracyjny', 'Kierowca'],
      ['Pojazd', 'Numer IMEI', 'Numer rejestracyjny', 'Kierowca'],
    ],
    [
      'a list in Russian',
      ['Объект', 'IMEI', 'Гос. номер', 'Водитель'],
      ['Объект', 'IMEI', 'Гос. номер', 'Водитель'],
    ],
  ])('the proposed columns of %s are those of the fields', (_, columns, used) => {
    const found = new Set(Object.values(proposeMapping(columns)));
    expect(columns.filter((it) => found.has(it))).toEqual(columns.filter((it) => used.includes(it)));
  });

  it('the proposed columns prefer the IMEI to another number of the terminal, and use each column once', () => {
    const columns = ['Serial number', 'Device', 'IMEI', 'Vehicle', 'Vehicle name'];
    expect(proposeMapping(columns)).toEqual({ terminal_id: 'IMEI', name: 'Vehicle name' });
  });

  it('the proposed columns are those with names of fields before all others', () => {
    expect(proposeMapping(['IMEI', 'terminal_id', 'Terminal ID'])).toEqual({ terminal_id: 'terminal_id' });
    expect(proposeMapping(['Device ID', 'Unit Name', 'License Plate', 'VIN', 'Group', ''])).toEqual({
      ...{
        terminal_id: 'Device ID',
        name: 'Unit Name',
        plate: 'License Plate',
        vin: 'VIN',
        group_ids: 'Group',
      },
    });
    expect(proposeMapping(['Fahrzeug', 'Bemerkung', 'Höchstgeschwindigkeit'])).toEqual({
      ...{ name: 'Fahrzeug', speed_limit_kmh: 'Höchstgeschwindigkeit' },
    });
  });

  it('the proposed columns leave out colours, which lists name in words', () => {
    expect(proposeMapping(['Color', 'color (hex)'])).toEqual({});
    expect(proposeMapping([...vehicleColumns])).toEqual(
      Object.fromEntries(vehicleColumns.map((field) => [field, field])),
    );
  });
});
