import { isProblem, Unreachable } from '../../api/errors.ts';
import { StoreFull } from '../store/clipFiles.ts';
import { ChecksumWrong } from '../store/fetchClip.ts';
import type { Say } from '../../i18n/text.ts';

/** Why a film did not come to this computer. */
export function failureWords(error: unknown, say: Say): string {
  if (error instanceof ChecksumWrong) return say('player.checksum');
  if (error instanceof StoreFull) return say('player.full');
  if (error instanceof Unreachable) return say('player.missing_here');
  if (isProblem(error, 'file_expired', 'file_missing', 'not_found')) return say('player.file_gone');
  return isProblem(error) ? error.problem.detail : say('player.fetch_failed');
}
