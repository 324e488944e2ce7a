import { Logging, LogLevel } from 'mediabunny';
import { finishVideo } from './finishVideo.ts';
import type { FinishedVideo, FinishOrder } from './finishVideo.ts';
import { serveMediaOrders } from './mediaError.ts';

// What it would print about a bad file goes into the error's detail.
Logging.level = LogLevel.Silent;
serveMediaOrders<FinishOrder, FinishedVideo>((order, onProgress) => {
  // The order's time runs from here, not from its place in the line.
  onProgress(0);
  return finishVideo(order, onProgress);
});
