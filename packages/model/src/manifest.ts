import * as z from 'zod'
import { newUid } from './uid.ts'

export const manifestContentFormat = 1

/** EXCLUSIVE: an independent copy owned by the manifest. TEMPLATE: a reference to the entity in its place. */
export const memberTypes = ['EXCLUSIVE', 'TEMPLATE'] as const
export type MemberType = (typeof memberTypes)[number]

/** The stored content of a manifest, identified by its hash. The order of lists is set by users. */
export const manifestContentSchema = z.object({
  format: z.literal(manifestContentFormat),
  uid: z.string(),
  name: z.string(),
  description: z.string(),
  entities: z.array(z.object({ id: z.number().int(), type: z.enum(memberTypes) })),
  subManifests: z.array(z.number().int()),
  importsPath: z.array(z.string()),
})
export type ManifestContent = z.infer<typeof manifestContentSchema>

export type ManifestNode = ManifestContent & { id: number; path: string }

export function newManifestContent(fields: Partial<ManifestContent> & Pick<ManifestContent, 'name'>): ManifestContent {
  return {
    format: manifestContentFormat,
    uid: newUid(),
    description: '',
    entities: [],
    subManifests: [],
    importsPath: [],
    ...fields,
  }
}
