import { entityAttributeSchema, entityReferenceSchema } from '@cadmus/model/entity-attribute'
import { typeAttributeSchema } from '@cadmus/model/type-attribute'
import * as z from 'zod'

// Schema of the sidecar file `cadmus.json` in exported folders: uids, and model properties that CDM cannot express.
// It is not a CDM document, so CDM readers ignore it. Scopes, types and configurations are not included.

export const sidecarFile = 'cadmus.json'
export const sidecarFormat = 1

/** Corpus path of an entity in the folder, or a reference to an external entity. */
const reference = z.union([z.string(), entityReferenceSchema.omit({ id: true })])
export type SidecarReference = z.infer<typeof reference>

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

/** An attribute without a uid is a copy of another entity's attribute. */
const identity = { name: z.string(), uid: z.string().optional() }

/** `name`: as in the document. The fields contain only values that the document lacks or states differently. */
const attribute = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('type'), ...identity, fields: typeFields }),
  z.object({ kind: z.literal('relationship'), ...identity, fields: relationshipFields }),
])
export type SidecarAttribute = z.infer<typeof attribute>

const common = {
  /** Hash of the document as written; a document with another hash takes precedence over this record. */
  hash: z.string(),
  uid: z.string(),
  /** Original name, if it is invalid in a folder. */
  name: z.string().optional(),
}

export const sidecarEntity = z.object({
  ...common,
  path: z.string(),
  copiedFrom: z.string().optional(),
  traits: z.array(z.unknown()).optional(),
  referenceImportPaths: z.array(z.string()).optional(),
  /** Parent that the document does not name, and the attributes inherited from it. */
  extendsEntity: z.string().optional(),
  inherited: z.array(z.string()).optional(),
  attributes: z.array(attribute),
})
export type SidecarEntity = z.infer<typeof sidecarEntity>

export const sidecarManifest = z.object({
  ...common,
  path: z.string(),
  importsPath: z.array(z.string()).optional(),
})
export type SidecarManifest = z.infer<typeof sidecarManifest>

/** A model property that the export could not preserve, as reported to the user at export. */
export const sidecarNote = z.object({ path: z.string(), message: z.string() })
export type SidecarNote = z.infer<typeof sidecarNote>
