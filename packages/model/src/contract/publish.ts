import * as z from 'zod'
import { apiTypes, sqlConfigurationSchema } from '../configuration.ts'
import { limits } from '../limits.ts'
import { buildChoices, publishKinds, uploadStates } from '../package.ts'
import { accessKinds } from '../required-scopes.ts'
import { maxSchemaSteps } from '../schema-step.ts'
import { callsFor } from './call.ts'
import { scopeChange } from './comparison.ts'
import { credentialFields, instanceUrlSchema } from './instance.ts'
import { suggestion } from './package.ts'
import { base } from './routes.ts'
import { problemAnswer, resultAnswer } from './shared.ts'

const publishCall = callsFor({ tag: 'Packages', access: 'user' })

/** The last upload of a package to an instance, of a version whose build still exists. */
const publication = z.object({
  packageId: z.number().int(),
  packageName: z.string(),
  /** The manifest of the package; it may be deleted. */
  manifestId: z.number().int(),
  version: z.string(),
  instanceUrl: z.string(),
  /** Whether the upload was made with credentials of its own, which are not stored. */
  signedIn: z.boolean(),
  /** The requested state. */
  state: z.enum(uploadStates),
  userName: z.string(),
  /** ISO 8601, UTC. */
  publishedAt: z.string(),
})
export type Publication = z.output<typeof publication>

export const listPublications = publishCall({
  id: 'listPublications',
  method: 'GET',
  path: `${base}/publications`,
  summary: `Lists the last upload of each package to each instance, newest first; at most ${limits.publicationsListed}.`,
  answer: resultAnswer.extend({ publications: z.array(publication) }),
})

const params = z.object({ name: z.string().max(200) })
const versionText = z.string().max(limits.version.max)

/** Version whose choices are used and with whose API the next one is compared; absent: the highest built one. */
const basedOn = versionText.optional()

export const checkRebuild = publishCall({
  id: 'checkRebuild',
  method: 'POST',
  path: `${base}/packages/{name}/rebuild/check`,
  reads: true,
  summary:
    'What a rebuild of a package would contain: its settings, the proposed version with the changes that break API clients, and the problems of the manifest. Builds nothing.',
  params,
  body: z.strictObject({ basedOn }),
  answer: resultAnswer.extend({
    /** The next patch. */
    version: z.string(),
    /** The version that it is compared with. */
    basedOn: z.string(),
    /** The next major version and the breaking changes; null if there are none, or if there are errors. */
    suggestion,
    /** Operations that open to more callers, at most 100; `openedCount` counts all. */
    opened: z.array(scopeChange),
    openedCount: z.number().int(),
    /** Operations served, and those of them that require no scope; null without a package, or if there are errors. */
    access: z.object({ served: z.number().int(), open: z.number().int(), settings: z.enum(accessKinds) }).nullable(),
    publishAs: z.enum(publishKinds),
    apis: z.array(z.enum(apiTypes)),
    sql: sqlConfigurationSchema,
    connection: z.object({
      /** A database type of configurations, such as MYSQL. */
      type: z.string(),
      url: z.string(),
      databaseName: z.string(),
      username: z.string(),
      hasPassword: z.boolean(),
    }),
    /** Those settings that are choices of the former build instead of the configuration. */
    choices: z.array(z.enum(buildChoices)),
    /** The worst ones, at most 100; `errors` and `warnings` count all. */
    problems: z.array(problemAnswer),
    errors: z.number().int(),
    warnings: z.number().int(),
  }),
})

export const recordCounts = z.object({
  /** Version of the package whose tables exist there. */
  version: z.string(),
  /** By the key of a step of `compareMigration`. */
  counts: z.array(z.object({ key: z.string(), count: z.number().int().nonnegative() })).max(maxSchemaSteps),
})
export type RecordCounts = z.output<typeof recordCounts>

export const previewRebuild = publishCall({
  id: 'previewRebuild',
  method: 'POST',
  path: `${base}/packages/{name}/rebuild/preview`,
  summary:
    'Returns the warnings that publishing a rebuild of a package would cause. Sends the instance a package with its secrets, stores none, and changes nothing there.',
  params,
  body: z.strictObject({
    basedOn,
    version: versionText.optional(),
    instanceUrl: instanceUrlSchema,
    ...credentialFields,
    /** Whether to count the records that would be lost or prevent a start, which takes up to ten seconds. */
    counts: z.boolean().default(false),
  }),
  answer: resultAnswer.extend({
    /** Those of `uploadPackage`; null if the instance does not support previews. */
    warnings: z.array(z.string()).nullable(),
    /** Records that prevent a start, with what is to be changed. `entity`: null if it no longer exists. */
    obstacles: z.array(
      z.object({
        text: z.string(),
        entity: z.object({ id: z.number().int(), name: z.string(), path: z.string() }).nullable(),
        attribute: z.object({ kind: z.enum(['typeAttribute', 'entityAttribute']), uid: z.string() }),
      }),
    ),
    /** If requested; null if the instance cannot count, or not in time. */
    counts: recordCounts.nullable().optional(),
  }),
})
export type StartObstacle = z.output<typeof previewRebuild.answer>['obstacles'][number]

export const rebuildPackage = publishCall({
  id: 'rebuildPackage',
  method: 'POST',
  path: `${base}/packages/{name}/rebuild`,
  summary:
    'Starts building the next version of a package from the present manifest and its configuration, with the choices and secrets of a former build; returns immediately like `buildManifest`.',
  params,
  body: z.strictObject({ basedOn, /** Absent: the next patch. */ version: versionText.optional() }),
  answer: resultAnswer.extend({ packageId: z.number().int(), packageName: z.string(), version: z.string() }),
})
