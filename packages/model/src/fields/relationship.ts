import * as z from 'zod'
import { foreignKeyDataTypes, onDeleteActions, purposes } from '../data-types.ts'
import { alternativeTargetSchema, entityReferenceSchema, referenceRequest } from '../entity-reference.ts'
import { defaults } from '../limits.ts'
import { keyPairSchema, keyPairsRequest } from '../key-pair.ts'
import { columnFields, fieldOf, inDocument, inOrder, internal } from './field.ts'

const field = fieldOf<object>()

/** The fields of a relationship, in stored order. A new one is described here and nowhere else. */
export const relationshipFields = {
  uid: columnFields.uid,
  associatedEntity: field({
    schema: entityReferenceSchema,
    part: 'value',
    request: referenceRequest
      .optional()
      .describe('Alias of `associatedEntityId`, `…Name` and `…Path`; the id takes precedence.'),
    panel: { label: 'Associated Entity', editor: { kind: 'special' } },
    carried: inDocument,
  }),
  associatedEntityTypeAttribute: field({
    schema: z.string(),
    part: 'target',
    default: '',
    panel: { label: 'Target Entity Attribute', editor: { kind: 'special' } },
    carried: inDocument,
  }),
  /** Uid of that attribute or foreign key, which a rename keeps; null if unknown: then the name counts. */
  associatedEntityTypeAttributeUid: field({
    schema: z.string().max(60).nullable(),
    part: 'targetUid',
    default: null,
    since: 2,
    request: z
      .string()
      .max(60)
      .nullable()
      .optional()
      .describe('Uid of that attribute; takes precedence over the name.'),
    panel: null,
    carried: inDocument,
  }),
  description: columnFields.description,
  traitReference: field({
    schema: z.string(),
    part: 'value',
    default: defaults.traitReference,
    request: z.string().max(400),
    panel: { label: 'Trait Reference', editor: { kind: 'special' } },
    carried: internal,
  }),
  simple: field({
    schema: z.enum(['true', 'false']),
    part: 'value',
    default: 'true',
    panel: null,
    carried: internal,
  }),
  foreignKeyTypeAttribute: field({
    schema: z.string(),
    part: 'name',
    default: '',
    request: z.string().optional().describe('Alias of `foreignKeyAttribute.typeAttributeName`.'),
    read: sent => sent?.trim() ?? '',
    panel: { label: 'Foreign Key Type Attribute', editor: { kind: 'text', parse: text => text.trim() } },
    carried: inDocument,
  }),
  foreignKeyPurpose: field({
    schema: z.enum(purposes),
    part: 'value',
    default: 'hasA',
    request: z.enum(purposes).optional().describe('Alias of `foreignKeyAttribute.purpose`.'),
    panel: { label: 'Foreign Key Purpose', editor: { kind: 'select', options: () => purposes } },
    carried: inDocument,
  }),
  foreignKeyDataType: field({
    schema: z.enum(foreignKeyDataTypes),
    part: 'value',
    default: 'integer',
    request: z.enum(foreignKeyDataTypes).optional().describe('Alias of `foreignKeyAttribute.dataType`.'),
    panel: { label: 'Foreign Key Data Type', editor: { kind: 'select', options: () => foreignKeyDataTypes } },
    carried: inDocument,
  }),
  nullable: field({
    schema: z.boolean(),
    part: 'value',
    default: true,
    panel: { label: 'Nullable', editor: { kind: 'checkbox' } },
    carried: inDocument,
  }),
  unique: columnFields.unique,
  onDelete: field({
    schema: z.enum(onDeleteActions),
    part: 'value',
    default: 'restrict',
    panel: { label: 'On Delete', editor: { kind: 'select', options: () => onDeleteActions } },
    carried: {
      cdm: { sidecar: 'actions on deletion' },
      dataModel: { lost: value => `its action on delete (${value})` },
    },
  }),
  onUpdate: field({
    schema: z.enum(onDeleteActions),
    part: 'value',
    default: 'restrict',
    since: 5,
    panel: { label: 'On Update', editor: { kind: 'select', options: () => onDeleteActions } },
    carried: {
      cdm: { sidecar: 'actions on a change of the key' },
      dataModel: { lost: value => `its action on update (${value})` },
    },
  }),
  /** Further columns of the foreign key, if the key that it refers to has several. */
  alsoBy: field({
    schema: z.array(keyPairSchema),
    part: 'value',
    default: [],
    since: 5,
    request: keyPairsRequest,
    panel: { label: 'Further Columns', editor: { kind: 'special' } },
    carried: {
      cdm: { sidecar: 'foreign keys over several columns' },
      dataModel: { lost: pairs => `its further columns (${pairs.map(({ name }) => name).join(', ')})` },
    },
  }),
  /** Further entities that the key may refer to; a column with such targets has no constraint. */
  alternativeTargets: field({
    schema: z.array(alternativeTargetSchema),
    part: 'value',
    default: [],
    request: z
      .array(z.strictObject({ ...alternativeTargetSchema.shape, entity: z.strictObject(entityReferenceSchema.shape) }))
      .max(100),
    panel: null,
    carried: internal,
  }),
  position: columnFields.position,
  traits: columnFields.traits,
  copiedFrom: columnFields.copiedFrom,
}

type Name = keyof typeof relationshipFields

const shownFirst = [
  'associatedEntity',
  'associatedEntityTypeAttribute',
  'foreignKeyTypeAttribute',
  'alsoBy',
  'foreignKeyDataType',
  'foreignKeyPurpose',
  'description',
  'nullable',
  'unique',
  'onDelete',
  'onUpdate',
] as const satisfies readonly Name[]

/** Names of all fields in the order of the panel, then fields without a place in declaration order. */
export const relationshipNames: readonly Name[] = inOrder(relationshipFields, shownFirst)
