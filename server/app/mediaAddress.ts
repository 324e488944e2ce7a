// What the desktop's options read as the headless host's do; of the server they see the app alone.
export { readMediaAddress, type MediaAddress } from '../config.ts';
