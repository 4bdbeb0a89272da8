import * as z from 'zod'
import { callsFor } from './call.ts'
import { base } from './routes.ts'
import { idParams, resultAnswer } from './shared.ts'

const tokenCall = callsFor({ tag: 'Access tokens', access: 'user' })

export const tokenAccess = z.enum(['read', 'read-write'])
export type TokenAccess = z.output<typeof tokenAccess>

/** Times are ISO 8601. */
const tokenAnswer = z.object({
  id: z.number().int(),
  name: z.string(),
  access: tokenAccess,
  /** Administrator rights, valid while the user is an administrator. */
  isAdmin: z.boolean(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Precise to a minute; null: never. */
  lastUsedAt: z.string().nullable(),
})
export type TokenAnswer = z.output<typeof tokenAnswer>

export const listTokens = tokenCall({
  id: 'listTokens',
  method: 'GET',
  path: `${base}/token`,
  by: 'session',
  summary: "Lists the user's own unrevoked access tokens for the organisation, newest first.",
  answer: z.object({ tokens: z.array(tokenAnswer) }),
})

export const createToken = tokenCall({
  id: 'createToken',
  method: 'POST',
  path: `${base}/token`,
  by: 'session',
  summary:
    'Creates an access token of the user for the organisation. Its secret is returned only once, in this answer.',
  body: z.strictObject({
    name: z.string(),
    access: tokenAccess,
    isAdmin: z.boolean().default(false),
    expiresAt: z.iso.datetime({ offset: true }),
  }),
  answer: z.object({ token: tokenAnswer, secret: z.string() }),
})

export const revokeToken = tokenCall({
  id: 'revokeToken',
  method: 'DELETE',
  path: `${base}/token/{id}`,
  by: 'session',
  summary: 'Revokes an access token permanently.',
  params: idParams,
  answer: resultAnswer,
})
