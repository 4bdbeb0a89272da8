import * as z from 'zod'
import { limits } from '../limits.ts'
import { packageMessages } from '../messages/packages.ts'
import { callsFor } from './call.ts'
import { base } from './routes.ts'
import { resultAnswer } from './shared.ts'

const instanceCall = callsFor({ tag: 'Instances', access: 'user' })

/** Assumes https without a scheme. */
export const instanceUrlSchema = z
  .string()
  .trim()
  .min(1, packageMessages.instance.required)
  .max(2000)
  .transform((text, context) => {
    const url = instanceUrlOf(text)
    if (url !== undefined) return url
    context.addIssue({ code: 'custom', message: packageMessages.instance.url })
    return z.NEVER
  })

/** A request has at most one of the two, and neither for a hosted instance. */
export const credentialFields = {
  credentials: z.strictObject({ username: z.string().max(400), password: z.string().max(4000) }).optional(),
  token: z
    .string()
    .trim()
    .max(16_000)
    .regex(/^[!-~]*$/)
    .optional(),
}

const instanceBody = z.strictObject({ instanceUrl: instanceUrlSchema, ...credentialFields })

/**
 * Error codes of calls to an instance (409): `instance_unreachable`, `instance_refused` (credentials rejected), `instance_not_allowed`
 * (user lacks the permission), `instance_empty` (no packages), `instance_failed` (anything else). 403 `instance_forbidden`: this console
 * may not call the address.
 */
const outcomes = 'Errors have separate codes for an instance that is unreachable, not allowed or empty.'

const instancePackage = z.object({
  id: z.string(),
  name: z.string(),
  versions: z.array(z.string()),
  /** The instance's own status text: LOADED, STARTED and others. */
  status: z.string(),
  /** The running version, if it differs. */
  runningVersion: z.string().optional(),
  /** A package of another organisation on a hosted instance. Reveals only that the name is taken. */
  taken: z.literal(true).optional(),
})
export type InstancePackage = z.output<typeof instancePackage>

export const listWorkspaces = instanceCall({
  id: 'listWorkspaces',
  method: 'GET',
  path: `${base}/workspaces`,
  summary: 'Lists the hosted instances by name.',
  query: z.object({
    page: z.coerce.number().int().min(0).default(0),
    size: z.coerce.number().int().min(1).max(limits.listLimit.max).default(limits.listLimit.default),
    search: z.string().max(200).default(''),
  }),
  answer: resultAnswer.extend({
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** Same as `url`; the value for `instanceUrl`. */
        path: z.string(),
        hostname: z.string(),
        url: z.string(),
      }),
    ),
    totalElements: z.number().int(),
    size: z.number().int(),
    page: z.number().int(),
  }),
})

const packageList = {
  method: 'POST',
  reads: true,
  summary: `Lists the packages of an instance by name, except its built-in ones. ${outcomes}`,
  body: instanceBody,
  answer: resultAnswer.extend({ items: z.array(instancePackage) }),
} as const

export const listWorkspacePackages = instanceCall({
  id: 'listWorkspacePackages',
  path: `${base}/workspace/packages`,
  ...packageList,
})

export const listInstancePackages = instanceCall({
  id: 'listInstancePackages',
  path: `${base}/instance/packages`,
  ...packageList,
})

export const listInstanceDatabases = instanceCall({
  id: 'listInstanceDatabases',
  method: 'POST',
  path: `${base}/instance/databases`,
  reads: true,
  summary: `Lists the databases of an instance by name. ${outcomes}`,
  body: instanceBody,
  answer: resultAnswer.extend({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
})

export const getInstanceDatabase = instanceCall({
  id: 'getInstanceDatabase',
  method: 'POST',
  path: `${base}/instance/database`,
  reads: true,
  summary: `A database of an instance. ${outcomes}`,
  body: instanceBody.extend({ name: z.string().min(1).max(400) }),
  answer: resultAnswer.extend({
    database: z.object({
      name: z.string(),
      url: z.string(),
      username: z.string(),
      /**
       * A database type of configurations (such as MYSQL), derived from address or driver; the instance's own code for other kinds. MYSQL
       * by default.
       */
      type: z.string(),
    }),
  }),
})

export const testInstance = instanceCall({
  id: 'testInstance',
  method: 'POST',
  path: `${base}/instance/test`,
  reads: true,
  summary: `Whether an instance is there, lets in and has packages, its own among them. ${outcomes}`,
  body: instanceBody,
  answer: resultAnswer,
})

/** The origin of an http or https address; undefined for other text. */
export function instanceUrlOf(text: string): string | undefined {
  const trimmed = text.trim()
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
  if (trimmed === '' || !URL.canParse(whole)) return undefined
  const url = new URL(whole)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  // Some browsers accept a host name with spaces and write it with %20.
  if (url.hostname.includes('%')) return undefined
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
