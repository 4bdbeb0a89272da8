import { onDeleteActions, type EntityAttribute } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { relationshipRequestOf } from '@cadmus/model/request-of'
import { foreignKeyName } from '@cadmus/model/rules/foreign-key-name'
import { takenNames } from '@cadmus/model/rules/taken-names'
import { targetAttribute } from '@cadmus/model/rules/target-attribute'
import { keyDataTypes, purposes } from '@cadmus/model/type-attribute'
import { entitySource, updateRelationship } from '../../api/entities.ts'
import { messageOf } from '../../api/error.ts'
import type { Property, PropertyGroup } from '../../ui/PropertyTable.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { draftPrimaryKey } from './entity-draft.ts'
import type { EntityView } from './entity-view.ts'

type Change = (change: Partial<EntityAttribute>) => Promise<void>

/** The entity attribute group of the properties panel: every change is stored at once. Null where the relationship is gone. */
export function relationshipProperties(view: EntityView, uid: string): PropertyGroup | null {
  const relationship = view.draft.content.entityAttributes.find(row => row.uid === uid)
  if (!relationship) return null
  const change: Change = given => store(view, relationship, given)
  const properties = view.locked ? shownProperties(relationship) : editedProperties(view, relationship, change)
  return { id: 'entityAttribute', title: 'Entity Attribute', properties }
}

async function store({ entity, draft }: EntityView, relationship: EntityAttribute, given: Partial<EntityAttribute>) {
  const { associatedEntity, foreignKeyTypeAttribute } = relationship
  const body = relationshipRequestOf({ ...relationship, ...given }, entity.currentVersion)
  try {
    const place = { id: entity.id, associatedEntityId: associatedEntity.id, foreignKey: foreignKeyTypeAttribute }
    await updateRelationship({ ...place, etag: draft.etag }, body)
    notify('success', messages.entityAttributeUpdated)
  } catch (failure) {
    notify('error', messageOf(failure, messages.failed.saveEntity))
    throw failure
  }
}

function editedProperties(view: EntityView, relationship: EntityAttribute, change: Change): Property[] {
  const { associatedEntity } = relationship
  return [
    {
      id: 'associatedEntity',
      label: 'Associated Entity',
      editor: 'search',
      value: { value: String(associatedEntity.id), label: associatedEntity.name, data: null },
      source: entitySource({
        filter: 'ALL',
        excludedEntity: view.entity.id,
        near: view.entity.targetManifest?.id ?? -1,
      }),
      placeholder: messages.required,
      onApply: option =>
        void change({ associatedEntity: { id: Number(option.value), name: option.label, path: '' } }).catch(
          () => undefined,
        ),
    },
    ...keyProperties(view, relationship, change),
    {
      id: 'description',
      label: 'Description',
      editor: 'text',
      multiline: true,
      value: relationship.description,
      onApply: description => change({ description }),
    },
    ...constraintProperties(relationship, change),
    { id: 'traitReference', label: 'Trait Reference', editor: 'shown', value: relationship.traitReference, mono: true },
  ]
}

function keyProperties(view: EntityView, relationship: EntityAttribute, change: Change): Property[] {
  const others = view.draft.content.entityAttributes.filter(row => row.uid !== relationship.uid)
  const taken = takenNames(others.map(row => row.foreignKeyTypeAttribute))
  return [
    {
      id: 'target',
      label: 'Target Entity Attribute',
      editor: 'text',
      value: relationship.associatedEntityTypeAttribute,
      validate: text => targetAttribute(text) ?? null,
      onApply: text => change({ associatedEntityTypeAttribute: text.trim(), associatedEntityTypeAttributeUid: null }),
    },
    {
      id: 'foreignKey',
      label: 'Foreign Key Type Attribute',
      editor: 'text',
      value: relationship.foreignKeyTypeAttribute,
      validate: text => foreignKeyName(text, { primaryKey: draftPrimaryKey(view.draft), taken }) ?? null,
      onApply: text => change({ foreignKeyTypeAttribute: text.trim() }),
    },
    choice('dataType', 'Foreign Key Data Type', keyDataTypes, relationship.foreignKeyDataType, value =>
      change({ foreignKeyDataType: value }),
    ),
    choice('purpose', 'Foreign Key Purpose', purposes, relationship.foreignKeyPurpose, value =>
      change({ foreignKeyPurpose: value }),
    ),
  ]
}

function constraintProperties(relationship: EntityAttribute, change: Change): Property[] {
  const { nullable, unique, onDelete } = relationship
  const now = (given: Partial<EntityAttribute>) => void change(given).catch(() => undefined)
  return [
    {
      id: 'nullable',
      label: 'Nullable',
      editor: 'checkbox',
      value: nullable,
      onApply: value => now({ nullable: value }),
    },
    { id: 'unique', label: 'Unique', editor: 'checkbox', value: unique, onApply: value => now({ unique: value }) },
    choice('onDelete', 'On Delete', onDeleteActions, onDelete, value => change({ onDelete: value })),
  ]
}

/** One of a few known values, stored when picked. */
function choice<V extends string>(
  id: string,
  label: string,
  values: readonly V[],
  value: V,
  apply: (value: V) => Promise<void>,
): Property {
  return {
    id,
    label,
    editor: 'select',
    mono: true,
    value,
    options: values.map(known => ({ value: known, label: known })),
    onApply: picked => {
      const known = values.find(candidate => candidate === picked)
      if (known !== undefined) void apply(known).catch(() => undefined)
    },
  }
}

function shownProperties(relationship: EntityAttribute): Property[] {
  const rows: [string, string, string][] = [
    ['associatedEntity', 'Associated Entity', relationship.associatedEntity.name],
    ['target', 'Target Entity Attribute', relationship.associatedEntityTypeAttribute],
    ['foreignKey', 'Foreign Key Type Attribute', relationship.foreignKeyTypeAttribute],
    ['dataType', 'Foreign Key Data Type', relationship.foreignKeyDataType],
    ['purpose', 'Foreign Key Purpose', relationship.foreignKeyPurpose],
    ['description', 'Description', relationship.description],
    ['nullable', 'Nullable', relationship.nullable ? 'Yes' : 'No'],
    ['unique', 'Unique', relationship.unique ? 'Yes' : 'No'],
    ['onDelete', 'On Delete', relationship.onDelete],
    ['traitReference', 'Trait Reference', relationship.traitReference],
  ]
  return rows.map(([id, label, value]) => ({ id, label, editor: 'shown', value }))
}
