import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { makeDealer } from '../app.ts';
import { askHost, NoHost } from '../app/controlSocket.ts';
import { setDealer } from '../contract/control.ts';
import { login as loginField, password as passwordField } from '../contract/users.ts';
import { CommandError } from './restClient.ts';

const usage = `fleetdeck dealer --data DIR --login NAME   adds a dealer, or makes the user of that name one
fleetdeck dealer --data DIR --reset NAME   gives a dealer a new password and ends its sessions
The password comes from FLEETDECK_PASSWORD, or is typed in. A host may run on the folder meanwhile.`;

/** Reads one line from the terminal without showing what is typed; from a pipe it just reads. */
async function typedPassword(): Promise<string> {
  const terminal = process.stdin.isTTY;
  process.stderr.write('Password: ');
  if (terminal) process.stdin.setRawMode(true);
  try {
    if (!terminal) {
      for await (const line of createInterface({ input: process.stdin })) return line;
      return '';
    }
    let typed = '';
    for await (const chunk of process.stdin) {
      for (const key of String(chunk)) {
        if (key === '\r' || key === '\n') return typed;
        if (key === '\u0003') process.exit(130);
        typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : typed + key;
      }
    }
    return typed;
  } finally {
    if (terminal) process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stderr.write('\n');
  }
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { data: text, login: text, reset: text, help: { type: 'boolean' } } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

/** By the host that runs on the folder, or else on the folder itself. */
async function give(data: string, login: string, password: string, must_exist: boolean) {
  try {
    return await askHost(data, setDealer, { login, password, must_exist });
  } catch (error) {
    if (!(error instanceof NoHost)) throw error;
  }
  if (must_exist && !existsSync(join(data, 'format.json')))
    throw new CommandError(`${data} is not a data folder of Fleetdeck.`);
  return makeDealer(data, login, password, { must_exist });
}

/** Runs the command; answers its exit code. Throws what `commandError` puts into one line. */
export async function run(args: readonly string[]): Promise<number> {
  const { data = process.env['FLEETDECK_DATA'], help, ...given } = parsed(args);
  if (help === true) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const [named, ...more] = (['login', 'reset'] as const).filter((it) => given[it] !== undefined);
  // An empty path would be the current folder.
  if (data === undefined || data === '' || named === undefined || more.length > 0)
    throw new CommandError('Give --data DIR --login NAME, or --data DIR --reset NAME.');
  const login = loginField.safeParse(given[named]);
  if (!login.success)
    throw new CommandError(`--${named} ${login.error.issues[0]?.message ?? 'is not allowed'}.`);
  const password = passwordField.safeParse(process.env['FLEETDECK_PASSWORD'] ?? (await typedPassword()));
  if (!password.success)
    throw new CommandError(`The password ${password.error.issues[0]?.message ?? 'is not allowed'}.`);
  const outcome = await give(data, login.data, password.data, named === 'reset');
  process.stderr.write(
    outcome === 'added'
      ? `Dealer ${login.data} is made.\n`
      : `Dealer ${login.data} has a new password; its sessions are ended.\n`,
  );
  return 0;
}
