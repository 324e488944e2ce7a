import { serveOrders } from '../../workerLine.ts';
import { FileFault } from './feature.ts';
import { featuresOfKml } from './kml.ts';

serveOrders(featuresOfKml, (error) => ({
  code: error instanceof FileFault ? 'bad_file' : 'failed',
  detail: error instanceof Error ? error.message : String(error),
}));
