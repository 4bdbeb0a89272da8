import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { clinic } from '../testing/clinic-scene.ts'
import { recordedActions } from '../testing/recorded-actions.ts'
import { DiagramHands } from './diagram-hands.ts'
import type { Picture } from './diagram.ts'
import { DiagramList } from './DiagramList.tsx'

const [patient, visit, bill] = [0, 1, 3]

function rendered(change: Partial<Picture> = {}): string[] {
  const { picture, actions } = recordedActions(clinic())
  const shown = { ...picture, ...change }
  const hands = new DiagramHands({
    props: () => ({ picture: shown, actions, locked: null }),
    view: () => null,
    describe: async () => '',
    runForEntities: () => false,
  })
  const ignored = () => undefined
  const html = renderToStaticMarkup(
    <DiagramList
      label="Clinic"
      picture={shown}
      actions={actions}
      hands={hands}
      needRows={ignored}
      entriesFor={() => []}
      onReveal={ignored}
    />,
  )
  return html.match(/<div role="row" data-row-id.*?<\/div>/g) ?? []
}

const texts = (row: string) =>
  (row.match(/<span role="gridcell".*?<\/span><\/span>/g) ?? []).map(cell => cell.replace(/<[^>]*>/g, ''))
const named = (rows: readonly string[], name: string) => rows.find(row => texts(row)[0] === name) ?? ''

describe('rows of the list beside the diagram', () => {
  it('areas count their shown entities, entities say what their cards show', () => {
    const rows = rendered({ hidden: new Set([patient]), marks: new Map([[visit, 'unsaved']]) })
    expect(rows.map(row => texts(row).join(': '))).toEqual([
      'Clinic: 2 of 3 entities shown',
      'Doctor: ',
      'Patient: hidden',
      'Visit: unsaved',
      'Money: 1 entity',
      'Bill: ',
    ])
  })

  it('entities that differ between two states have the sign of their mark, and its word', () => {
    const rows = rendered({ marks: new Map([[visit, 'added']]) })
    expect(texts(named(rows, '+Visit'))).toEqual(['+Visit', 'added'])
    expect(named(rows, '+Visit')).toMatch(/<span aria-hidden="true" class="[^"]*added[^"]*">\+</)
  })

  it('levels, folding and choice are those of a tree grid, and one row is a tab stop', () => {
    const rows = rendered({ chosen: new Set([bill]), focused: visit })
    expect(named(rows, 'Clinic')).toContain('aria-level="1"')
    expect(named(rows, 'Clinic')).toContain('aria-expanded="true"')
    expect(named(rows, 'Visit')).toContain('aria-expanded="false"')
    expect(named(rows, 'Bill')).toContain('aria-selected="true"')
    expect(named(rows, 'Visit')).toContain('aria-selected="false"')
    expect(rows.filter(row => row.includes('tabindex="0"')).map(row => texts(row)[0])).toEqual(['Visit'])
  })

  it('hostile names show their invisible characters', () => {
    const { scene } = clinic()
    const names = scene.names.map((name, card) => (card === bill ? 'Bi\u202Ell' : name))
    expect(rendered({ scene: { ...scene, names } }).map(row => texts(row)[0])).toContain('Bi‹U+202E›ll')
  })
})
