/** A segment of a JPEG: marker, length, content (ITU-T T.81, B.1.1.4). */
function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/**
 * A JPEG as far as its head goes: JFIF, its size in a frame, filled to so many bytes. Nothing can be seen in it.
 *
 * @param frame the marker of the frame: 0xc0 is baseline
 */
export function jpegOf({
  width = 640,
  height = 360,
  bytes = 400,
  channels = 3,
  precision = 8,
  frame = 0xc0,
  comment = '',
  exif = '',
} = {}): Buffer {
  const size = Buffer.alloc(6 + 3 * channels, 1);
  size.writeUInt8(precision, 0);
  size.writeUInt16BE(height, 1);
  size.writeUInt16BE(width, 3);
  size.writeUInt8(channels, 5);
  const head = [
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01\0\0', 'latin1')),
    ...(exif === '' ? [] : [segment(0xe1, Buffer.from(exif, 'latin1'))]),
    segment(0xfe, Buffer.from(comment)),
    segment(frame, size),
    segment(0xda, Buffer.alloc(10)),
  ];
  const filled = head.reduce((sum, it) => sum + it.length, 2);
  return Buffer.concat([...head, Buffer.alloc(Math.max(0, bytes - filled)), Buffer.from([0xff, 0xd9])]);
}
