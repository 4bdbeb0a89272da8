import type { Context } from '../context.ts'
import type { SessionRow } from '../store/session.ts'
import type { Organisation, Who } from './who.ts'

/** Who makes a request, before it is known in which organisation. */
export type Identity = {
  who: Who
  /** Null for the built-in administrator and for personal access tokens. */
  session: SessionRow | null
  /** Whether it may only make calls that change nothing. */
  isReadOnly: boolean
  /** The organisation of that code when this user may work in it, else null. */
  mayWorkIn: (context: Context, code: string) => Promise<Organisation | null>
  /** Who it is by now, with what they may by now; null where what showed it was taken back. Bodies may be long on their way. */
  again: (context: Context) => Promise<Identity | null>
}
