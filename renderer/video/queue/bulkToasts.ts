import type { AppContext } from '../../appContext/appContext.ts';
import type { Translate } from '../../i18n/text.ts';
import { sentenceOf } from '../../ui/formFaults.ts';
import { videoOf } from '../useVideo.ts';

/** Reports how work on many tasks ended to an operator who has left the queue. Returns the stop function. */
export function startBulkToasts(app: AppContext, t: Translate): () => void {
  return videoOf(app.video).many.store.subscribe(({ outcome }, before) => {
    if (outcome === null || outcome === before.outcome || outcome.isStopped) return;
    const { place, query } = app.navigation.store.getState();
    if (place === 'video' && query['view'] === 'queue') return;
    const { action, done, failed, error } = outcome;
    if (done + failed === 0) return;
    const words = [
      ...(done > 0 ? [t(`tasks.did.${action}`, { count: done })] : []),
      ...(failed > 0 ? [t('tasks.not_done', { count: failed, reason: sentenceOf(error, t) ?? '' })] : []),
    ];
    app.toasts.setState({
      toast: {
        text: words.join(' '),
        isTrouble: failed > 0,
        action: { label: t('news.show'), run: () => app.navigation.go('video', { view: 'queue' }) },
      },
    });
  });
}
