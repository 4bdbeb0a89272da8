import { relationshipRequestOf } from '@cadmus/model/apply-request'
import { relationshipRequest } from '@cadmus/model/contract/entity-shapes'
import { changeRelationshipEdits } from '@cadmus/model/edits/entity-actions'
import { relationshipChange } from '@cadmus/model/edits/entity-edits'
import { columnName, columnsInOrder, isTypeAttribute } from '@cadmus/model/columns'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import { relationshipFields, relationshipNames } from '@cadmus/model/fields/relationship'
import { bestMatches } from '@cadmus/model/match-rank'
import { messages } from '@cadmus/model/messages'
import { keyPairTexts } from '@cadmus/model/messages/key-pairs'
import { foldName, folderOf } from '@cadmus/model/paths'
import { takenNames } from '@cadmus/model/rules/names'
import { foreignKeyName } from '@cadmus/model/rules/relationship'
import { entitySource } from '../../api/entities.ts'
import { explain } from '../../commands/glossary.ts'
import type { Property, PropertyGroup } from '../../ui/property.ts'
import { undoLastInMessage } from '../../drafts/edit-entity.ts'
import { notify } from '../../ui/Snackbar.tsx'
import type { OptionSource } from '../../ui/options.ts'
import { editRow } from './edit-row.ts'
import { draftPrimaryKey, offeredPurposes } from '../../drafts/entity-draft.ts'
import type { EntityView } from './entity-view.ts'
import { fieldProperty } from './field-properties.tsx'
import { entityProperty, foldersIn, goTo } from './related.tsx'
import { targetPlace } from './target-place.ts'
import type { Targets } from './use-targets.ts'

/** Trait names of the public model, loaded on first use: exact match first, then prefixes. */
const traitSource: OptionSource<unknown> = {
  key: ['console', 'traits'],
  async load(search, page, limit) {
    const { traitNames } = await import('@cadmus/model/trait-names')
    const matches = bestMatches(traitNames, name => [name], search)
    const shown = matches.slice(page * limit, (page + 1) * limit)
    return { options: shown.map(name => ({ value: name, label: name, data: null })), total: matches.length }
  },
}

type View = Omit<EntityView, 'open'>
type Change = (change: Partial<EntityAttribute>) => void

/** Entity attribute group of the properties panel. Null if the relationship was deleted. */
export function relationshipProperties(view: View, uid: string, targets: Targets): PropertyGroup | null {
  const relationship = view.draft.content.entityAttributes.find(row => row.uid === uid)
  if (!relationship) return null
  const change: Change = changes => changeRow(view, relationship, changes)
  const properties = relationshipNames.flatMap(
    name =>
      specialProperties(name, { view, relationship, change, targets }) ??
      fieldProperty<EntityAttribute>(name, relationshipFields[name], {
        items: [relationship],
        valueOf: item => item[name],
        locked: view.locked !== null,
        options: name === 'foreignKeyPurpose' ? item => offeredPurposes(view.draft, item.foreignKeyPurpose) : undefined,
        rule: name === 'foreignKeyTypeAttribute' ? foreignKeyRule(view, relationship) : undefined,
        apply: value => change(relationshipChange.parse({ [name]: value })),
      }) ??
      [],
  )
  return { id: 'entityAttribute', title: 'Entity Attribute', hint: explain('Entity Attribute'), properties }
}

type Shown = { view: View; relationship: EntityAttribute; change: Change; targets: Targets }

/** Fields whose editors search the store or depend on the target; null for others. */
function specialProperties(name: keyof EntityAttribute, shown: Shown): Property | Property[] | null {
  const { view, relationship } = shown
  const { label = '' } = relationshipFields[name].panel ?? {}
  if (name === 'associatedEntity')
    return view.locked
      ? entityProperty(name, label, relationship.associatedEntity, foldersIn(view))
      : associatedProperty(label, shown)
  if (name === 'alsoBy') return pairProperties(shown)
  if (view.locked) return null
  if (name === 'associatedEntityTypeAttribute') return targetProperty(label, shown)
  return name === 'traitReference' ? traitProperty(label, shown) : null
}

/** Changes the relationship in the draft. */
function changeRow(
  view: View,
  { uid, foreignKeyTypeAttribute: name }: EntityAttribute,
  changes: Partial<EntityAttribute>,
) {
  editRow(view, { uid, name }, content => {
    const current = content.entityAttributes.find(row => row.uid === uid)
    if (!current) return []
    // A change keeps the position.
    const { position: _position, ...body } = relationshipRequestOf(
      { ...current, ...changes },
      view.entity.currentVersion,
    )
    return changeRelationshipEdits(content, uid, relationshipRequest.parse(body))
  })
  notify('success', messages.entityAttributeUpdated, undoLastInMessage(view.key))
}

function associatedProperty(
  label: string,
  { view: { entity, draft }, relationship: { associatedEntity }, change }: Shown,
): Property {
  return {
    id: 'associatedEntity',
    label,
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
      excluded: { id: entity.id, name: draft.content.name, why: messages.relatedToItself },
      near: entity.targetManifest?.id ?? -1,
    }),
    placeholder: messages.required,
    required: messages.required,
    beside: goTo(associatedEntity),
    onApply: option =>
      change({ associatedEntity: { id: Number(option.value), name: option.label, path: '' }, alsoBy: [] }),
  }
}

function foreignKeyRule({ draft }: View, { uid }: EntityAttribute): (text: string) => string | undefined {
  const others = draft.content.entityAttributes.filter(row => row.uid !== uid)
  const taken = takenNames(others.map(row => row.foreignKeyTypeAttribute))
  return text => foreignKeyName(text, { primaryKey: draftPrimaryKey(draft), taken })
}

/** The possible target attributes; includes the current one even if reading them failed. */
function targetProperty(label: string, { relationship, change, targets: { targets, failure } }: Shown): Property {
  const { associatedEntity, associatedEntityTypeAttribute: value } = relationship
  const names = [...new Set([...targets.map(target => target.name), value])].filter(name => name !== '')
  const apply = (name: string) =>
    change({ associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: null })
  return {
    id: 'associatedEntityTypeAttribute',
    label,
    hint: explain(label),
    editor: 'select',
    mono: true,
    value,
    options: names.map(name => ({ value: name, label: name })),
    onApply: apply,
    ...(failure ? { failure } : {}),
    beside: goTo(associatedEntity, targetPlace(relationship)),
  }
}

/**
 * A property for each attribute of the target that a further column of the key refers to, and for those of its key of which none does yet:
 * the own column.
 */
function pairProperties({ view, relationship, change, targets: { targets } }: Shown): Property[] {
  const { alsoBy, associatedEntity, associatedEntityTypeAttribute: main } = relationship
  const key = targets.filter(({ isPrimaryKey }) => isPrimaryKey).map(({ name }) => name)
  const others = key.length > 1 ? key.filter(name => foldName(name) !== foldName(main)) : []
  const names = new Map([...alsoBy.map(({ target }) => target), ...others].map(name => [foldName(name), name]))
  const own = columnsInOrder(view.draft.content).filter(
    column => column.uid !== relationship.uid && !(isTypeAttribute(column) && column.dataType === 'object'),
  )
  return Array.from(names.values(), (target): Property => {
    const id = `alsoBy:${target}`
    const label = keyPairTexts.columnFor(associatedEntity.name, target)
    const pair = alsoBy.find(one => foldName(one.target) === foldName(target))
    const rest = alsoBy.filter(one => one !== pair)
    const hint = keyPairTexts.columnHint
    if (view.locked) return { id, label, hint, editor: 'shown', value: pair?.name ?? '' }
    return {
      id,
      label,
      hint,
      editor: 'select',
      mono: true,
      value: pair?.name ?? '',
      options: [
        { value: '', label: keyPairTexts.noColumn },
        ...own.map(column => ({ value: columnName(column), label: columnName(column) })),
      ],
      onApply(name) {
        const column = own.find(one => columnName(one) === name)
        const next = { uid: column?.uid ?? '', name, target, targetUid: pair?.targetUid ?? null }
        change({ alsoBy: column ? [...rest, next] : rest })
      },
    }
  })
}

function traitProperty(label: string, { relationship: { traitReference: name }, change }: Shown): Property {
  return {
    id: 'traitReference',
    label,
    hint: explain(label),
    editor: 'search',
    value: name === '' ? null : { value: name, label: name, data: null },
    source: traitSource,
    placeholder: '-',
    onApply: option => change({ traitReference: option.value }),
  }
}
