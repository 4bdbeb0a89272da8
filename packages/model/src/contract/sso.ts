import * as z from 'zod'
import { defineCall } from './call.ts'
import { base } from './shared.ts'

const tag = 'Sign-in'

/** The user's permission per organisation: code, name, subscription number (0 = none). */
export const permissionSchema = z.object({ oc: z.string(), on: z.string(), ng: z.number().int() })

export const userAnswer = z.object({
  userId: z.string(),
  username: z.string(),
  fullname: z.string(),
  email: z.string(),
  avatar: z.string().nullable(),
  memberId: z.string(),
  organisationCode: z.string().nullable(),
  organisationName: z.string().nullable(),
  negroniPermission: z.string(),
  negroniLicenseLimits: z.string(),
  isAdmin: z.boolean(),
  permissions: z.array(permissionSchema),
})
export type UserAnswer = z.output<typeof userAnswer>

const sessionAnswer = z.object({
  eccUser: userAnswer,
  memberDetails: z.object({ avatar: z.string().nullable(), fullname: z.string(), memberId: z.string() }),
  /** When the session cookie ends, as ISO 8601. */
  expiresAt: z.string(),
  demo: z.boolean(),
})

export const authorize = defineCall({
  id: 'authorize',
  method: 'GET',
  path: `${base}/sso/authorize`,
  tag,
  access: 'public',
  summary: "Starts a sign-in: the provider's address and the state that the callback must bring back.",
  answer: z.object({ url: z.string(), state: z.string() }),
})

export const signIn = defineCall({
  id: 'signIn',
  method: 'POST',
  path: `${base}/sso/signin`,
  tag,
  access: 'public',
  summary: "Turns the provider's code into a session.",
  query: z.object({ code: z.string().max(4000), state: z.string().max(400) }),
  answer: sessionAnswer,
})

export const refreshSession = defineCall({
  id: 'refreshSession',
  method: 'POST',
  path: `${base}/sso/refresh`,
  tag,
  access: 'public',
  summary: 'Renews a session. With the cookie it answers the new expiry only.',
  query: z.object({ refreshToken: z.string().max(4000).optional() }),
  answer: z.object({
    expiresAt: z.string(),
    eccOAuthToken: z.object({ id_token: z.string(), access_token: z.string(), refresh_token: z.string() }).optional(),
  }),
})

export const getSession = defineCall({
  id: 'getSession',
  method: 'GET',
  path: `${base}/sso/session`,
  tag,
  access: 'public',
  summary: 'Who is signed in; 401 where nobody is.',
  answer: sessionAnswer,
})

export const signOut = defineCall({
  id: 'signOut',
  method: 'POST',
  path: `${base}/sso/logout`,
  tag,
  access: 'public',
  summary: "Ends the session and answers the provider's logout address.",
  answer: z.object({ url: z.string() }),
})

export const ssoCalls = { authorize, signIn, refreshSession, getSession, signOut }
