import { relationshipRequest } from '@cadmus/model/contract/entity-shapes'
import { changeRelationshipEdits } from '@cadmus/model/edits/relationship-edits'
import { onDeleteActions, type EntityAttribute } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { folderOf } from '@cadmus/model/paths'
import { relationshipRequestOf } from '@cadmus/model/request-of'
import { foreignKeyName } from '@cadmus/model/rules/foreign-key-name'
import { takenNames } from '@cadmus/model/rules/taken-names'
import { keyDataTypes } from '@cadmus/model/type-attribute'
import { entitySource, isEntityGone, updateRelationship } from '../../api/entities.ts'
import { ApiError, isGone, messageOf } from '../../api/error.ts'
import type { Property, PropertyGroup } from '../../ui/PropertyTable.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { draftPrimaryKey, offeredPurposes } from './entity-draft.ts'
import { editRow } from './edit-row.ts'
import { entityStore } from './entity-store.ts'
import type { EntityView } from './entity-view.ts'
import { entityProperty, foldersIn, goTo, type Folders } from './related.tsx'
import { traitSource } from './trait-source.ts'
import { targetPlace } from './target-place.ts'
import type { Targets } from './use-targets.ts'

type Change = (change: Partial<EntityAttribute>) => Promise<void>

/**
 * Entity attribute group of the properties panel. Changes are saved immediately. Null if the relationship was deleted.
 */
export function relationshipProperties(view: EntityView, uid: string, targets: Targets): PropertyGroup | null {
  const relationship = view.draft.content.entityAttributes.find(row => row.uid === uid)
  if (!relationship) return null
  const change: Change = changes => store(view, relationship, changes)
  const properties = view.locked
    ? shownProperties(relationship, foldersIn(view))
    : editedProperties(view, relationship, change, targets)
  return { id: 'entityAttribute', title: 'Entity Attribute', properties }
}

async function store(view: EntityView, relationship: EntityAttribute, changes: Partial<EntityAttribute>) {
  const { key, entity, draft } = view
  const { uid, associatedEntity, foreignKeyTypeAttribute: name } = relationship
  // The position is an edit of the entity and may be unsaved.
  const { position: _position, ...body } = relationshipRequestOf({ ...relationship, ...changes }, entity.currentVersion)
  /** Keeps the change as an unsaved edit, to be resolved like a conflict of a save. */
  const keepUnsaved = () =>
    editRow(view, { uid, name }, content => changeRelationshipEdits(content, uid, relationshipRequest.parse(body)))
  const shown = entityStore.get(key)?.draft.content.entityAttributes
  if (shown && !shown.some(row => row.uid === uid)) return keepUnsaved()
  try {
    const place = { id: entity.id, associatedEntityId: associatedEntity.id, foreignKey: name }
    await updateRelationship({ ...place, etag: draft.etag }, body)
    entityStore.succeeded(key)
    notify('success', messages.entityAttributeUpdated)
  } catch (failure) {
    if (failure instanceof ApiError && failure.conflicts.length > 0) {
      keepUnsaved()
      return entityStore.fail(key, failure)
    }
    if (isGone(failure)) {
      // Tell a deleted relationship from a deleted entity.
      const isAll = await isEntityGone(entity.id)
      keepUnsaved()
      return isAll ? entityStore.deletedRemotely(key) : undefined
    }
    notify('error', messageOf(failure, messages.failed.saveEntity))
    throw failure
  }
}

function editedProperties(
  view: EntityView,
  relationship: EntityAttribute,
  change: Change,
  targets: Targets,
): Property[] {
  return [
    associatedProperty(view, relationship, change),
    ...keyProperties(view, relationship, change, targets),
    {
      id: 'description',
      label: 'Description',
      editor: 'text',
      multiline: true,
      value: relationship.description,
      onApply: description => change({ description }),
    },
    ...constraintProperties(relationship, change),
    traitProperty(relationship, change),
  ]
}

function associatedProperty({ entity }: EntityView, { associatedEntity }: EntityAttribute, change: Change): Property {
  return {
    id: 'associatedEntity',
    label: 'Associated Entity',
    editor: 'search',
    value: {
      value: String(associatedEntity.id),
      label: associatedEntity.name,
      // Same form as in the list from which the attribute was picked.
      ...(associatedEntity.path === '' ? {} : { detail: folderOf(associatedEntity.path) }),
      data: null,
    },
    source: entitySource({
      filter: 'ALL',
      excludedEntity: entity.id,
      near: entity.targetManifest?.id ?? -1,
    }),
    placeholder: messages.required,
    required: messages.required,
    beside: goTo(associatedEntity),
    onApply: option =>
      void change({ associatedEntity: { id: Number(option.value), name: option.label, path: '' } }).catch(
        () => undefined,
      ),
  }
}

function keyProperties(view: EntityView, relationship: EntityAttribute, change: Change, targets: Targets): Property[] {
  const others = view.draft.content.entityAttributes.filter(row => row.uid !== relationship.uid)
  const taken = takenNames(others.map(row => row.foreignKeyTypeAttribute))
  return [
    targetProperty(relationship, change, targets),
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
    choice(
      'purpose',
      'Foreign Key Purpose',
      offeredPurposes(view.draft, relationship.foreignKeyPurpose),
      relationship.foreignKeyPurpose,
      value => change({ foreignKeyPurpose: value }),
    ),
  ]
}

/** The possible target attributes; includes the current one even if reading them failed. */
function targetProperty(relationship: EntityAttribute, change: Change, { targets, failure }: Targets): Property {
  const { associatedEntity, associatedEntityTypeAttribute: value } = relationship
  const names = [...new Set([...targets.map(target => target.name), value])].filter(name => name !== '')
  return {
    ...choice('target', 'Target Entity Attribute', names, value, name =>
      change({ associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: null }),
    ),
    ...(failure ? { failure } : {}),
    beside: goTo(associatedEntity, targetPlace(relationship)),
  }
}

function traitProperty({ traitReference: name }: EntityAttribute, change: Change): Property {
  return {
    id: 'traitReference',
    label: 'Trait Reference',
    editor: 'search',
    value: name === '' ? null : { value: name, label: name, data: null },
    source: traitSource,
    placeholder: '-',
    onApply: option => void change({ traitReference: option.value }).catch(() => undefined),
  }
}

function constraintProperties(relationship: EntityAttribute, change: Change): Property[] {
  const { nullable, unique, onDelete } = relationship
  const save = (changes: Partial<EntityAttribute>) => void change(changes).catch(() => undefined)
  return [
    {
      id: 'nullable',
      label: 'Nullable',
      editor: 'checkbox',
      value: nullable,
      onApply: value => save({ nullable: value }),
    },
    { id: 'unique', label: 'Unique', editor: 'checkbox', value: unique, onApply: value => save({ unique: value }) },
    choice('onDelete', 'On Delete', onDeleteActions, onDelete, value => change({ onDelete: value })),
  ]
}

function choice<V extends string>(
  id: string,
  label: string,
  values: readonly V[],
  value: V,
  apply: (value: V) => Promise<void>,
): Extract<Property, { editor: 'select' }> {
  return {
    id,
    label,
    editor: 'select',
    mono: true,
    value,
    options: values.map(one => ({ value: one, label: one })),
    onApply: picked => {
      const match = values.find(candidate => candidate === picked)
      if (match !== undefined) void apply(match).catch(() => undefined)
    },
  }
}

function shownProperties(relationship: EntityAttribute, folders: Folders): Property[] {
  const rows: [string, string, string][] = [
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
  return [
    entityProperty('associatedEntity', 'Associated Entity', relationship.associatedEntity, folders),
    ...rows.map(([id, label, value]): Property => ({ id, label, editor: 'shown', value })),
  ]
}
