import type { Context } from '../context.ts'
import { unauthenticated } from '../http/errors.ts'
import { organisationByCode } from '../store/organisation.ts'
import type { Identity } from './identify.ts'
import { organisationOf } from './organisation.ts'
import { sameText } from './tokens.ts'

/** The one place that knows the tokens of scripts: today the built-in administrator's. Any other is a 401. */
export async function identifyBearer(context: Context, authorization: string): Promise<Identity> {
  if (!isBootstrapToken(context, authorization)) throw unauthenticated('The access token is not valid.')
  return {
    who: {
      userId: 'bootstrap',
      name: 'bootstrap',
      email: '',
      isAdmin: true,
      token: 'bootstrap',
      organisation: null,
    },
    session: null,
    async mayWorkIn(_context, code) {
      const row = await organisationByCode(context.store.shared, code)
      return row === undefined ? null : organisationOf(row)
    },
  }
}

export function isBootstrapToken(context: Context, authorization: string | undefined): boolean {
  const { bootstrapToken } = context.config
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  return bootstrapToken !== null && token !== undefined && sameText(token, bootstrapToken)
}
