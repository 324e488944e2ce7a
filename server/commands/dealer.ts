import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { grantApiIn, makeDealer, startRefusal } from '../app.ts';
import { login as loginField, password as passwordField } from '../contract/users.ts';

const usage = `npm run dealer -- --data DIR --login NAME   (the password from FLEETDECK_PASSWORD, or typed in)
npm run dealer -- --data DIR --grant-api NAME | --revoke-api NAME   (for a host with --api-access granted)`;

function fail(message: string): never {
  process.stderr.write(`fleetdeck: ${message}\n`);
  process.exit(1);
}

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

const options = {
  data: { type: 'string' },
  login: { type: 'string' },
  'grant-api': { type: 'string' },
  'revoke-api': { type: 'string' },
} as const;

/** Without a password: of a user who is there. */
async function grant(data: string, login: string, granted: boolean): Promise<void> {
  await grantApiIn(data, { login, granted });
  process.stderr.write(`User ${login} ${granted ? 'may use the API' : 'may no longer use the API'}.\n`);
}

async function main(): Promise<void> {
  let values: Partial<Record<keyof typeof options, string>>;
  try {
    values = parseArgs({ options, strict: true }).values;
  } catch (error) {
    fail(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
  const data = values.data ?? process.env['FLEETDECK_DATA'];
  const named = [values.login, values['grant-api'], values['revoke-api']].filter((it) => it !== undefined);
  // An empty path would be the current folder.
  if (data === undefined || data === '' || named.length !== 1) fail(usage);
  if (values['grant-api'] !== undefined) return grant(data, values['grant-api'], true);
  if (values['revoke-api'] !== undefined) return grant(data, values['revoke-api'], false);
  const login = loginField.safeParse(values.login);
  if (!login.success) fail(`--login ${login.error.issues[0]?.message ?? 'is not allowed'}.`);
  const password = passwordField.safeParse(process.env['FLEETDECK_PASSWORD'] ?? (await typedPassword()));
  if (!password.success) fail(`The password ${password.error.issues[0]?.message ?? 'is not allowed'}.`);
  const made = await makeDealer(data, login.data, password.data);
  process.stderr.write(
    made === 'added'
      ? `Dealer ${login.data} is made.\n`
      : `Dealer ${login.data} has a new password; its sessions are ended.\n`,
  );
}

main().catch((error: unknown) => {
  const refusal = startRefusal(error);
  if (refusal === null) throw error;
  fail(refusal);
});
