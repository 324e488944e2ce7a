/** video.js without its streaming parts: clips are played from files alone. */
declare module 'video.js/core.es.js' {
  export { default } from 'video.js';
}
