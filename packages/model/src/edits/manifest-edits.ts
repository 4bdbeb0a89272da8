import * as z from 'zod'
import { type ManifestContent, manifestContentSchema } from '../manifest.ts'
import { applyAll, type Definition, type Definitions, invertAll } from './definition.ts'
import { insertItems, newInsertions, reinsertionsOf, removeItems, valuesOf, withChange } from './lists.ts'

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

type ManifestEditDefinition<K extends ManifestEdit['kind']> = Definition<
  ManifestContent,
  ManifestEdit,
  Extract<ManifestEdit, { kind: K }>
>

const changeManifest: ManifestEditDefinition<'changeManifest'> = {
  apply: (content, { change }) => withChange(content, change, manifestFields),
  invert: (content, { change }) => ({ kind: 'changeManifest', change: valuesOf(content, change, manifestFields) }),
}

const idOf = ({ id }: { id: number }) => id

const addMembers: ManifestEditDefinition<'addMembers'> = {
  apply: (content, { added }) => ({ ...content, entities: insertItems(content.entities, added, idOf) }),
  invert: ({ entities }, { added }) => ({
    kind: 'removeMembers',
    ids: newInsertions(entities, added, idOf).map(({ item }) => item.id),
  }),
}

const removeMembers: ManifestEditDefinition<'removeMembers'> = {
  apply: (content, { ids }) => ({ ...content, entities: removeItems(content.entities, ids, idOf) }),
  invert: ({ entities }, { ids }) => ({ kind: 'addMembers', added: reinsertionsOf(entities, new Set(ids), idOf) }),
}

const itself = (id: number) => id

const addSubManifests: ManifestEditDefinition<'addSubManifests'> = {
  apply: (content, { added }) => ({ ...content, subManifests: insertItems(content.subManifests, added, itself) }),
  invert: ({ subManifests }, { added }) => ({
    kind: 'removeSubManifests',
    ids: newInsertions(subManifests, added, itself).map(({ item }) => item),
  }),
}

const removeSubManifests: ManifestEditDefinition<'removeSubManifests'> = {
  apply: (content, { ids }) => ({ ...content, subManifests: removeItems(content.subManifests, ids, itself) }),
  invert: ({ subManifests }, { ids }) => ({
    kind: 'addSubManifests',
    added: reinsertionsOf(subManifests, new Set(ids), itself),
  }),
}

const definitions = {
  changeManifest,
  addMembers,
  removeMembers,
  addSubManifests,
  removeSubManifests,
} satisfies Definitions<ManifestContent, ManifestEdit>

export function applyManifestEdits(content: ManifestContent, edits: readonly ManifestEdit[]): ManifestContent {
  return applyAll(definitionOf, content, edits)
}

/** The inverse of the edits; `content` is the state before them. */
export function invertManifestEdits(content: ManifestContent, edits: readonly ManifestEdit[]): ManifestEdit[] {
  return invertAll(definitionOf, content, edits)
}

function definitionOf({ kind }: ManifestEdit): Definition<ManifestContent, ManifestEdit> {
  return definitions[kind]
}
