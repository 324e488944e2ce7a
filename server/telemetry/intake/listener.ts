/** Where terminals come in by one protocol. */
export interface Listener {
  readonly port: number;
  readonly host: string;
  connections(): number;
  /** Takes no more, lets what is under way be answered, then ends. */
  close(): Promise<void>;
}
