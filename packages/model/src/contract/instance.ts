import * as z from 'zod'
import { limits } from '../limits.ts'
import { packageMessages } from '../package-messages.ts'
import { defineCall } from './call.ts'
import { base } from './routes.ts'
import { resultAnswer } from './shared.ts'

export const instanceTag = 'Instances'

/** Without a scheme https is assumed. */
export const instanceUrlSchema = z
  .string()
  .trim()
  .min(1, packageMessages.instance.required)
  .max(2000)
  .transform((text, found) => {
    const url = instanceUrlOf(text)
    if (url !== undefined) return url
    found.addIssue({ code: 'custom', message: packageMessages.instance.url })
    return z.NEVER
  })

/** One of them; neither for a hosted instance. */
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
 * The codes of errors of calls to an instance (409): `instance_unreachable`, `instance_refused` (user name, password or token are none of
 * its), `instance_not_allowed` (they are, and may not do it), `instance_empty` (no packages), `instance_failed` (anything else). 403
 * `instance_forbidden`: this console may not call the address.
 */
const outcomes = 'Errors say whether it is not reachable, not allowed or empty, each with a code of its own.'

const instancePackage = z.object({
  id: z.string(),
  name: z.string(),
  versions: z.array(z.string()),
  /** As the instance has it: LOADED, STARTED and others. */
  status: z.string(),
  /** What answers there, where that is another version. */
  runningVersion: z.string().optional(),
  /** Another organisation's on a hosted instance: nothing is told but that the name is taken. */
  taken: z.literal(true).optional(),
})
export type InstancePackage = z.output<typeof instancePackage>

export const listWorkspaces = defineCall({
  id: 'listWorkspaces',
  method: 'GET',
  path: `${base}/workspaces`,
  tag: instanceTag,
  access: 'user',
  summary: 'The hosted instances, by name.',
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
        /** Its address, as `url`; what is sent as instanceUrl. */
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

export const listWorkspacePackages = defineCall({
  id: 'listWorkspacePackages',
  method: 'POST',
  path: `${base}/workspace/packages`,
  tag: instanceTag,
  access: 'user',
  reads: true,
  summary: `The packages of an instance without those of its own, by name; there may be none. ${outcomes}`,
  body: instanceBody,
  answer: resultAnswer.extend({ items: z.array(instancePackage) }),
})

export const listInstancePackages = defineCall({
  id: 'listInstancePackages',
  method: 'POST',
  path: `${base}/instance/packages`,
  tag: instanceTag,
  access: 'user',
  reads: true,
  summary: `The packages of an instance without those of its own, by name; there may be none. ${outcomes}`,
  body: instanceBody,
  answer: resultAnswer.extend({ items: z.array(instancePackage) }),
})

export const listInstanceDatabases = defineCall({
  id: 'listInstanceDatabases',
  method: 'POST',
  path: `${base}/instance/databases`,
  tag: instanceTag,
  access: 'user',
  reads: true,
  summary: `The databases that an instance knows, by name. ${outcomes}`,
  body: instanceBody,
  answer: resultAnswer.extend({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
})

export const getInstanceDatabase = defineCall({
  id: 'getInstanceDatabase',
  method: 'POST',
  path: `${base}/instance/database`,
  tag: instanceTag,
  access: 'user',
  reads: true,
  summary: `One of its databases. ${outcomes}`,
  body: instanceBody.extend({ name: z.string().min(1).max(400) }),
  answer: resultAnswer.extend({
    database: z.object({
      name: z.string(),
      url: z.string(),
      username: z.string(),
      /** As a configuration has it (MYSQL), found from its address or driver; of other kinds its own code. MYSQL where nothing says. */
      type: z.string(),
    }),
  }),
})

export const testInstance = defineCall({
  id: 'testInstance',
  method: 'POST',
  path: `${base}/instance/test`,
  tag: instanceTag,
  access: 'user',
  reads: true,
  summary: `Whether an instance is there, lets in and has packages, its own among them. ${outcomes}`,
  body: instanceBody,
  answer: resultAnswer,
})

/** The address without what follows it; undefined where the text is none of http or https. */
export function instanceUrlOf(text: string): string | undefined {
  const given = text.trim()
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`
  if (given === '' || !URL.canParse(whole)) return undefined
  const url = new URL(whole)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  // Some browsers take a name with blanks, and write it with %20.
  if (url.hostname.includes('%')) return undefined
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

export const instanceCalls = {
  listWorkspaces,
  listWorkspacePackages,
  listInstancePackages,
  listInstanceDatabases,
  getInstanceDatabase,
  testInstance,
}
