import type { Desk } from '../../desk/desk.ts';
import type { Say } from '../../i18n/text.ts';
import { sentenceOf } from '../../ui/formFaults.ts';
import { videoOf } from '../useVideo.ts';

/** Tells how work on many tasks ended, to an operator who has left the queue meanwhile. Returns its end. */
export function startManyNews(desk: Desk, say: Say): () => void {
  return videoOf(desk.video).many.store.subscribe(({ outcome }, before) => {
    if (outcome === null || outcome === before.outcome || outcome.isStopped) return;
    const { place, query } = desk.navigation.store.getState();
    if (place === 'video' && query['view'] === 'queue') return;
    const { deed, done, failed, error } = outcome;
    if (done + failed === 0) return;
    const words = [
      ...(done > 0 ? [say(`tasks.did.${deed}`, { count: done })] : []),
      ...(failed > 0 ? [say('tasks.not_done', { count: failed, reason: sentenceOf(error, say) ?? '' })] : []),
    ];
    desk.toasts.setState({
      toast: {
        text: words.join(' '),
        isTrouble: failed > 0,
        action: { label: say('news.show'), run: () => desk.navigation.go('video', { view: 'queue' }) },
      },
    });
  });
}
