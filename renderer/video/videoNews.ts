import type { Desk } from '../desk/desk.ts';
import { videoOrders, type VideoOrder } from './orders/videoOrders.ts';
import { videoOf } from './useVideo.ts';
import type { Say } from '../i18n/text.ts';

/**
 * Tells of the end of orders that were made here: the player opens by itself while the operator waits for it with the
 * vehicle selected on Live; elsewhere a toast says so; a player that shows the order needs neither. Returns its end.
 */
export function startVideoNews(desk: Desk, say: Say): () => void {
  const video = videoOf(desk.video);

  const tell = (order: VideoOrder) => {
    const [task] = order.tasks.filter((it) => it.status === 'done');
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
    const done = order.tasks.filter((it) => it.status === 'done').length;
    desk.toasts.setState({
      toast:
        task === undefined
          ? {
              text: say('news.failed', { vehicle }),
              isTrouble: true,
              action: { label: say('news.show'), run: open },
            }
          : {
              text: say('news.ready', { vehicle, done, of: order.tasks.length }),
              isTrouble: false,
              action: { label: say('news.play'), run: open },
            },
    });
  };

  return video.tasks.subscribe(({ byId }) => {
    const { orders: awaited } = video.awaited.getState();
    if (awaited.size === 0) return;
    const orders = videoOrders(byId.values(), () => false).filter((it) => awaited.has(it.id));
    const over = orders.filter((it) => it.phase !== 'under_way');
    if (over.length === 0) return;
    const gone = new Set(over.map((it) => it.id));
    video.awaited.setState({ orders: new Set([...awaited].filter((id) => !gone.has(id))) });
    for (const order of over) tell(order);
  });
}
