/** Two terminal IDs are one terminal when they differ in leading zeros alone. */
export function terminalKey(terminal: string): string {
  return terminal.replace(/^0+(?=.)/, '').toLowerCase();
}

/**
 * The attribute of a position that identifies the driver, whatever the protocol calls it: the number of a card or key
 * that the terminal read, or `''` for one that was taken out.
 */
export const driverCard = 'driver_card_number';

/**
 * By which two numbers of a card or key are one: terminals, readers and the print on a card differ in letter case,
 * separators and leading zeros.
 */
export function cardKey(number: string): string {
  return number
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
    .replace(/^0+(?=.)/, '');
}
