import * as z from 'zod'
import { asAnswered } from '../contract/request-fields.ts'
import { keyDataTypes, onDeleteActions, purposes } from '../data-types.ts'
import { alternativeTargetSchema, entityReferenceSchema, referenceRequest } from '../entity-reference.ts'
import { defaults } from '../limits.ts'
import { fieldOf, inOrder } from './field.ts'

const field = fieldOf<object>()

const inDocument = { cdm: 'document', dataModel: 'written' } as const

/** The fields of a relationship, in stored order. A new one is described here and nowhere else. */
export const relationshipFields = {
  uid: field({
    schema: z.string(),
    part: 'uid',
    request: z.string().max(60),
    panel: null,
    carried: { cdm: { sidecar: null }, dataModel: 'omitted' },
  }),
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
  description: field({
    schema: z.string(),
    part: 'value',
    default: '',
    request: z.string().max(20_000),
    panel: { label: 'Description', editor: { kind: 'text', multiline: true } },
    carried: inDocument,
  }),
  traitReference: field({
    schema: z.string(),
    part: 'value',
    default: defaults.traitReference,
    request: z.string().max(400),
    panel: { label: 'Trait Reference', editor: { kind: 'special' } },
    carried: { cdm: { sidecar: null }, dataModel: 'omitted' },
  }),
  simple: field({
    schema: z.enum(['true', 'false']),
    part: 'value',
    default: 'true',
    panel: null,
    carried: { cdm: { sidecar: null }, dataModel: 'omitted' },
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
    schema: z.enum(keyDataTypes),
    part: 'value',
    default: 'integer',
    request: z.enum(keyDataTypes).optional().describe('Alias of `foreignKeyAttribute.dataType`.'),
    panel: { label: 'Foreign Key Data Type', editor: { kind: 'select', options: () => keyDataTypes } },
    carried: inDocument,
  }),
  nullable: field({
    schema: z.boolean(),
    part: 'value',
    default: true,
    panel: { label: 'Nullable', editor: { kind: 'checkbox' } },
    carried: inDocument,
  }),
  unique: field({
    schema: z.boolean(),
    part: 'value',
    default: false,
    panel: { label: 'Unique', editor: { kind: 'checkbox' } },
    carried: { cdm: { sidecar: 'unique values' }, dataModel: { lost: () => 'that it is unique' } },
  }),
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
  /** Further entities that the key may refer to; a column with such targets has no constraint. */
  alternativeTargets: field({
    schema: z.array(alternativeTargetSchema),
    part: 'value',
    default: [],
    request: z
      .array(z.strictObject({ ...alternativeTargetSchema.shape, entity: z.strictObject(entityReferenceSchema.shape) }))
      .max(100),
    panel: null,
    carried: { cdm: { sidecar: null }, dataModel: 'omitted' },
  }),
  position: field({
    schema: z.number().int().nonnegative(),
    part: 'position',
    request: z.number().int().min(0),
    panel: null,
    carried: inDocument,
  }),
  /** Imported traits; exported while the relationship is unchanged. */
  traits: field({
    schema: z.array(z.unknown()),
    part: 'traits',
    default: [],
    request: asAnswered,
    panel: null,
    carried: { cdm: 'document', dataModel: 'omitted' },
  }),
  copiedFrom: field({
    schema: z.string().nullable(),
    part: 'copiedFrom',
    default: null,
    request: asAnswered,
    panel: null,
    carried: { cdm: { sidecar: null }, dataModel: 'omitted' },
  }),
}

type Name = keyof typeof relationshipFields

const shownFirst = [
  'associatedEntity',
  'associatedEntityTypeAttribute',
  'foreignKeyTypeAttribute',
  'foreignKeyDataType',
  'foreignKeyPurpose',
  'description',
  'nullable',
  'unique',
  'onDelete',
] as const satisfies readonly Name[]

/** Names of all fields in the order of the panel, then fields without a place in declaration order. */
export const relationshipNames: readonly Name[] = inOrder(relationshipFields, shownFirst)
