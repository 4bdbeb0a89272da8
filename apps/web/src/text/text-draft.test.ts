import { finish } from '@cadmus/model/steps'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { TextDraft } from './text-draft.ts'
import type { TextSession, TextState, Unapplied } from './text-session.ts'

type Stored = { document: string; draft: unknown; scope?: unknown }

const { at } = vi.hoisted(() => ({
  at: { stored: new Array<Stored>(), available: new Array<unknown>(), ended: new Array<string>(), forget: () => {} },
}))
vi.mock('../api/stored-drafts.ts', () => ({
  onDraftsForgotten: (stop: () => void) => {
    at.forget = stop
  },
  storeDraft: (document: string, draft: unknown, { scope }: { scope: unknown }) =>
    at.stored.push({ document, draft, scope }),
  storedDrafts: async (isRequested: (document: string) => boolean) =>
    at.available
      .filter(() => isRequested('text:manifest:1'))
      .map((draft, index) => ({
        draft,
        forget: async () => void at.ended.push(`${index} forgotten`),
        release: async () => void at.ended.push(`${index} released`),
      })),
}))
vi.mock('../workbench/leave.ts', () => ({ draftsRestored: async () => undefined }))

const broken: Unapplied = { printed: { text: 'Table A {}', marks: [] }, shown: { text: 'Table A {', marks: [] } }

/** A text; `unapplied`: what a reload would lose of it. */
function textOf(document = 'text:manifest:1') {
  const page = { unapplied: broken as Unapplied | null, shownAgain: [] as Unapplied[], reads: 0 }
  const store = createStore<TextState>(() => ({ isShown: true, reading: null, isBehind: false }))
  const session = {
    store,
    *unapplied() {
      yield
      return page.unapplied
    },
    showAgain: (unapplied: Unapplied) => void page.shownAgain.push(unapplied),
    read: () => {
      page.reads += 1
    },
  } satisfies Pick<TextSession, 'store' | 'unapplied' | 'showAgain' | 'read'>
  expect(finish(session.unapplied())).toBe(broken)
  const draft = new TextDraft({ document, title: 'Text of A', session })
  draft.open()
  const type = () =>
    store.setState({
      reading: {
        problems: [],
        doubts: [],
        edits: new Map(),
        added: [],
        links: new Map(),
        missing: [],
        marks: [],
        enumerations: null,
        choosing: new Map(),
      },
    })
  return { page, draft, type }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', () => undefined)
  Object.assign(at, { stored: [], available: [], ended: [] })
})
afterEach(() => {
  at.forget()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('What is not applied of a text', () => {
  it('is stored after a rest, and removed once nothing of it is left', () => {
    const { page, type } = textOf()
    type()
    expect(at.stored).toEqual([])
    vi.runAllTimers()
    expect(at.stored.map(({ document, draft }) => [document, draft])).toEqual([
      ['text:manifest:1', { format: 2, ...broken }],
    ])
    page.unapplied = null
    type()
    vi.runAllTimers()
    expect(at.stored.at(-1)).toMatchObject({ document: 'text:manifest:1', draft: null })
    type()
    vi.runAllTimers()
    expect(at.stored).toHaveLength(2)
  })

  it('is read and stored at once when the page is left', () => {
    const { page, draft, type } = textOf()
    draft.storeNow()
    expect([at.stored.length, page.reads]).toEqual([0, 0])
    type()
    draft.storeNow()
    expect(at.stored).toHaveLength(1)
  })

  it('is not stored again after a logout has deleted all drafts', () => {
    const { draft, type } = textOf()
    type()
    at.forget()
    draft.storeNow()
    type()
    vi.runAllTimers()
    expect(at.stored).toEqual([])
  })

  it('comes back before the text is shown, is stored for this page at once, and removed once nothing of it is left', async () => {
    at.available = [
      { format: 1, ...broken },
      { format: 1, ...broken },
    ]
    const { page, draft, type } = textOf()
    await draft.read()
    expect(page.shownAgain).toMatchObject([broken])
    expect(at.ended).toEqual(['1 released', '0 forgotten'])
    expect(at.stored.map(one => one.draft)).toEqual([{ format: 2, ...broken }])
    page.unapplied = null
    type()
    vi.runAllTimers()
    expect(at.stored.at(-1)?.draft).toBeNull()
  })

  it('stays stored if this release cannot read it, or if its marks are not in the text', async () => {
    const outside = { from: 0, to: 99, kind: 'entity', uid: 'a' }
    for (const unreadable of [
      { format: 3, ...broken },
      { format: 2, ...broken, shown: { text: 'Table A {', marks: [outside] } },
    ]) {
      at.available = [unreadable]
      const { page, draft } = textOf()
      await draft.read()
      expect(page.shownAgain).toEqual([])
    }
    expect(at.ended).toEqual(['0 released', '0 released'])
  })

  it('of another document stays where it is', async () => {
    at.available = [{ format: 1, ...broken }]
    const { page, draft } = textOf('text:entity:1')
    await draft.read()
    expect([page.shownAgain, at.ended]).toEqual([[], []])
  })
})
