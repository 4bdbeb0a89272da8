import * as z from 'zod'
import { causeSchema } from '../edits/edit-forms.ts'
import { entityCall } from './lists.ts'
import { base } from './routes.ts'
import { idParams, idSchema } from './shared.ts'

/** What one history reads: log entries, bytes of edits and contents; and what it lists. Not part of the first load. */
export const biographyLimits = { entries: 1000, bytes: 4 * 1024 * 1024, events: 100, manifests: 5 } as const

export const biographyKinds = ['added', 'moved', 'removed', 'returned', 'changed'] as const

const document = z.object({ id: idSchema, name: z.string() })
const versionAt = z.object({ version: z.string(), at: z.string() })

export const getAttributeBiography = entityCall({
  id: 'getAttributeBiography',
  method: 'GET',
  path: `${base}/entity/{id}/attributes/{uid}/biography`,
  summary:
    'The history of one attribute or relationship, followed by its uid through moves between entities: its changes, names, and the first versions and builds with it.',
  params: idParams.extend({ uid: z.string().regex(/^[\da-z-]{1,60}$/i) }),
  answer: z.object({
    names: z
      .object({
        api: z.string().describe('In the APIs of packages.'),
        sql: z.array(z.object({ database: z.string(), name: z.string() })).describe('Its column, by database.'),
      })
      .nullable()
      .describe('null if the entity no longer has it.'),
    formerNames: z.array(z.object({ name: z.string(), until: z.string() })).describe('The most recent first.'),
    since: z
      .object({
        entity: versionAt.nullable().describe('The first frozen version of the entity with it.'),
        manifests: z
          .array(document.extend(versionAt.shape))
          .max(biographyLimits.manifests)
          .describe('The first frozen version with it of each manifest that contains the entity.'),
        builds: z
          .array(versionAt.extend({ name: z.string() }))
          .max(biographyLimits.manifests)
          .describe('The first build from each of these versions or a later one.'),
      })
      .describe('Since when it is part of versions and packages.'),
    events: z
      .array(
        z.object({
          sequence: z.number().int().describe('Order of all changes in the organisation.'),
          kind: z.enum(biographyKinds),
          entity: document,
          from: z.string().nullable().describe('For a move: the name of the entity it was in.'),
          at: z.string(),
          actor: z.object({ name: z.string() }),
          description: z.string(),
          cause: causeSchema.nullable(),
          changes: z
            .array(z.object({ field: z.string(), before: z.unknown().optional(), after: z.unknown() }))
            .describe('Changed fields; without `before` if the value before is not known.'),
        }),
      )
      .max(biographyLimits.events)
      .describe('Newest first.'),
    more: z
      .boolean()
      .describe('Whether the log may have earlier or further changes of it, beyond the bounds of this call.'),
  }),
})
