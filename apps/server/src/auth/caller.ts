/** Per organisation: code, name, subscription number (0 = none). Names as on the wire. */
export type Permission = { oc: string; on: string; ng: number }

/** The organisation of a request. Id 0 is the library and no tenant. */
export type Organisation = { id: number; code: string; name: string; limits: string }

/** An authenticated caller. */
export type Caller = {
  /** As on the wire and in the audit; 'bootstrap' for the built-in administrator. */
  userId: string
  /** Full name, as shown in the audit. */
  name: string
  email: string
  isAdmin: boolean
  /** The kind of credential. */
  token: 'session' | 'bootstrap' | 'personal'
  /** Null unless authenticated with a personal access token. */
  personalToken: { id: number; name: string; isReadOnly: boolean } | null
  /** Null for calls outside an organisation. */
  organisation: Organisation | null
}
