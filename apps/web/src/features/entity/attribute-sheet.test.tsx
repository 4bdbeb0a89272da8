import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newEntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { holds } from '@cadmus/testing/holds'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { entityQuery, type LoadedEntity } from '../../api/entities.ts'
import { storeOwnSettings } from '../../api/own-settings.ts'
import { queryClient } from '../../api/query-client.ts'
import { draftKey } from '../../drafts/draft-key.ts'
import { uiSettings } from '../../providers.tsx'
import { UiSettingsContext } from '../../ui/settings.ts'
import { AttributeSheet } from './AttributeSheet.tsx'
import { countRefused, setRefusedCells } from '../../drafts/cell-problems.ts'
import { entityDrafts, entityStandIn } from '../../drafts/entity-draft.ts'
import type { EntityView } from './entity-view.ts'

const [text, total, long] = [
  newTypeAttribute({ name: 'text', maxLength: 40, position: 1, nullable: true }),
  newTypeAttribute({ name: 'total', dataType: 'double', precision: 10, scale: 2, position: 3 }),
  newTypeAttribute({ name: 'id', dataType: 'integer', purpose: 'identifiedBy', position: 4 }),
]
const buyer = newEntityAttribute({
  associatedEntity: { id: 2, name: 'Buyer', path: 'user-defined/Shop/Buyer.cdm.json/Buyer' },
  associatedEntityTypeAttribute: 'id',
  foreignKeyTypeAttribute: 'buyer_id',
  position: 2,
})
const content = newEntityContent({ name: 'Order', typeAttributes: [text, total, long], entityAttributes: [buyer] })

function rendered(locked: string | null = null, of = content) {
  const draft = entityDrafts.open(entityStandIn(1, of, undefined), '"1"')
  const view = { key: draftKey(1, undefined), entity: draft.saved, draft, locked } as EntityView
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <UiSettingsContext value={uiSettings}>
        <AttributeSheet view={view} />
      </UiSettingsContext>
    </QueryClientProvider>,
  )
  const lines = html.match(/<tr[^>]*data-row-id.*?<\/tr>/g) ?? []
  const cellsOf = (line: string) =>
    (line.match(/<td.*?<\/td>/g) ?? []).slice(1).map(cell => cell.replace(/<[^>]*>/g, ''))
  return { html, rows: lines.map(cellsOf) }
}

describe('The attribute sheet', () => {
  it('shows the key first, then attributes and relationships in their order', holds('E2.72', 'E2.73', 'E2.74'), () => {
    expect(rendered().rows).toEqual([
      ['Primary key id', 'integer', '', 'No', '', 'No', 'No', '', '', ''],
      ['text', 'string', '40', 'Yes', '', 'No', 'No', '', '', ''],
      ['Relationship buyer_id', 'integer', '', 'Yes', '', 'No', '', '', '', 'Buyer.id'],
      ['total', 'double', '10,2', 'No', '', 'No', 'No', '', '', ''],
    ])
  })

  it('has an empty last row unless it is locked', () => {
    expect(rendered().html).toContain('data-new="true"')
    const { html } = rendered('Predefined content is read-only.')
    expect(html).not.toContain('data-new')
    expect(html).toContain('aria-readonly="true"')
  })

  it('shows extended attributes in place, locked, if the setting for them is on', () => {
    const parent = { id: 9, name: 'Party', path: 'user-defined/Shop/Party.cdm.json/Party' }
    const resolved = { isPrimaryKey: false, nullable: true, maxLength: 80, choices: [], kind: 'type', origin: 'own' }
    const named = (name: string) => ({ ...resolved, name, dataType: 'string', declaredBy: parent })
    const answer = { ...entityStandIn(9, content, undefined), resolvedAttributes: [named('Text'), named('party')] }
    queryClient.setQueryData(entityQuery(9).queryKey, { entity: answer, etag: '"1"' } as LoadedEntity)
    const child = { ...content, extendsEntity: parent }
    expect(rendered(null, child).rows.map(([name]) => name)).toEqual([
      'Primary key id',
      'text',
      'Relationship buyer_id',
      'total',
    ])
    const stored = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    })
    storeOwnSettings('sheet', { inherited: true })
    const { rows, html } = rendered(null, child)
    vi.unstubAllGlobals()
    expect(rows.slice(0, 3)).toEqual([
      ['Primary key id', 'integer', '', 'No', '', 'No', 'No', '', '', ''],
      ['party', 'string', '80', 'Yes', '', '', '', '', 'Inherited from Party.', ''],
      ['text', 'string', '40', 'Yes', '', 'No', 'No', '', '', ''],
    ])
    const line = /<tr[^>]*data-fixed.*?<\/tr>/.exec(html)?.[0] ?? ''
    expect(line.match(/aria-readonly="true"/g)).toHaveLength(10)
    expect(line).not.toContain('checkbox')
  })

  it('has pages from 500 rows on', holds('E2.83'), () => {
    const withRows = (count: number) => ({
      ...content,
      entityAttributes: [],
      typeAttributes: Array.from({ length: count }, (_, at) => newTypeAttribute({ name: `field_${at}`, position: at })),
    })
    expect(rendered(null, withRows(499)).html).not.toContain('Next page')
    expect(rendered(null, withRows(500)).html).toContain('Next page')
  })

  it('keeps the text that a cell could not take until its value changes', () => {
    const key = draftKey(1, undefined)
    const problem = { text: 'many', reason: 'this must contain only digits.' }
    setRefusedCells(key, new Map([[text.uid, new Map([['length', problem]])]]), content)
    expect(countRefused(key, content)).toBe(1)
    const changed = { ...content, typeAttributes: [{ ...text, maxLength: 50 }, total, long] }
    expect(countRefused(key, changed)).toBe(0)
    expect(countRefused(key, { ...content, typeAttributes: [] })).toBe(0)
    expect(countRefused(key, content)).toBe(1)
    setRefusedCells(key, new Map(), content)
    expect(countRefused(key, content)).toBe(0)
  })
})
