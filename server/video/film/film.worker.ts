import { serveOrders } from '../media/workerSide.ts';
import { writeFilm } from './writeFilm.ts';

serveOrders(writeFilm);
