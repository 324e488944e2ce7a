import type { Task } from '../../../server/contract/video.ts';
import type { Translate } from '../../i18n/text.ts';
import { mostGiven, type FailureCode } from './failure.ts';
import { isUnderWay, waitingSince } from './qualities.ts';

/** What becomes of the full quality of channels whose small picture is shown. */
export type FullQuality =
  /** Nothing is to come, and nothing is missing. */
  | { kind: 'none' }
  | { kind: 'waits' }
  /** 0 to 1, of the channels that it is still to come of. */
  | { kind: 'coming'; part: number }
  | { kind: 'missing'; code: FailureCode };

/** @param shown of each channel the task that is shown; `tasks` holds those that bring the full quality */
export function fullQuality({
  tasks,
  shown,
}: {
  tasks: readonly Task[];
  shown: readonly Task[];
}): FullQuality {
  const ids = new Set(shown.filter((it) => it.status === 'done').map((it) => it.full_task_id));
  const fulls = tasks.filter((it) => ids.has(it.task_id));
  const open = fulls.filter(isUnderWay);
  if (waitingSince(open) !== null) return { kind: 'waits' };
  if (open.length > 0) {
    return { kind: 'coming', part: open.reduce((sum, it) => sum + it.progress, 0) / open.length };
  }
  const missing = fulls.filter((it) => it.status === 'failed' || it.status === 'expired');
  return missing.length === 0 ? { kind: 'none' } : { kind: 'missing', code: mostGiven(missing).code };
}

/** For a cell of a row. */
export function fullQualityShort(full: FullQuality, t: Translate): string {
  if (full.kind === 'none') return '';
  const percent = full.kind === 'coming' ? Math.round(full.part * 100) : 0;
  return t(`quality.short.${full.kind}`, { percent });
}

/** In small words; null where there is nothing to say. */
export function fullQualityText(full: FullQuality, t: Translate): string | null {
  switch (full.kind) {
    case 'none':
      return null;
    case 'waits':
      return t('quality.waits');
    case 'coming': {
      const percent = Math.round(full.part * 100);
      return percent === 0 ? t('quality.coming') : t('quality.part', { percent });
    }
    case 'missing':
      return t(`quality.missing.${full.code}`);
  }
}
