/** A document was not read from its own file. */
export interface Recovery {
  /** The document's name, `users`. */
  document: string;
  /** The names under which broken files were kept, `users.json.broken-20261121T074300Z`; none when it was missing. */
  quarantinedAs: readonly string[];
  /** `bak`: the copy from before the last change; `initial`: nothing could be read, it starts empty. */
  restoredFrom: 'bak' | 'initial';
  /** RFC 3339, UTC. */
  at: string;
}

/** The recoveries that nobody has confirmed yet; they outlive a restart. */
export interface RecoveryLog {
  /** Oldest first. */
  pending(): readonly Recovery[];
  /** Resolves when it is stored. */
  report(recovery: Recovery): Promise<void>;
  /** Ends what is pending for these documents; resolves when that is stored. Other names do nothing. */
  confirm(documents: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
