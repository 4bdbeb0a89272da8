import * as z from 'zod'
import { databaseTypes } from '../database-types.ts'
import { callsFor, defineCall } from './call.ts'
import { base, firstRoutes } from './routes.ts'

const signInCall = callsFor({ tag: 'Sign-in', access: 'public' })

/** Membership of an organisation: its code, its name, and the subscription number, 0 for none. */
export const permissionSchema = z.object({ oc: z.string(), on: z.string(), ng: z.number().int() })
export type Permission = z.output<typeof permissionSchema>

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

/** Limits of the organisation's licence. `manifestLimit` null = unlimited; the first database type is the default. */
const licenceAnswer = z.object({
  manifestLimit: z.number().int().nullable(),
  rest: z.boolean(),
  graphql: z.boolean(),
  databaseTypes: z.array(z.enum(databaseTypes)),
})
export type LicenceAnswer = z.output<typeof licenceAnswer>

const sessionAnswer = z.object({
  eccUser: userAnswer,
  /** The organisation named by the request, or the user's only one; null: one must be chosen. */
  organisation: z
    .object({
      code: z.string(),
      name: z.string(),
      licence: licenceAnswer,
      /** Whether manifests may have service options; only one organisation's may. */
      serviceOptions: z.boolean(),
    })
    .nullable(),
  memberDetails: z.object({ avatar: z.string().nullable(), fullname: z.string(), memberId: z.string() }),
  /** Expiry of the session cookie, ISO 8601. */
  expiresAt: z.string(),
  demo: z.boolean(),
  /** Whether the user's onboarding tour has started on any device. */
  onboarded: z.boolean(),
})

export type SessionAnswer = z.output<typeof sessionAnswer>

export const authorize = signInCall({
  ...firstRoutes.authorize,
  summary: "Starts a sign-in: returns the provider's address and the state that the callback must return.",
  answer: z.object({ url: z.string(), state: z.string() }),
})

export const signIn = signInCall({
  ...firstRoutes.signIn,
  summary: "Exchanges the provider's code for a session.",
  query: z.object({ code: z.string().max(4000), state: z.string().max(400) }),
  answer: sessionAnswer,
})

export const refreshSession = signInCall({
  ...firstRoutes.refreshSession,
  summary: 'Renews a session. With the cookie it returns only the new expiry.',
  query: z.object({ refreshToken: z.string().max(4000).optional() }),
  answer: z.object({
    expiresAt: z.string(),
    eccOAuthToken: z.object({ id_token: z.string(), access_token: z.string(), refresh_token: z.string() }).optional(),
  }),
})

export const getSession = signInCall({
  ...firstRoutes.getSession,
  summary: 'The signed-in user; 401 without a session.',
  answer: sessionAnswer,
})

export const signOut = signInCall({
  ...firstRoutes.signOut,
  summary:
    "Ends the session and returns the provider's logout address; null if the provider has none or cannot be reached.",
  answer: z.object({ url: z.string().nullable() }),
})

export const beginOnboarding = defineCall({
  id: 'beginOnboarding',
  method: 'POST',
  path: `${base}/onboarding`,
  tag: 'Onboarding',
  access: 'user',
  by: 'session',
  summary:
    "Records that the user's onboarding tour began. `first` is true once per user: the tour then starts automatically.",
  answer: z.object({ first: z.boolean() }),
})
