import { detailOf, type Cause } from '../server/app.ts';

/** What the shell says to the operator, by causes as the API has them: the page says them in its language. */
export class ShellError extends Error {
  override name = 'ShellError';
  readonly causes: Cause[];

  constructor(...causes: Cause[]) {
    super(detailOf(causes));
    this.causes = causes;
  }
}
