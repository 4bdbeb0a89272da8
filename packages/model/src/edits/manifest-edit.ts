import * as z from 'zod'
import { manifestContentSchema, type ManifestContent } from '../manifest.ts'
import type { Definition } from './definition.ts'

// Shape of a manifest's edits. Their behaviour is in the file of each kind.

const ownSchema = manifestContentSchema.omit({ format: true, uid: true, entities: true, subManifests: true })
export const manifestFields = ownSchema.keyof().options

const id = z.number().int()
const before = id.nullable()

export const manifestEditSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changeManifest'), change: ownSchema.partial() }),
  z.object({
    kind: z.literal('addMembers'),
    added: z.array(z.object({ item: manifestContentSchema.shape.entities.element, before })),
  }),
  z.object({ kind: z.literal('removeMembers'), ids: z.array(id) }),
  z.object({ kind: z.literal('addSubManifests'), added: z.array(z.object({ item: id, before })) }),
  z.object({ kind: z.literal('removeSubManifests'), ids: z.array(id) }),
])
export type ManifestEdit = z.infer<typeof manifestEditSchema>

export type ManifestEditDefinition<K extends ManifestEdit['kind']> = Definition<
  ManifestContent,
  ManifestEdit,
  Extract<ManifestEdit, { kind: K }>
>
