import { createHash } from 'node:crypto'
import { checkSchema } from '@cadmus/model/checks'
import { entityForm } from '@cadmus/model/content'
import { enumerationSchema } from '@cadmus/model/enumeration'
import { isRecord } from '@cadmus/model/equal'
import { entityAttributeSchema, entityReferenceSchema } from '@cadmus/model/entity-attribute'
import { groupSchema } from '@cadmus/model/group'
import { fragment, partUpgrade, withItems, type Part } from '@cadmus/model/stored/nested-forms'
import { numbered, readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import { typeAttributeSchema } from '@cadmus/model/type-attribute'
import * as z from 'zod'

// Schema of the sidecar file `cadmus.json` in exported folders: uids, and model properties that CDM cannot express.
// It is not a CDM document, so CDM readers ignore it. Scopes, types and configurations are not included.

export const sidecarFile = 'cadmus.json'

const typeFieldsPart: Part = { form: entityForm, list: 'typeAttributes', isPartial: true }
const relationshipFieldsPart: Part = { form: entityForm, list: 'entityAttributes', isPartial: true }

/** Corpus path of an entity in the folder, or a reference to an external entity. */
const reference = z.union([z.string(), entityReferenceSchema.omit({ id: true })])
export type SidecarReference = z.infer<typeof reference>

const typeFields = fragment(typeAttributeSchema.omit({ uid: true, position: true }).partial(), typeFieldsPart)
export type TypeFields = z.infer<typeof typeFields>

const relationshipFields = fragment(
  entityAttributeSchema
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
    .partial(),
  relationshipFieldsPart,
)
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

const sidecarEntity = z.object({
  ...common,
  path: z.string(),
  copiedFrom: z.string().optional(),
  groups: z.array(groupSchema).optional(),
  checks: z.array(checkSchema).optional(),
  traits: z.array(z.unknown()).optional(),
  referenceImportPaths: z.array(z.string()).optional(),
  /** Parent that the document does not name, and the attributes inherited from it. */
  extendsEntity: z.string().optional(),
  inherited: z.array(z.string()).optional(),
  attributes: z.array(attribute),
})
export type SidecarEntity = z.infer<typeof sidecarEntity>

const sidecarManifest = z.object({
  ...common,
  path: z.string(),
  importsPath: z.array(z.string()).optional(),
  enumerations: z.array(enumerationSchema).optional(),
})
export type SidecarManifest = z.infer<typeof sidecarManifest>

/** A model property that the export could not preserve, as reported to the user at export. */
const sidecarNote = z.object({ path: z.string(), message: z.string() })
export type SidecarNote = z.infer<typeof sidecarNote>

/** Items of another shape are null. */
function itemsOf<T>(schema: z.ZodType<T>) {
  return z.array(schema.nullable().catch(null)).catch([])
}

const sidecarSchema = z.object({
  document: z.literal('cadmus-cdm'),
  /** Format of the entities to which the fields of attributes belong; missing in files of earlier releases. */
  entityFormat: z.number().int().optional(),
  entities: itemsOf(sidecarEntity),
  manifests: itemsOf(sidecarManifest),
  notes: itemsOf(sidecarNote),
})

export const sidecarForm: StoredForm<z.infer<typeof sidecarSchema>> = {
  name: 'sidecar',
  format: 4,
  schema: sidecarSchema,
  // Format 2 added groups of entities, format 3 their checks, format 4 enumerations of manifests.
  upgrades: { 1: stored => stored, 2: stored => stored, 3: stored => stored },
}

/** Format of entities in sidecars that do not state it. */
const unstatedEntityFormat = 2

/** Reads a sidecar of any format, with attributes of entities of any format. Throws a `StoredFormError`. */
export function readSidecar(json: unknown): z.infer<typeof sidecarSchema> {
  const stated = isRecord(json) ? json['entityFormat'] : undefined
  const from = typeof stated === 'number' ? stated : unstatedEntityFormat
  const withFields = (attribute: unknown) => {
    if (!isRecord(attribute)) return attribute
    const part = attribute['kind'] === 'type' ? typeFieldsPart : relationshipFieldsPart
    return { ...attribute, fields: partUpgrade(part, from, entityForm.format)(attribute['fields']) }
  }
  const isCurrent = from === entityForm.format
  const withEntities = isCurrent
    ? json
    : withItems(json, 'entities', entity => withItems(entity, 'attributes', withFields))
  return readStored(sidecarForm, withEntities)
}

export function sidecarText(parts: Pick<z.infer<typeof sidecarSchema>, 'entities' | 'manifests' | 'notes'>): string {
  const sidecar = { document: 'cadmus-cdm', entityFormat: entityForm.format, ...parts } as const
  return `${JSON.stringify(numbered(sidecarForm, sidecar))}\n`
}

/** Hash of a document, as recorded in the sidecar. */
export function hashOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}
