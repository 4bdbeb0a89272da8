/** Per organisation: code, name, subscription number (0 = none). As on the wire. */
export type Permission = { oc: string; on: string; ng: number }

/** The organisation a request works in. 0 is the library and is nobody's. */
export type Organisation = { id: number; code: string; name: string; limits: string }

/** Who makes a request. */
export type Who = {
  /** As on the wire and in the audit; 'bootstrap' for the built-in administrator. */
  userId: string
  /** Full name, as the audit shows it. */
  name: string
  email: string
  isAdmin: boolean
  /** How they showed it: the page's cookies, or a token of a script. */
  token: 'session' | 'bootstrap' | 'personal'
  /** The personal access token that it was; null for any other. */
  personalToken: { id: number; name: string; isReadOnly: boolean } | null
  /** Null outside of calls that name an organisation. */
  organisation: Organisation | null
}
