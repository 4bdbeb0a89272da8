import type { Match } from '@cadmus/model/contract/search'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { scopeStore } from '../../api/scope.ts'
import { sessionStore } from '../../api/session-store.ts'
import type { Offer } from '../../commands/use-commands.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { recordRecent } from '../../workbench/recent.ts'
import type { linesFor as LinesFor } from './palette-lines.ts'
import type { matchLine as MatchLine } from './palette-places.ts'
import { recentCommands, recordCommand } from './recent-commands.ts'

const stored = new Map<string, string>()
let linesFor: typeof LinesFor
let matchLine: typeof MatchLine

// Modules of the page read its address when they are loaded.
beforeAll(async () => {
  vi.stubGlobal('location', new URL('http://console/'))
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
  linesFor = (await import('./palette-lines.ts')).linesFor
  matchLine = (await import('./palette-places.ts')).matchLine
})
afterAll(() => {
  vi.unstubAllGlobals()
  sessionStore.setState({ user: null })
})
beforeEach(() => {
  stored.clear()
  sessionStore.setState({ user: { userId: 'ada' } as never })
  scopeStore.setState({ administered: null })
  workbench.getState().reset()
})

const offer = (id: string, label: string): Offer => ({
  id,
  label,
  detail: '',
  onlySearched: false,
  disabled: false,
  run: vi.fn(),
})
const offers = [offer('one', 'Export'), offer('two', 'Import'), offer('three', 'Logout')]
const context = { target: { kind: 'none' as const }, isAdmin: false, hasManifests: true, active: null }
const nothing = { lines: [], named: [], own: [] }
const entity = {
  kind: 'entity' as const,
  id: 1,
  name: 'Order',
  path: 'user-defined/Shop/Order',
  folder: 'user-defined/Shop',
  type: 'EXCLUSIVE' as const,
}
const row = { kind: 'typeAttribute' as const, uid: 'u1', name: 'status' }
const base: Match = { kind: 'choice', document: entity, row, text: 'open', marks: [[0, 2]], detail: '', rank: 1 }

describe('the lines of the palette', () => {
  it('begin with recent documents and commands if nothing is typed, without the shown document', () => {
    const stop = recordRecent()
    for (const id of [1, 2, 3])
      workbench.getState().open({ kind: 'entity', id, name: `E${id}`, path: `user-defined/E${id}` })
    stop()
    for (const id of ['three', 'two', 'gone']) recordCommand(id)
    const lines = linesFor('', offers, nothing, { context })
    expect(lines.map(({ label, isRecent }) => [label, isRecent ?? false])).toEqual([
      ['E2', true],
      ['E1', true],
      ['Import', true],
      ['Logout', true],
      ['Export', false],
    ])
    scopeStore.setState({ administered: 'OTHER' })
    expect(linesFor('', offers, nothing, { context }).every(({ isRecent }) => !isRecent)).toBe(true)
  })

  it('keep a bounded number of recent commands, each once', () => {
    for (let index = 0; index < 30; index++) recordCommand(`c${index % 15}`)
    expect(recentCommands()).toEqual(Array.from({ length: 10 }, (_, index) => `c${14 - index}`))
  })

  it('say what each match of the server is', () => {
    const words = (change: Partial<Match>) => {
      const { label, detail } = matchLine({ ...base, ...change })
      return `${label} | ${detail}`
    }
    const manifest = {
      kind: 'configuration' as const,
      id: 7,
      name: 'Shop',
      path: 'user-defined/Shop',
      folder: 'user-defined',
    }
    expect(words({})).toBe('open | choice of Order.status, user-defined/Shop')
    expect(words({ kind: 'attribute' })).toBe('open | attribute of Order, user-defined/Shop')
    expect(words({ kind: 'relationship', detail: 'Customer' })).toBe(
      'open | relationship of Order to Customer, user-defined/Shop',
    )
    expect(words({ kind: 'scope', row: null, detail: 'select, delete' })).toBe(
      'open | scope on Order: select, delete, user-defined/Shop',
    )
    expect(words({ kind: 'scope', row: null, document: manifest })).toBe('open | scope defined by Shop, user-defined')
    expect(words({ kind: 'description' })).toBe('open | description of Order.status, user-defined/Shop')
    expect(words({ kind: 'description', row: null })).toBe('open | description of Order, user-defined/Shop')
    expect(words({ kind: 'entity', row: null, text: 'Order' })).toBe('Order | user-defined/Shop')
  })

  it('are ordered by rank, descriptions after names and commands of the same rank, and keep the order of pinned ones', () => {
    const lines = [
      matchLine({ ...base, kind: 'description', text: 'Export everything', rank: 1 }),
      matchLine({ ...base, kind: 'attribute', text: 'myExport', rank: 3 }),
      matchLine({
        ...base,
        kind: 'entity',
        row: null,
        document: { ...entity, id: 2, name: 'Exported' },
        text: 'Exported',
        rank: 1,
      }),
    ]
    const labels = (pinned: readonly string[] = []) =>
      linesFor('export', offers, { ...nothing, lines }, { context, pinned }).map(({ label }) => label)
    expect(labels()).toEqual(['Export', 'Exported', 'Export everything', 'myExport'])
    expect(labels([lines[1]?.id ?? '', lines[0]?.id ?? ''])).toEqual([
      'myExport',
      'Export everything',
      'Export',
      'Exported',
    ])
  })

  it('have own descriptions before those of the library', () => {
    const text = 'Printed on letters'
    const library = { ...entity, id: 3, path: 'predefined/parties/Order', folder: 'predefined/parties' }
    const lines = [
      matchLine({ ...base, kind: 'description', document: library, text }),
      matchLine({ ...base, kind: 'description', text }),
    ]
    const details = linesFor('letters', [], { ...nothing, lines }, { context }).map(({ detail }) => detail)
    expect(details.map(detail => detail.split(', ').at(-1))).toEqual(['user-defined/Shop', 'predefined/parties'])
  })

  it('have the marks of the server, or of their label', () => {
    const lines = [matchLine({ ...base, text: 'in import', marks: [[3, 9]] })]
    const marks = linesFor('import', offers, { ...nothing, lines }, { context }).map(line => [line.label, line.marks])
    expect(marks).toEqual([
      ['Import', [[0, 6]]],
      ['in import', [[3, 9]]],
    ])
  })

  it('open the document at the place, or in the background', () => {
    workbench.getState().open({ kind: 'entity', id: 9, name: 'Shown' })
    workbench.getState().set({ propertiesOpen: false })
    const line = matchLine(base)
    line.beside?.()
    expect(workbench.getState()).toMatchObject({ active: 'entity:9', propertiesOpen: false })
    expect(workbench.getState().tabs.map(({ name }) => name)).toEqual(['Shown', 'Order'])
    line.run()
    expect(workbench.getState()).toMatchObject({ active: 'entity:1', propertiesOpen: true })
    expect(workbench.getState().selections.get('entity:1')).toMatchObject({
      kind: 'typeAttribute',
      uids: ['u1'],
      reveal: true,
    })
    matchLine({ ...base, kind: 'scope', row: null }).run()
    expect(workbench.getState().selections.get('entity:1')).toBeUndefined()
    const document = {
      kind: 'configuration' as const,
      id: 7,
      name: 'Shop',
      path: 'user-defined/Shop',
      folder: 'user-defined',
    }
    matchLine({ ...base, kind: 'scope', row: null, document }).run()
    expect(workbench.getState().active).toBe('configuration:7')
    expect(workbench.getState().shown.get('configuration:7')).toMatchObject({ tab: 'scopes' })
  })
})
