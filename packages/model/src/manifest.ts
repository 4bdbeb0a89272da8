import * as z from 'zod'
import { manifestFields } from './fields/manifest.ts'
import { defaultsOf, newestFormat, schemasOf } from './fields/field.ts'
import { newUid } from './uid.ts'

/** Format version of a stored manifest content: the newest that added a field; `content.ts` has the upgrades. */
export const manifestContentFormat = newestFormat(manifestFields)

/** EXCLUSIVE: an independent copy owned by the manifest. TEMPLATE: a reference to the entity in its place. */
export const memberTypes = ['EXCLUSIVE', 'TEMPLATE'] as const
export type MemberType = (typeof memberTypes)[number]

const { importsPath, ...ownSchemas } = schemasOf(manifestFields)

/** The stored content of a manifest, identified by its hash. The order of lists is set by users. */
export const manifestContentSchema = z.object({
  format: z.literal(manifestContentFormat),
  ...ownSchemas,
  entities: z.array(z.object({ id: z.number().int(), type: z.enum(memberTypes) })),
  subManifests: z.array(z.number().int()),
  importsPath,
})
export type ManifestContent = z.infer<typeof manifestContentSchema>

export type ManifestNode = ManifestContent & { id: number; path: string }

const defaults = defaultsOf(manifestFields)

export function newManifestContent(fields: Partial<ManifestContent> & Pick<ManifestContent, 'name'>): ManifestContent {
  return {
    format: manifestContentFormat,
    ...defaults(),
    uid: newUid(),
    entities: [],
    subManifests: [],
    ...fields,
  }
}
