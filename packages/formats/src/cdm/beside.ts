import { entityAttributeSchema, entityReferenceSchema } from '@cadmus/model/entity-attribute'
import { typeAttributeSchema } from '@cadmus/model/type-attribute'
import * as z from 'zod'

// What is kept beside the documents of a folder that was written here: who everything is, and what CDM has no word for. It is no CDM
// document: whoever reads the folder as one passes over it. Scopes, types and configurations are not in it.

export const besideFile = 'cadmus.json'
export const besideFormat = 1

/** An entity of the folder by its corpus path, or one that is elsewhere. */
const reference = z.union([z.string(), entityReferenceSchema.omit({ id: true })])
export type BesideReference = z.infer<typeof reference>

const typeFields = typeAttributeSchema.omit({ uid: true, position: true }).partial()
export type TypeFields = z.infer<typeof typeFields>

const relationshipFields = entityAttributeSchema
  .omit({
    uid: true,
    position: true,
    associatedEntity: true,
    alternativeTargets: true,
    associatedEntityTypeAttributeUid: true,
  })
  .extend({
    associatedEntity: reference,
    alternativeTargets: z.array(z.object({ entity: reference, attribute: z.string() })),
  })
  .partial()
export type RelationshipFields = z.infer<typeof relationshipFields>

/** Without a uid it is a copy of what another entity has. */
const identity = { name: z.string(), uid: z.string().optional() }

/** `name` is the one in the document; the fields are those that its document does not say, or says otherwise. */
const attribute = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('type'), ...identity, fields: typeFields }),
  z.object({ kind: z.literal('relationship'), ...identity, fields: relationshipFields }),
])
export type BesideAttribute = z.infer<typeof attribute>

const thing = {
  /** Of the document as it was written: what was changed since counts as it stands there. */
  hash: z.string(),
  uid: z.string(),
  /** Where the folder cannot have the name. */
  name: z.string().optional(),
}

export const besideEntity = z.object({
  ...thing,
  /** Its corpus path. */
  path: z.string(),
  copiedFrom: z.string().optional(),
  traits: z.array(z.unknown()).optional(),
  referenceImportPaths: z.array(z.string()).optional(),
  /** The parent that its document does not name, and which of its attributes are inherited from there. */
  extendsEntity: z.string().optional(),
  inherited: z.array(z.string()).optional(),
  /** Its own, in order. */
  attributes: z.array(attribute),
})
export type BesideEntity = z.infer<typeof besideEntity>

export const besideManifest = z.object({
  ...thing,
  path: z.string(),
  importsPath: z.array(z.string()).optional(),
})
export type BesideManifest = z.infer<typeof besideManifest>

/** What an export could not carry, as it was told to whoever exported. */
export const besideNote = z.object({ path: z.string(), message: z.string() })
export type BesideNote = z.infer<typeof besideNote>
