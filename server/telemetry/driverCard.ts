import { cardKey, driverCard } from '../contract/sameKeys.ts';
import { type Attributes } from '../contract/fields.ts';

/**
 * Where protocols put the number of a driver's card or key, the first that is there counts. Of Teltonika and Wialon IPS
 * `ibutton` (AVL id 78, the field of that name), of Teltonika `rfid` (207) and `driver_card_id` (406), of JT/T 808 the
 * licence or the number on the card (0x0702), of OsmAnd `driverUniqueId`, of Wialon's parameters `avl_driver`.
 */
const sources = [
  ...['ibutton', 'rfid', 'driver_licence', 'driver_id', 'driver_card_id', 'driverUniqueId', 'avl_driver'],
];

/** What a message says of the card that identifies the driver: its number, `''` for one taken out, null for nothing. */
export function driverCardOf(attributes: Attributes): string | null {
  const named = attributes[driverCard];
  if (typeof named === 'string') return named;
  if (attributes['driver_card'] === 'out') return '';
  for (const source of sources) {
    const value = attributes[source];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const key = cardKey(String(value));
    // Readers send zeros while there is no key, which may only have been touched.
    if (key !== '' && key !== '0' && key !== 'NA') return String(value).trim();
  }
  return null;
}

/** The same attributes, with the card under one name for all protocols. */
export function withDriverCard(attributes: Attributes): Attributes {
  const card = driverCardOf(attributes);
  return card === null || attributes[driverCard] === card
    ? attributes
    : { ...attributes, [driverCard]: card };
}
