import { RotateCw, SquarePlay } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { reasonText } from '../requests/reasonText.ts';
import type { OrderActions } from '../requests/useOrderActions.ts';
import { failureOf, type VideoRequest } from '../requests/videoOrders.ts';
import { useVideo, useVideoControls } from '../useVideo.ts';
import { useT } from '../../i18n/useT.ts';

/** The failed state of the player: why there are no pictures, and what can be done. */
export function PlayerFailed({
  order,
  actions,
  onOrder,
}: {
  order: VideoRequest;
  actions: OrderActions;
  onOrder: () => void;
}) {
  const t = useT();
  const { mayOrder } = useVideo();
  const { title, how } = reasonText(failureOf(order), t);
  useVideoControls(mayOrder ? { retry: () => actions.retry(order) } : {});
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
              {t('video_requests.retry')}
            </Button>
            <Button onPress={onOrder}>{t('video_requests.order')}</Button>
          </>
        )
      }
    >
      {how} {actions.fault}
    </Notice>
  );
}
