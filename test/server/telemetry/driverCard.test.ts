import { expect, it } from 'vitest';
import { driverCardOf, withDriverCard } from '../../../server/telemetry/driverCard.ts';

it.each([
  ['an iButton of Teltonika', { ibutton: '0102030405060708' }, '0102030405060708'],
  ['an iButton of Wialon IPS', { ibutton: 'AB45DF01145' }, 'AB45DF01145'],
  ['an RFID card of Teltonika', { rfid: '00000000004c1a2b' }, '00000000004c1a2b'],
  ['a number of a card of Teltonika', { driver_card_id: 7_654_321 }, '7654321'],
  ['a driver of OsmAnd', { driverUniqueId: ' anna-7 ' }, 'anna-7'],
  ['a driver of Wialon’s parameters', { avl_driver: '4711' }, '4711'],
  [
    'a driver of JT/T 808 who comes',
    { driver_card: 'in', driver_card_result: 0, driver_name: '张三', driver_licence: 'LIC-77' },
    'LIC-77',
  ],
  ['a driver of JT/T 808 of 2011', { driver_name: '张三', driver_id: 'ID-5' }, 'ID-5'],
  ['a driver of JT/T 808 who goes', { driver_card: 'out' }, ''],
  ['a card that JT/T 808 could not read', { driver_card: 'in', driver_card_result: 4 }, null],
  ['a card that a program names', { driver_card_number: 'C-1', ibutton: '7' }, 'C-1'],
  ['a reader without a key', { ibutton: '0000000000000000', rfid: 'NA' }, null],
  ['a message without a card', { movement: true }, null],
])('%s is read as the card that identifies the driver', (_, attributes, card) => {
  expect(driverCardOf(attributes)).toBe(card);
});

it('attributes without a card stay the same object', () => {
  const attributes = { movement: true };
  expect(withDriverCard(attributes)).toBe(attributes);
  expect(withDriverCard({ rfid: '7' })).toEqual({ rfid: '7', driver_card_number: '7' });
});
