import 'react';

declare module 'react' {
  /** Sizes that a style sheet takes over from a component. */
  interface CSSProperties {
    [name: `--${string}`]: string;
  }
}
