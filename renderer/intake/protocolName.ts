import { listenerName } from '../../server/contract/intake.ts';
import type { Translate } from '../i18n/text.ts';

/** A protocol as people call it. */
export function protocolName(protocol: string, t: Translate): string {
  const known = listenerName.safeParse(protocol);
  return t(known.success ? `protocol.${known.data}` : 'protocol.other');
}
