import { doorName } from '../../server/contract/intake.ts';
import type { Say } from '../i18n/text.ts';

/** A protocol as people call it. */
export function protocolName(protocol: string, say: Say): string {
  const known = doorName.safeParse(protocol);
  return say(known.success ? `protocol.${known.data}` : 'protocol.other');
}
