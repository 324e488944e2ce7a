/** What the person at the terminal window has to put right; its message is all that they are told. */
export class ReplayProblem extends Error {
  override name = 'ReplayProblem';
}
