import { Logging, LogLevel } from 'mediabunny';
import { finishVideo } from './finishVideo.ts';
import { serveMediaOrders } from './workerSide.ts';

// What it would print about a bad file goes into the error's detail.
Logging.level = LogLevel.Silent;
serveMediaOrders(finishVideo);
