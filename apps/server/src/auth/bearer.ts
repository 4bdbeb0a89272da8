import type { Context } from '../context.ts'
import { type Identity, organisationOfCode } from './caller.ts'
import { sameText } from './session.ts'

/** Returns the token of `Authorization: Bearer …`; null for any other header. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null
}

export function isBootstrapToken(context: Context, token: string | null): boolean {
  const { bootstrapToken } = context.config
  return bootstrapToken !== null && token !== null && sameText(token, bootstrapToken)
}

/** The built-in administrator for scripts, who may work in any existing organisation. */
export const bootstrapIdentity: Identity = {
  who: {
    userId: 'bootstrap',
    name: 'bootstrap',
    email: '',
    isAdmin: true,
    token: 'bootstrap',
    personalToken: null,
    organisation: null,
  },
  session: null,
  isReadOnly: false,
  identifyAgain: async () => bootstrapIdentity,
  mayWorkIn: organisationOfCode,
}
