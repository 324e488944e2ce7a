import h264 from 'h264-mp4-encoder';
import type { Picture } from './picture.ts';

export interface H264Encoder {
  add: (picture: Picture) => void;
  /** The MP4 as the encoder leaves it: without marks for its key frames. Frees the encoder. */
  finish: () => Uint8Array<ArrayBuffer>;
}

/** Of 0 (best) to 10 (fastest); flat drawings lose nothing visible at the fastest. */
const SPEED = 10;
/** Of 10 (best) to 51; letters stay crisp, a clip of 30 s takes some 300 kB. */
const QUANTIZATION = 27;

/** @param keyEvery frames from one key frame to the next. */
export async function createH264Encoder(options: {
  width: number;
  height: number;
  fps: number;
  keyEvery: number;
}): Promise<H264Encoder> {
  const encoder = await h264.createH264MP4Encoder();
  encoder.width = options.width;
  encoder.height = options.height;
  encoder.frameRate = options.fps;
  encoder.groupOfPictures = options.keyEvery;
  encoder.speed = SPEED;
  encoder.quantizationParameter = QUANTIZATION;
  encoder.initialize();
  return {
    add: (picture) => encoder.addFrameYuv(picture.bytes),
    finish() {
      encoder.finalize();
      // The memory file system outlives the encoder: what stays in it would add up.
      const bytes = Uint8Array.from(encoder.FS.readFile(encoder.outputFilename));
      encoder.FS.unlink(encoder.outputFilename);
      encoder.delete();
      return bytes;
    },
  };
}
