/** An error that the protocol knows: it becomes an error response, never a stack trace. */
export class OAuthError extends Error {
  /** The `error` code of RFC 6749 §4.1.2.1 or §5.2, or of the RFC that extends it. */
  readonly error: string;
  readonly status: number;

  constructor(error: string, description: string, status = error === "invalid_client" ? 401 : 400) {
    super(description);
    this.error = error;
    this.status = status;
  }
}
