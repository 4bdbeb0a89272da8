import * as z from 'zod'
import { databaseTypeOf, databaseTypes } from '../database-types.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { lossDigestText, schemaStep } from '../schema-step.ts'

/** Path from the manifest to the subject of a problem, with local ids and permanent uids. */
const problemStepAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('manifest'), id: z.number().int(), uid: z.string().optional(), name: z.string() }),
  z.object({
    kind: z.literal('entity'),
    id: z.number().int(),
    uid: z.string().optional(),
    name: z.string(),
    path: z.string().optional(),
  }),
  z.object({ kind: z.literal('typeAttribute'), uid: z.string(), name: z.string() }),
  z.object({ kind: z.literal('entityAttribute'), uid: z.string(), name: z.string() }),
])

/** A finding of a validation; the shape of `Problem`. */
export const problemAnswer = z.object({
  severity: z.enum(['error', 'warning', 'note']),
  code: z.string(),
  message: z.string(),
  path: z.array(problemStepAnswer),
  databases: z.array(z.enum(databaseTypes)).optional(),
})
export type ProblemAnswer = z.infer<typeof problemAnswer>

/**
 * Progress of an import under a client-chosen key, or of reading the library. `done` and `total` count entities; total 0 = not yet
 * determined.
 */
export const progressAnswer = z.object({
  state: z.enum(['waiting', 'reading', 'resolving', 'storing', 'done', 'failed', 'cancelled']),
  done: z.number().int(),
  total: z.number().int(),
  message: z.string(),
})

/** A finding of an import about a file or an item of it; equal findings of a kind are one line. */
export const importReportLine = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  path: z.string(),
  message: z.string(),
  kind: z
    .enum(['read', 'problem', 'lost', 'changed', 'note'])
    .optional()
    .describe(
      'read: a fact about the whole import; problem: exports refuse it; lost: the model has no place for it; changed: it is there in another form; note: nothing is lost.',
    ),
  count: z.number().int().optional().describe('Number of findings in the line. Absent: one.'),
})

/** A line as stored for the download, with all places of its findings. */
export const fullReportLine = importReportLine.extend({
  text: z.string().optional(),
  places: z
    .array(z.object({ path: z.string(), line: z.number().int(), name: z.string().optional() }))
    .readonly()
    .optional(),
})

/** Accepts every spelling of a database type and returns its code. */
export const databaseTypeSchema = z.string().transform((spelling, context) => {
  const type = databaseTypeOf(spelling)
  if (type) return type
  context.addIssue({ code: 'custom', message: `"${spelling.slice(0, 60)}" is not a known database type.` })
  return z.NEVER
})

/** Ids in JSON bodies are numbers. */
export const idSchema = z.number().int().positive()
/** -1 = none. */
export const optionalIdSchema = z.number().int().min(-1).default(-1)

/** Ids in paths and queries are text. */
export const idText = z.coerce.number().int().positive()
/** -1 = none. */
export const optionalIdText = z.coerce.number().int().min(-1).default(-1)
export const idParams = z.object({ id: idText })

/**
 * Client-chosen id of a save, which makes it repeatable when no answer arrived. A repeated save returns the stored result, a repeated
 * creation the created item; a different request under the same id is refused (409 `operation_reused`).
 */
export const saveIdQuery = z.object({ saveId: z.uuid().toLowerCase().optional() })
/** Client-chosen id of a call whose body has it. */
export const operationIdSchema = z
  .uuid()
  .toLowerCase()
  .describe('Chosen by the client. A repeated request changes nothing; 409 `operation_reused` for another request.')
/** Rejects the lookup of unanswered saves by earlier pages, which would mistake the current state for the result. */
export const noSavedBy = z.object({ savedBy: z.never(messages.newerRelease).optional() })

export const resultAnswer = z.object({ result: z.literal('OK'), message: z.string() })

/** A reference to an entity: its source (entity or manifest), its kind, and its target. */
export const referenceItem = z.object({
  kind: z.enum([
    'relationship',
    'alternativeTarget',
    'extends',
    'member',
    'aggregateQuery',
    'excludedOperation',
    'sotEntity',
  ]),
  /** The kind of document that `id`, `uid`, `name` and `path` describe. */
  document: z.enum(['entity', 'manifest']),
  id: z.number().int(),
  uid: z.string(),
  name: z.string(),
  path: z.string(),
  /** Name of the relationship's foreign key, of the query or of the operation; '' if the whole entity or manifest refers. */
  item: z.string(),
  itemUid: z.string().nullable(),
  /** `attribute`: the referenced column, if a column is removed rather than the whole entity. */
  target: z.object({
    id: z.number().int(),
    name: z.string(),
    attribute: z.object({ uid: z.string(), name: z.string() }).optional(),
  }),
})
export type ReferenceItem = z.infer<typeof referenceItem>

/**
 * Body of every error. `errors`: by field; `etag`: tag of the state with which the changes conflict; `problems`: all
 * problems of a refused manifest; `id`: also in the log.
 */
export const errorAnswer = z.object({
  message: z.string(),
  code: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  problems: z.array(problemAnswer).optional(),
  conflicts: z
    .array(
      z.object({
        path: z.string(),
        field: z.string(),
        base: z.unknown(),
        mine: z.unknown(),
        theirs: z.unknown(),
        who: z.string(),
        when: z.string(),
        /** The same user changed it in another window. */
        own: z.literal(true).optional(),
      }),
    )
    .optional(),
  etag: z.string().optional(),
  /** References that prevent a deletion until `onReferences` is given. */
  references: z.array(referenceItem).optional(),
  /**
   * Schema steps of an upload that would lose data; steps that lose data come first. `count`: total number of steps.
   */
  schema: z
    .object({ steps: z.array(schemaStep), count: z.number().int(), lossDigest: lossDigestText.optional() })
    .optional(),
  /** The item created earlier under the same save id by a different request. */
  made: z.object({ id: z.number().int(), name: z.string() }).optional(),
  /** The document that an error of edits is about. */
  document: z.object({ kind: z.enum(['entity', 'manifest', 'configuration']), id: z.number().int() }).optional(),
  /** Root manifests of an imported file, newest first; one must be chosen. */
  roots: z.array(z.string()).optional(),
  id: z.string().optional(),
})
export type ErrorAnswer = z.infer<typeof errorAnswer>

/**
 * `page` from 0, `limit` 1…1000; `search`: case-insensitive substring of the name (for entities a prefix, if it has one or two characters);
 * `after`: opaque cursor, instead of a page.
 */
export function pageQuery(defaultLimit: number = limits.listLimit.default) {
  return z.object({
    page: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(limits.listLimit.max).default(defaultLimit),
    search: z.string().max(200).default(''),
    after: z.string().max(400).optional(),
  })
}

/** `{ totalElements, size, page, result, message, <name>: [] }`; `next`: cursor for `after`, null at the end. */
export function listAnswer<N extends string, T extends z.ZodType>(name: N, item: T) {
  const items = z.object({ [name]: z.array(item) } as Record<N, z.ZodArray<T>>)
  return items.extend({
    totalElements: z.number().int(),
    size: z.number().int(),
    page: z.number().int(),
    result: z.literal('OK'),
    message: z.string(),
    next: z.string().nullable(),
  })
}

/** User id of legacy calls; must be the session's. */
export const userIdQuery = z.object({ userId: z.string().max(200).optional() })
export const versionQuery = z.object({ version: z.string().max(100) })
export const multipartBody = z.unknown()
