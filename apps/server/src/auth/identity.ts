import type { Context } from '../context.ts'
import type { SessionRow } from '../store/session.ts'
import type { Organisation, Caller } from './caller.ts'

/** The caller before the organisation is resolved. */
export type Identity = {
  who: Caller
  /** Null for the built-in administrator and for personal access tokens. */
  session: SessionRow | null
  isReadOnly: boolean
  /** Returns the organisation with this code if the user may work in it, else null. */
  mayWorkIn: (context: Context, code: string) => Promise<Organisation | null>
  /**
   * Identifies the caller again, with current permissions; null if the session or token was revoked. Needed because
   * bodies may take long to arrive.
   */
  identifyAgain: (context: Context) => Promise<Identity | null>
}
