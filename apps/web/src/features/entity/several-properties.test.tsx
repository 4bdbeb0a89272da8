import { newEntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { draftKey } from '../../drafts/draft-key.ts'
import { uiSettings } from '../../providers.tsx'
import type { Property } from '../../ui/property.ts'
import { PropertyTable } from '../../ui/PropertyTable.tsx'
import { UiSettingsContext } from '../../ui/settings.ts'
import { entityStandIn } from '../../drafts/entity-draft.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import { severalProperties } from './several-properties.tsx'

const at = { id: 9, name: 'Account', path: 'user-defined/Shop/Account' }
const relationship = newEntityAttribute({
  associatedEntity: at,
  associatedEntityTypeAttribute: 'id',
  foreignKeyTypeAttribute: 'accountId',
  position: 9,
})
let lastId = 7000

/** An open entity with these attributes, all of which are chosen. */
function opened(fields: readonly Partial<TypeAttribute>[], { related = false, locked = false } = {}) {
  const id = ++lastId
  const typeAttributes = fields.map((own, position) => newTypeAttribute({ name: `a${position}`, position, ...own }))
  const entityAttributes = related ? [relationship] : []
  const content = newEntityContent({ name: 'Order', typeAttributes, entityAttributes })
  const key = draftKey(id, undefined)
  entityStore.receive(entityStandIn(id, content, undefined), '"1"', undefined)
  const draft = () => {
    const open = entityStore.get(key)
    if (!open) throw new Error('The entity is not open.')
    return open.draft
  }
  const uids = [...typeAttributes, ...entityAttributes].map(({ uid }) => uid)
  const group = () => {
    const view = { key, draft: draft(), locked: locked ? 'It is predefined.' : null }
    const shown = severalProperties(view, uids)
    if (!shown) throw new Error('Fewer than two rows are chosen.')
    return shown
  }
  const property = <K extends Property['editor']>(name: string, editor: K) => {
    const one = group().properties.find((candidate): candidate is Extract<Property, { editor: K }> => {
      return candidate.id === name && candidate.editor === editor
    })
    if (!one) throw new Error(`There is no ${editor} of ${name}.`)
    return one
  }
  return { key, draft, group, property, html: () => rendered(group()) }
}

function rendered(group: ReturnType<ReturnType<typeof opened>['group']>): string {
  return renderToStaticMarkup(
    <UiSettingsContext value={uiSettings}>
      <PropertyTable groups={[group]} />
    </UiSettingsContext>,
  )
}

const labels = (properties: readonly Property[]) => properties.map(({ label }) => label)

describe('the properties of several rows', () => {
  it('are counted in the title, and offer every field but the name', () => {
    const { group } = opened([{}, {}, {}])
    expect(group().title).toBe('3 Type Attributes')
    expect(labels(group().properties)).toEqual([
      'Data Type',
      'Format',
      'Purpose',
      'Nullable',
      'Max Length',
      'Default Value',
      'Description',
      'Choices',
      'Unique',
      'Indexed',
    ])
  })

  it('of both kinds are those that both have', () => {
    const { group } = opened([{}], { related: true })
    expect(group().title).toBe('1 Type Attribute, 1 Entity Attribute')
    expect(labels(group().properties)).toEqual(['Description', 'Nullable', 'Unique'])
  })

  it('show the common value, else that there are several', () => {
    const { property, html } = opened([
      { nullable: true, maxLength: 5, choices: ['a'], description: 'same' },
      { nullable: false, maxLength: 6, choices: ['b'], description: 'same' },
    ])
    expect(property('description', 'text').value).toBe('same')
    expect(property('maxLength', 'text')).toMatchObject({ value: '', mixed: '(several)' })
    expect(property('dataType', 'select').value).toBe('string')
    expect(html().match(/\(several\)/g)).toHaveLength(3)
    expect(html()).toContain('aria-checked="mixed"')
  })

  it('are shown as text if the entity is locked', () => {
    const { group } = opened([{ nullable: true }, {}], { locked: true })
    const values = group().properties.map(one => (one.editor === 'shown' ? [one.id, one.value] : one.editor))
    expect(values).toContainEqual(['nullable', '(several)'])
    expect(values).toContainEqual(['dataType', 'string'])
    expect(values.every(Array.isArray)).toBe(true)
  })

  it('of different types include fields that only some can have, with their number', () => {
    const { property, draft } = opened([{}, { dataType: 'double' }, { dataType: 'boolean' }])
    expect(property('precision', 'text').hint).toContain('Applies to 1 of the 3 chosen.')
    void property('precision', 'text').onApply('5')
    expect(draft().content.typeAttributes.map(({ precision }) => precision)).toEqual([null, 5, null])
    expect(property('format', 'select').options.map(({ value }) => value)).toContain('decimal')
  })

  it('never offer the purpose of a key', () => {
    const offered = opened([{}, {}])
      .property('purpose', 'select')
      .options.map(({ value }) => value)
    expect([offered.includes('hasA'), offered.includes('identifiedBy')]).toEqual([true, false])
  })
})

describe('a change of several rows', () => {
  it('is one step, which one undo takes back', () => {
    const { key, property, draft } = opened(Array.from({ length: 20 }, () => ({})))
    property('nullable', 'checkbox').onApply(true)
    expect(draft().content.typeAttributes.every(({ nullable }) => nullable)).toBe(true)
    expect(draft().done).toHaveLength(1)
    entityStore.dispatch(key, { kind: 'undo' })
    expect(draft().changes).toBe(0)
  })

  it('sets a list of choices on all of them', () => {
    const { property, draft } = opened([{ choices: ['old'] }, {}, {}, {}])
    property('choices', 'list').onApply(['open', 'closed'])
    expect(draft().content.typeAttributes.map(({ choices }) => choices.join())).toEqual(
      Array.from({ length: 4 }, () => 'open,closed'),
    )
    expect(draft().done).toHaveLength(1)
  })

  it('changes the rows that accept the value and names the others, until another change', () => {
    const { property, draft, html } = opened([{ dataType: 'integer' }, { dataType: 'boolean' }, {}])
    expect(property('defaultValue', 'text').validate?.('12')).toBeNull()
    void property('defaultValue', 'text').onApply('12')
    expect(draft().content.typeAttributes.map(({ defaultValue }) => defaultValue)).toEqual(['12', null, '12'])
    expect(html()).toMatch(/Not changed.*a1.*: this must be true or false\./)
    property('nullable', 'checkbox').onApply(true)
    expect(html()).not.toContain('Not changed')
  })

  it('refuses a text that none of the rows can have', () => {
    const { property } = opened([{ dataType: 'integer' }, { dataType: 'integer' }])
    expect(property('defaultValue', 'text').validate?.('x')).toBe('this must be a whole number.')
  })

  it('empties a field whose values differ by a button beside it', () => {
    const { html } = opened([{ maxLength: 5, choices: ['a'] }, {}])
    expect(html()).toContain('aria-label="Clear Max Length"')
    expect(html()).toContain('aria-label="Clear Choices"')
    expect(html()).not.toContain('aria-label="Clear Description"')
  })
})
