import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { scopeStore } from '../api/scope.ts'
import { sessionStore } from '../api/session-store.ts'
import { storage } from '../api/storage.ts'
import { isFavourite, maxFavourites, toggleFavourite } from './favourites.ts'
import { forgetDocuments, ownDocuments } from './own-documents.ts'
import { enterScope, workbench } from './page-workbench.ts'
import { recentDocuments, recordRecent } from './recent.ts'

const stored = new Map<string, string>()
const signIn = (userId: string) => sessionStore.setState({ user: { userId } as never })
const entity = (id: number) => ({ kind: 'entity' as const, id, name: `e${id}`, path: `/custom/e${id}` })
const recentNames = () => recentDocuments().map(({ name }) => name)

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  })
  signIn('ada')
  workbench.getState().reset()
  scopeStore.setState({ administered: null })
})
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStore.setState({ user: null })
  scopeStore.setState({ administered: null })
})

describe('recent documents', () => {
  let stop: () => void
  beforeEach(() => {
    stop = recordRecent()
  })
  afterEach(() => stop())

  it('are those shown last, each once, the last one first', () => {
    for (const id of [1, 2, 3]) workbench.getState().open(entity(id))
    workbench.getState().activate('entity:1')
    expect(recentNames()).toEqual(['e1', 'e3', 'e2'])
    expect(recentDocuments()[0]).toMatchObject({ kind: 'entity', id: 1, path: '/custom/e1' })
  })

  it('have at most twenty entries', () => {
    for (let id = 1; id <= 25; id++) workbench.getState().open(entity(id))
    expect(recentNames()).toHaveLength(20)
    expect(recentNames()[19]).toBe('e6')
  })

  it('do not have documents opened in the background before they are shown', () => {
    workbench.getState().open(entity(1))
    workbench.getState().openInBackground(entity(2))
    expect(recentNames()).toEqual(['e1'])
    workbench.getState().activate('entity:2')
    expect(recentNames()).toEqual(['e2', 'e1'])
  })

  it('have the name that a document got while it is shown', () => {
    workbench.getState().open({ kind: 'manifest', id: 7, name: 'Manifest 7' })
    workbench.getState().rename('manifest:7', 'Shop', '/custom/Shop')
    expect(recentDocuments()).toMatchObject([{ name: 'Shop', path: '/custom/Shop' }])
  })

  it('lose a document that no longer exists', () => {
    for (const id of [1, 2]) workbench.getState().open(entity(id))
    toggleFavourite(entity(2))
    const gone = recentDocuments().slice(0, 1)
    forgetDocuments('recent', gone)
    expect(recentNames()).toEqual(['e1'])
    expect(isFavourite(entity(2))).toBe(true)
    forgetDocuments('favourites', gone)
    expect(isFavourite(entity(2))).toBe(false)
  })

  it('leave out the audit logs', () => {
    workbench.getState().open({ kind: 'logs', id: 1, name: 'Audit Logs' })
    expect(recentDocuments()).toEqual([])
  })

  it('belong to one user and one scope', () => {
    workbench.getState().open(entity(1))
    enterScope('ACME')
    expect(recentDocuments()).toEqual([])
    enterScope(null)
    expect(recentNames()).toEqual(['e1'])
    signIn('bob')
    expect(recentDocuments()).toEqual([])
  })

  it('include the document that is shown when recording starts', () => {
    stop()
    workbench.getState().open(entity(4))
    expect(recentDocuments()).toEqual([])
    stop = recordRecent()
    expect(recentNames()).toEqual(['e4'])
  })

  it('leave out invalid stored entries', () => {
    storage.writeJson('recent', {
      ada: { '': [{ kind: 'logs', id: 1, name: 'x', at: 1 }, null, { ...entity(2), at: 5 }] },
    })
    expect(recentNames()).toEqual(['e2'])
    storage.writeJson('recent', { ada: { '': 'text' } })
    expect(recentDocuments()).toEqual([])
  })
})

describe('favourites', () => {
  it('are added last, and removed by the same call', () => {
    for (const id of [1, 2]) expect(toggleFavourite(entity(id))).toBe(true)
    expect([isFavourite(entity(1)), isFavourite({ kind: 'manifest', id: 1 })]).toEqual([true, false])
    expect(ownDocuments('favourites', '').map(({ id }) => id)).toEqual([1, 2])
    toggleFavourite(entity(1))
    expect(ownDocuments('favourites', '').map(({ id }) => id)).toEqual([2])
  })

  it('are bounded, and a full list still lets one be removed', () => {
    for (let id = 1; id <= maxFavourites; id++) toggleFavourite(entity(id))
    expect(toggleFavourite(entity(1000))).toBe(false)
    expect(isFavourite(entity(1000))).toBe(false)
    expect(toggleFavourite(entity(1))).toBe(true)
    expect(toggleFavourite(entity(1000))).toBe(true)
  })

  it('belong to one user and one scope', () => {
    toggleFavourite(entity(1))
    enterScope('ACME')
    expect(isFavourite(entity(1))).toBe(false)
    enterScope(null)
    signIn('bob')
    expect(isFavourite(entity(1))).toBe(false)
  })
})
