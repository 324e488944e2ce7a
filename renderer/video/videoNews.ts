import type { Desk } from '../desk/desk.ts';
import { orderProgress, videoOrders, type VideoOrder } from './orders/videoOrders.ts';
import { startManyNews } from './queue/manyNews.ts';
import { videoOf } from './useVideo.ts';
import type { Say } from '../i18n/text.ts';

/**
 * Tells of the end of orders that were made here: the player opens by itself while the operator waits for it with the
 * vehicle selected on Live; elsewhere a toast says so; a player that shows the order needs neither. Tells too how work on
 * many ended. Returns its end.
 */
export function startVideoNews(desk: Desk, say: Say): () => void {
  const video = videoOf(desk.video);

  const tell = (order: VideoOrder) => {
    const [task] = order.shown.filter((it) => it.status === 'done');
    const taskId = task?.task_id ?? order.tasks[0]?.task_id ?? null;
    const { place, query } = desk.navigation.store.getState();
    if (place === 'video' && order.tasks.some((it) => it.task_id === query['task'])) return;
    const open = () => desk.navigation.go('video', { task: taskId });
    const isWaiting = place === 'live' && desk.view.getState().vehicleId === order.vehicleId;
    if (task !== undefined && isWaiting) {
      open();
      return;
    }
    const vehicle = desk.vehicles.store.getState().byId.get(order.vehicleId)?.name ?? '';
    const { done, of } = orderProgress(order);
    desk.toasts.setState({
      toast:
        task === undefined
          ? {
              text: say('news.failed', { vehicle }),
              isTrouble: true,
              action: { label: say('news.show'), run: open },
            }
          : {
              text: say('news.ready', { vehicle, done, of }),
              isTrouble: false,
              action: { label: say('news.play'), run: open },
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
    video.awaited.setState({ orders: new Set([...awaited].filter((id) => !gone.has(id))) });
    for (const order of over) tell(order);
  });
  const stopMany = startManyNews(desk, say);
  return () => {
    stopOrders();
    stopMany();
  };
}
