/** An error that the person at the command line can fix; only its message is printed. */
export class ReplayProblem extends Error {
  override name = 'ReplayProblem';
}
