import type { Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError, unreachable } from '../../api/error.ts'
import { DraftSaves } from '../../drafts/draft-saves.ts'
import { DraftStore } from '../../drafts/draft-store.ts'
import type { Loaded } from '../../drafts/draft.ts'
import type { SavedConfiguration } from '../../api/configurations.ts'
import { ConfigurationServer, type Property } from '../../testing/configuration-server.ts'
import { isSecret, renamed, written } from '../../testing/property-lists.ts'
import { dismiss, noticeStore } from '../../ui/notices.ts'
import { configurationDrafts as drafts, type ConfigurationDraft } from './configuration-store.ts'

type Values = ReadonlyMap<string, string | undefined>

const names = ['open', 'secret1', 'secret2'] as const
const places = ['url', 'password', ...names] as const
type Place = (typeof places)[number]
const isName = (place: Place): place is (typeof names)[number] => place !== 'url' && place !== 'password'

const settled = () => new Promise(resolve => setImmediate(resolve))

/** One person's page, the server, and somebody else who writes in the same places. Every value is written only once. */
class History {
  readonly #server = new ConfigurationServer()
  readonly #store = new DraftStore({
    kind: 'configuration',
    drafts,
    title: ({ name }) => name,
    failed: 'Failed.',
    placeOf: ({ path, currentVersion: version }) => ({ path, version, manifest: null }),
    deletion: async () => null,
  })
  readonly #saves = new DraftSaves({
    store: this.#store,
    send: async draft => this.#stored(draft),
    load: async () => this.#server.load(),
    success: 'Saved.',
  })
  /** What the page has shown of each place, or told that it is theirs. */
  readonly #seen = new Map<string, Set<string | undefined>>(places.map(place => [place, new Set()]))
  readonly #wrong: string[] = []
  #underWay: { sent: Values; isStored: boolean; tell: () => void } | null = null
  #isCut = false
  #count = 0

  constructor() {
    this.#server.sets({ url: this.#newValue(), password: this.#newValue() })
    this.#server.setsProperties(() => names.map(name => ({ name, value: this.#newValue(), secret: isSecret(name) })))
    this.read()
  }

  #newValue(): string {
    this.#count += 1
    return `value ${this.#count}`
  }

  get #open() {
    const open = this.#store.get('4')
    if (!open) throw new Error('It is not open.')
    return open
  }

  /** Place by place, in clear. */
  #valuesOf(configuration: Configuration): Values {
    const { connectionPoolInfo, customProperties } = this.#server.opened(configuration).packageProperties
    const known = new Map(customProperties.map(({ name, value }) => [name, value]))
    const { url, password } = connectionPoolInfo
    return new Map<string, string | undefined>([
      ['url', url],
      ['password', password],
      ...names.map((name): [string, string | undefined] => [name, known.get(name)]),
    ])
  }

  #mine(): Values {
    return this.#valuesOf(this.#open.draft.content)
  }

  #look(): void {
    const { draft, conflicts, against } = this.#open
    const shown = [draft.base, draft.content].map(content => this.#valuesOf(content))
    for (const place of places) for (const values of shown) this.#seen.get(place)?.add(values.get(place))
    if (!against?.saved) return
    const theirs = this.#valuesOf(against.saved.configuration)
    const isTold = (place: Place) =>
      conflicts.some(({ path, field }) => (isName(place) ? path.endsWith(`.${place}`) : field === place))
    for (const place of places) if (isTold(place)) this.#seen.get(place)?.add(theirs.get(place))
  }

  write(at: Place, to: Place): void {
    if (!isName(at)) this.#edit(['packageProperties', 'connectionPoolInfo', at], this.#newValue())
    else this.#setList(all => written(all, at, to, this.#newValue()))
  }

  remove(at: Place): void {
    if (!isName(at)) this.#edit(['packageProperties', 'connectionPoolInfo', at], '')
    else this.#setList(all => all.filter(({ name }) => name !== at))
  }

  rename(at: Place, to: Place): void {
    if (isName(at) && isName(to)) this.#setList(all => renamed(all, at, to))
  }

  #setList(make: (all: readonly Property[]) => Property[]): void {
    this.#edit(
      ['packageProperties', 'customProperties'],
      make(this.#open.draft.content.packageProperties.customProperties),
    )
  }

  #edit(path: string[], value: string | Property[]): void {
    const edit: ConfigurationEdit = { kind: 'changeConfiguration', changes: [{ path, value }] }
    this.#store.edit('4', () => [edit])
    this.#look()
  }

  theyWrite(at: Place, to: Place): void {
    if (!isName(at)) this.#server.sets({ [at]: this.#newValue() })
    else this.#server.setsProperties(all => written(all, at, to, this.#newValue()))
  }

  theyRemove(at: Place): void {
    if (!isName(at)) this.#server.sets({ [at]: '' })
    else this.#server.setsProperties(all => all.filter(({ name }) => name !== at))
  }

  theyRename(at: Place, to: Place): void {
    if (isName(at) && isName(to)) this.#server.setsProperties(all => renamed(all, at, to))
  }

  undo(): void {
    this.#store.undo('4')
    this.#look()
  }

  redo(): void {
    this.#store.redo('4')
    this.#look()
  }

  discard(): void {
    for (const { id } of noticeStore.getState().notices) dismiss(id)
    this.#store.discard('4')
    this.#look()
  }

  async bringBack(): Promise<void> {
    if (this.#open.saving) await this.answered()
    const found = noticeStore.getState().notices.find(({ action }) => action)
    if (!found) return
    dismiss(found.id)
    found.action?.run()
    this.#look()
  }

  read(): void {
    const before = this.#store.get('4')
    const { saved, etag } = this.#server.load()
    if (before) this.#look()
    this.#store.receive(saved, etag, undefined)
    if (before) this.#expectKept(before.draft.base, before.draft.content)
    this.#look()
  }

  async save(): Promise<void> {
    if (this.#open.saving) return
    this.#look()
    void this.#saves.save('4')
    await settled()
    this.#look()
    expectSame(this.#wrong, [])
  }

  async saved(): Promise<void> {
    await this.save()
    await this.answered()
  }

  /** The next save does not reach the server. */
  cut(): void {
    this.#isCut = true
  }

  async #stored(sent: ConfigurationDraft): Promise<Loaded<SavedConfiguration>> {
    const values = this.#valuesOf(sent.content)
    const answer = (isStored: boolean) =>
      new Promise<void>(tell => {
        this.#underWay = { sent: values, isStored, tell }
      })
    if (this.#isCut) {
      this.#isCut = false
      await answer(false)
      throw unreachable()
    }
    const before = this.#valuesOf(this.#server.newest)
    try {
      const stored = this.#server.save(sent.content, sent.etag)
      const after = this.#valuesOf(this.#server.newest)
      for (const place of places) {
        const [was, is] = [before.get(place), after.get(place)]
        // What was never shown here is not written over.
        if (was !== is && !this.#seen.get(place)?.has(was)) this.#wrong.push(place)
        // What I have is what is stored, or what they have.
        if (is !== values.get(place) && is !== was) this.#wrong.push(`${place} is nobody's`)
      }
      await answer(true)
      return stored
    } catch (failure) {
      if (failure instanceof ApiError && failure.code !== 'conflict') this.#wrong.push(failure.message)
      await answer(false)
      throw failure
    }
  }

  async answered(): Promise<void> {
    const answer = this.#underWay
    this.#underWay = null
    if (!answer) return
    const before = this.#mine()
    const { base, content } = this.#open.draft
    answer.tell()
    await settled()
    expectSame(this.#wrong, [])
    if (answer.isStored) this.#expectSame(before, place => before.get(place) !== answer.sent.get(place))
    else this.#expectKept(base, content)
    this.#look()
  }

  async settle(keep: 'mine' | 'theirs'): Promise<void> {
    const open = this.#open
    const saved = open.against?.saved
    if (!saved || open.saving) return
    const [before, below] = [this.#mine(), this.#valuesOf(open.draft.base)]
    const theirs = this.#valuesOf(saved.configuration)
    this.#look()
    const settling = this.#saves.settle('4', keep)
    await Promise.resolve()
    // Of what only I changed nothing goes, whichever side is kept.
    if (this.#open.draft.etag === open.against?.etag)
      this.#expectSame(before, place =>
        keep === 'mine' ? before.get(place) !== below.get(place) : theirs.get(place) === below.get(place),
      )
    await Promise.race([settling, settled()])
    this.#look()
    expectSame(this.#wrong, [])
  }

  /** What I changed is as it was; the rest may be theirs by now. */
  #expectKept(base: Configuration, content: Configuration): void {
    const [below, before] = [this.#valuesOf(base), this.#valuesOf(content)]
    this.#expectSame(before, place => before.get(place) !== below.get(place))
  }

  #expectSame(before: Values, isMine: (place: Place) => boolean): void {
    const now = this.#mine()
    for (const place of places) if (isMine(place)) expectSame([place, now.get(place)], [place, before.get(place)])
  }
}

function expectSame(seen: unknown, wanted: unknown): void {
  expect(seen).toEqual(wanted)
}

const kinds = [
  ...(['write', 'write', 'write', 'remove', 'rename', 'undo', 'undo', 'redo', 'discard', 'bringBack'] as const),
  ...(['theyWrite', 'theyWrite', 'theyWrite', 'theyRemove', 'theyRename', 'read', 'save', 'save', 'saved'] as const),
  ...(['answered', 'cut', 'mine', 'theirs', 'race', 'race'] as const),
]
const place = fc.constantFrom(...places)
const action = fc.record({ kind: fc.constantFrom(...kinds), at: place, to: place })
type Action = { kind: (typeof kinds)[number]; at: Place; to: Place }

async function act(history: History, { kind, at, to }: Action): Promise<void> {
  if (kind === 'mine' || kind === 'theirs') await history.settle(kind)
  else if (kind === 'remove' || kind === 'theyRemove') history[kind](at)
  else if (kind === 'write' || kind === 'rename' || kind === 'theyWrite' || kind === 'theyRename') history[kind](at, to)
  else if (kind === 'race') {
    // They change what I change while my save of something else is under way.
    history.theyWrite(at, to)
    history.write(to, at)
    await history.save()
    history.write(at, to)
    await history.answered()
  } else await history[kind]()
}

describe('Whatever two people do to one configuration', () => {
  it('nothing is written over untold, secrets too, and nothing that was typed goes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 40, size: 'max' }), async actions => {
        const history = new History()
        for (const one of actions) await act(history, one)
        await history.answered()
      }),
      { numRuns: 500, seed: 20_261_123 },
    )
  })
})
