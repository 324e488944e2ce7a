const FAKE = new URL('./fakeElectron.ts', import.meta.url).href;
/** Runs before the program and gives it the stand-in whenever it asks for Electron. */
const HOOK = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'electron' ? ${JSON.stringify(FAKE)} : specifier, context),
  });
`;

/**
 * The environment in which Node runs the desktop on a stand-in for Electron, and whatever it starts as well.
 *
 * @param userFolder where all of the program's own files lie
 * @param nodeOptions further switches of Node
 */
export function withFakeElectron(userFolder: string, nodeOptions = ''): Record<string, string> {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`;
  return { FAKE_USER_DATA: userFolder, NODE_OPTIONS: `${nodeOptions} --import ${hook}` };
}
