import { isProblem, Unreachable } from '../../api/errors.ts';
import { StoreFull } from '../store/clipFiles.ts';
import { ChecksumWrong } from '../store/fetchClip.ts';
import type { Translate } from '../../i18n/text.ts';

/** Why a clip did not come to this computer. */
export function failureLabels(error: unknown, t: Translate): string {
  if (error instanceof ChecksumWrong) return t('player.checksum');
  if (error instanceof StoreFull) return t('player.full');
  if (error instanceof Unreachable) return t('player.missing_here');
  if (isProblem(error, 'file_expired', 'file_missing', 'not_found')) return t('player.file_gone');
  return isProblem(error) ? error.problem.detail : t('player.fetch_failed');
}
