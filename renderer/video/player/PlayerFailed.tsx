import { RotateCw, SquarePlay } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { reasonText } from '../orders/reasonText.ts';
import type { OrderActions } from '../orders/useOrderActions.ts';
import { failureOf, type VideoOrder } from '../orders/videoOrders.ts';
import { useVideo } from '../useVideo.ts';
import { useVideoKeys } from '../useVideoKeys.ts';
import { useText } from '../../i18n/useText.ts';

/** The failed state of the player: why there are no pictures, and what can be done. */
export function PlayerFailed({
  order,
  actions,
  onOrder,
}: {
  order: VideoOrder;
  actions: OrderActions;
  onOrder: () => void;
}) {
  const say = useText();
  const { mayOrder } = useVideo();
  const { title, how } = reasonText(failureOf(order), say);
  useVideoKeys(mayOrder ? { R: () => actions.retry(order) } : {});
  return (
    <Notice
      icon={SquarePlay}
      title={title}
      actions={
        mayOrder && (
          <>
            <Button
              kind="primary"
              icon={RotateCw}
              keycap="R"
              disabled={actions.isBusy}
              onPress={() => actions.retry(order)}
            >
              {say('orders.retry')}
            </Button>
            <Button onPress={onOrder}>{say('orders.order')}</Button>
          </>
        )
      }
    >
      {how} {actions.fault}
    </Notice>
  );
}
