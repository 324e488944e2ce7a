import { expect, test } from './operator.ts';

/** A tone of 440 Hz: 8 kHz, mono, 16 bits. */
function wav(seconds: number): Buffer {
  const samples = Math.round(8_000 * seconds);
  const bytes = Buffer.alloc(44 + 2 * samples);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + 2 * samples, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8_000, 24);
  bytes.writeUInt32LE(16_000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(2 * samples, 40);
  for (let at = 0; at < samples; at++)
    bytes.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / 8_000)), 44 + 2 * at);
  return bytes;
}

test('a computer has sound files of its own, which are chosen for a severity and played', async ({
  host,
  operator,
  page,
}) => {
  await page.addInitScript(() => {
    const started: number[] = [];
    Reflect.set(window, 'startedFiles', started);
    // oxlint-disable-next-line typescript/unbound-method -- called on the node
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function () {
      started.push(this.buffer?.duration ?? 0);
      start.call(this);
    };
  });
  await operator.logIn(`${host.url}/#/settings`);
  const own = page.getByRole('group', { name: 'Own sound 1' });
  await expect(own).toContainText('No file');
  const choose = async (name: string, buffer: Buffer) => {
    const chooser = page.waitForEvent('filechooser');
    await own.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles({ name, mimeType: 'audio/wav', buffer });
  };
  await choose('hour.wav', wav(12));
  await expect(own.getByRole('alert')).toHaveText('The sound is too long.');
  await choose('noise.wav', Buffer.from('no sound'));
  await expect(own.getByRole('alert')).toHaveText('This browser cannot play the file.');
  await choose('gate.wav', wav(0.5));
  await expect(own).toContainText('gate.wav');
  await page.screenshot({ path: test.info().outputPath('sounds.png') });

  await page.reload();
  await expect(own).toContainText('gate.wav');
  const alarms = page.getByRole('group', { name: 'Alarms' });
  await alarms.getByRole('button', { name: 'Alarms' }).press('Enter');
  await page.getByRole('option', { name: 'Own sound 1' }).press('Enter');
  await alarms.getByRole('button', { name: 'Play the sound' }).press('Enter');
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, 'startedFiles') as number[]))
    .toEqual([0.5]);
});
