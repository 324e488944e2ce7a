import type { AppContext } from '../appContext/appContext.ts';
import type { Translate } from '../i18n/text.ts';
import type { ScreenName } from '../navigation/navigation.ts';
import { sentenceOf } from '../ui/formFaults.ts';
import { orderProgress, videoOrders, type VideoRequest } from './requests/videoOrders.ts';

/**
 * Reports the end of requests that were made here: the player opens by itself while the operator waits on Live, where it
 * was requested, with the vehicle selected; elsewhere a toast says so; a player that shows the order needs neither. Reports
 * too how work on many ended. Returns its end.
 */
export function startVideoToasts(app: AppContext, t: Translate): () => void {
  const video = app.video;

  const notify = (order: VideoRequest, madeOn: ScreenName | undefined) => {
    const [task] = order.shown.filter((it) => it.status === 'done');
    const taskId = task?.task_id ?? order.tasks[0]?.task_id ?? null;
    const { place, query } = app.navigation.store.getState();
    if (place === 'video' && order.tasks.some((it) => it.task_id === query['task'])) return;
    const open = () => app.navigation.go('video', { task: taskId });
    const isWaiting =
      place === 'live' && madeOn === 'live' && app.view.getState().vehicleId === order.vehicleId;
    if (task !== undefined && isWaiting) {
      open();
      return;
    }
    const vehicle = app.vehicles.store.getState().byId.get(order.vehicleId)?.name ?? '';
    const { done, of } = orderProgress(order);
    app.toasts.setState({
      toast:
        task === undefined
          ? {
              text: t('news.failed', { vehicle }),
              isTrouble: true,
              action: { label: t('news.show'), run: open },
            }
          : {
              text: t('news.ready', { vehicle, done, of }),
              isTrouble: false,
              action: { label: t('news.play'), run: open },
            },
    });
  };

  const stopOrders = video.tasks.subscribe(({ byId }) => {
    const { orders: awaited } = video.awaited.getState();
    if (awaited.size === 0) return;
    const orders = videoOrders(byId.values(), () => false).filter((it) => awaited.has(it.id));
    const over = orders.filter((it) => it.phase !== 'under_way');
    if (over.length === 0) return;
    const gone = new Set(over.map((it) => it.id));
    video.awaited.setState({ orders: new Map([...awaited].filter(([id]) => !gone.has(id))) });
    for (const order of over) notify(order, awaited.get(order.id));
  });
  const stopMany = startBulkToasts(app, t);
  return () => {
    stopOrders();
    stopMany();
  };
}

/** Reports how work on many tasks ended to an operator who has left the queue. Returns the stop function. */
function startBulkToasts(app: AppContext, t: Translate): () => void {
  return app.video.many.store.subscribe(({ outcome }, before) => {
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
