import * as z from 'zod'
import { limits } from '../limits.ts'
import { lossDigestText, schemaStep } from '../schema-step.ts'
import { problemAnswer } from './problem.ts'

/** In bodies numbers are numbers. */
export const idSchema = z.number().int().positive()
/** -1 = none. */
export const optionalIdSchema = z.number().int().min(-1).default(-1)

/** In paths and queries everything is text, and read as what it says. */
export const idText = z.coerce.number().int().positive()
/** -1 = none. */
export const optionalIdText = z.coerce.number().int().min(-1).default(-1)
export const idParams = z.object({ id: idText })

/**
 * What a save is called by who makes it, and who can ask by that what became of it where no answer came. The same save sent again is
 * answered what it stored, a creation what it made; something else under the same id is refused (409 `save_other`).
 */
export const saveIdQuery = z.object({ saveId: z.uuid().optional() })
/** The state that a save made, whatever came after it: that of the id, or 404 where it stored nothing. */
export const savedByQuery = z.object({ savedBy: z.uuid().optional() })

export const resultAnswer = z.object({ result: z.literal('OK'), message: z.string() })

/** One place that refers to an entity: in which entity or manifest, as what, and to which. */
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
  /** What `id`, `uid`, `name` and `path` are of. */
  document: z.enum(['entity', 'manifest']),
  id: z.number().int(),
  uid: z.string(),
  name: z.string(),
  path: z.string(),
  /** The relationship's foreign key, the query's or operation's name; '' where the whole entity or manifest refers. */
  item: z.string(),
  itemUid: z.string().nullable(),
  /** `attribute`: which of its columns, where one of them is about to go and not the whole entity. */
  target: z.object({
    id: z.number().int(),
    name: z.string(),
    attribute: z.object({ uid: z.string(), name: z.string() }).optional(),
  }),
})
export type ReferenceItem = z.infer<typeof referenceItem>

/** Every error body. `errors` says where; `etag` names the state that `conflicts` are with; `problems` are a refused manifest's, all of them; `id` is in the log too. */
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
        /** Whoever saves changed it themselves, elsewhere. */
        own: z.literal(true).optional(),
      }),
    )
    .optional(),
  etag: z.string().optional(),
  /** What refers to the thing that cannot go without saying what becomes of them. */
  references: z.array(referenceItem).optional(),
  /** What an upload would do to the tables of an instance, where data would be lost; what loses data first. `count`: of all of them. */
  schema: z
    .object({ steps: z.array(schemaStep), count: z.number().int(), lossDigest: lossDigestText.optional() })
    .optional(),
  /** What the creation made before under whose id something else was sent. */
  made: z.object({ id: z.number().int(), name: z.string() }).optional(),
  /** The root manifests of a file, of which one has to be chosen, the newest first. */
  roots: z.array(z.string()).optional(),
  id: z.string().optional(),
})
export type ErrorAnswer = z.infer<typeof errorAnswer>

/** `page` from 0, `limit` 1…1000, `search` a case-insensitive substring of the name (of entities' names the beginning, where it has one or two characters); `after` an opaque place to go on from instead of a page. */
export function pageQuery(defaultLimit: number = limits.listLimit.default) {
  return z.object({
    page: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(limits.listLimit.max).default(defaultLimit),
    search: z.string().max(200).default(''),
    after: z.string().max(400).optional(),
  })
}

/** `{ totalElements, size, page, result, message, <name>: [] }`; `next` goes into `after`, null at the end. */
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

/** The users' id that certain calls carry; it must be the session's. */
export const userIdQuery = z.object({ userId: z.string().max(200).optional() })
export const versionQuery = z.object({ version: z.string().max(100) })
export const multipartBody = z.unknown()
