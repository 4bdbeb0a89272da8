/** Why a request is not answered, for its caller: every protocol words it its own way. Holds nothing of the server's inside. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  /** As `WWW-Authenticate` and `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}
