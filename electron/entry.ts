/**
 * What Electron starts: the desktop, with `--watch` the process that watches over it, or with `--cli -- COMMAND …` a command of `fleetdeck` in this process, without a
 * window. Electron is not ready before what is awaited here is done (node_bindings.cc, `JoinAppCode`), so a command, which
 * ends the process, needs no display.
 */

/** A program of the bundle: beside this file, or in a packed desktop outside of the archive in which this file lies. */
const programUrl = (name: string): string =>
  new URL(`./app/${name}.js`, import.meta.url.replace('/app.asar/', '/app.asar.unpacked/')).href;

const at = process.argv.indexOf('--cli');
if (at === -1) await import(programUrl(process.argv.includes('--watch') ? 'watch' : 'electron'));
// Chromium takes what stands before `--` for switches of its own, and Windows' Electron refuses options after a URL there.
else await runCommand(process.argv.slice(at + 1).filter((arg, place) => place > 0 || arg !== '--'));

async function runCommand(args: readonly string[]): Promise<never> {
  process.argv = [process.execPath, programUrl('fleetdeck'), ...args];
  const { ended } = (await import(programUrl('fleetdeck'))) as { ended: Promise<number | null> };
  const code = await ended;
  // A signal ends a host.
  if (code === null) return new Promise<never>(() => undefined);
  // What was written may still be on its way.
  for (const output of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => output.write('', () => resolve()));
  process.exit(code);
}
