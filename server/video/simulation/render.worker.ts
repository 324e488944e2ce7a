import { serveMediaOrders } from '../media/workerSide.ts';
import { renderClip } from './renderClip.ts';

serveMediaOrders(renderClip);
