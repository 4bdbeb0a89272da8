import {
  columnName,
  type Column,
  columnsInOrder,
  isRelationship,
  isTypeAttribute,
  purposeOf,
} from '@cadmus/model/columns'
import { formatCount, visibleText } from '@cadmus/model/display'
import { changeColumnsEdits, type RefusedColumn } from '@cadmus/model/edits/change-columns'
import type { Field } from '@cadmus/model/fields/field'
import { relationshipFields, relationshipNames } from '@cadmus/model/fields/relationship'
import { typeAttributeFields, typeAttributeNames } from '@cadmus/model/fields/type-attribute'
import { attributeTexts } from '@cadmus/model/messages/attributes'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { createStore } from 'zustand/vanilla'
import { explain } from '../../commands/glossary.ts'
import type { Property, PropertyGroup } from '../../ui/property.ts'
import { offeredPurposes } from '../../drafts/entity-draft.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import type { EntityView } from './entity-view.ts'
import { fieldProperty } from './field-properties.tsx'
import styles from './Entity.module.css'

type View = Pick<EntityView, 'key' | 'draft' | 'locked'>

/** Rows that the last change of several rows did not change. */
type ChangeReport = { subject: string; field: string; refused: readonly RefusedColumn[] }

export const reportStore = createStore<{ report: ChangeReport | null }>()(() => ({ report: null }))

/**
 * The fields that several attributes or relationships have in common. A change is one step for all of them; rows that
 * refuse the value keep theirs and are reported. Null if fewer than two rows exist.
 */
export function severalProperties(
  view: View,
  uids: readonly string[],
  report = reportStore.getState().report,
): PropertyGroup | null {
  const chosen = new Set(uids)
  const rows = columnsInOrder(view.draft.content).filter(({ uid }) => chosen.has(uid))
  if (rows.length < 2) return null
  const subject = rows.map(({ uid }) => uid).join(' ')
  const named = rows.map(row => ({ uid: row.uid, name: columnName(row) }))

  function apply(field: string, value: unknown) {
    const content = entityStore.get(view.key)?.draft.content ?? view.draft.content
    const { refused } = changeColumnsEdits(content, named, field, value)
    entityStore.edit(view.key, current => changeColumnsEdits(current, named, field, value).edits)
    reportStore.setState({ report: { subject, field, refused } })
  }

  function property<Item extends Column>(name: string, field: Field<Item>, items: readonly Item[]): Property[] {
    if (!isShared(field)) return []
    const own = fieldProperty<Item>(name, field, {
      items,
      valueOf: item => Reflect.get(item, name),
      locked: view.locked !== null,
      options: name === 'purpose' || name === 'foreignKeyPurpose' ? item => purposesOf(view, item) : undefined,
      apply: value => apply(name, value),
    })
    const isReported = report?.subject === subject && report.field === name && report.refused.length > 0
    return own ? [own, ...(isReported ? [refusedProperty(report)] : [])] : []
  }

  const attributes = rows.filter(isTypeAttribute)
  const relationships = rows.filter(isRelationship)
  const properties =
    relationships.length === 0
      ? typeAttributeNames.flatMap(name => property<TypeAttribute>(name, typeAttributeFields[name], attributes))
      : relationshipNames.flatMap(name => {
          const field = relationshipFields[name]
          if (attributes.length === 0) return property(name, field, relationships)
          return name in typeAttributeFields ? property<Column>(name, field, rows) : []
        })
  const isReported = report?.subject === subject && report.refused.length > 0
  return {
    id: 'several',
    title: [counted(attributes.length, 'Type Attribute'), counted(relationships.length, 'Entity Attribute')]
      .filter(text => text !== '')
      .join(', '),
    hint: explain(attributes.length > 0 ? 'Type Attribute' : 'Entity Attribute'),
    properties,
    // A refused text is no longer typed text: another subject shows the values again.
    subject: isReported ? `${subject} ${report.field}` : subject,
  }
}

/** Names are unique, and other entities are chosen one by one. */
function isShared({ panel, part }: Field<never>): boolean {
  return panel !== null && part !== 'name' && panel.editor.kind !== 'special'
}

/** An entity has one key. */
function purposesOf({ draft }: View, item: Column) {
  return offeredPurposes(draft, purposeOf(item)).filter(purpose => purpose !== 'identifiedBy')
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`
}

const maxReported = 20

function refusedProperty({ field, refused }: ChangeReport): Property {
  const lines = refused.slice(0, maxReported)
  const more = refused.length - lines.length
  const render = () => (
    <div role="alert" className={styles['refused']}>
      <ul>
        {lines.map(({ uid, name, reason }) => (
          <li key={uid}>
            <span>{visibleText(name)}</span>: {visibleText(reason)}
          </li>
        ))}
        {more > 0 && <li>{attributeTexts.several.more(more)}</li>}
      </ul>
    </div>
  )
  return { id: `${field}-refused`, label: attributeTexts.several.notChanged, editor: 'custom', render }
}
