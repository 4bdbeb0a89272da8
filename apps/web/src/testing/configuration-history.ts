import type { Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { expect } from 'vitest'
import { ApiError, unreachable } from '../api/error.ts'
import { conflictsOf, isSaving } from '../drafts/open-draft.ts'
import { OpenDrafts } from '../drafts/open-drafts.ts'
import type { Loaded } from '../drafts/draft.ts'
import type { SavedConfiguration } from '../api/configurations.ts'
import { isName, names, places, valuesIn, type Place, type Values } from './configuration-places.ts'
import { ConfigurationServer, type Property } from './configuration-server.ts'
import { OtherPerson } from './other-person.ts'
import { withFlag, isSecret, withName, withValue } from './property-lists.ts'
import { settingSecret, TypedSecrets } from './typed-secrets.ts'
import { dismiss, noticeStore } from '../ui/notices.ts'
import { configurationDrafts as drafts, type ConfigurationDraft } from '../drafts/configuration-store.ts'

const settled = () => new Promise(resolve => setImmediate(resolve))

/** Simulates one page, the server and a second writer. Every value is written only once. */
export class History {
  readonly #server = new ConfigurationServer()
  readonly they = new OtherPerson(this.#server, () => this.#newValue())
  readonly #store = new OpenDrafts({
    kind: 'configuration',
    drafts,
    title: ({ name }) => name,
    failed: 'Failed.',
    placeOf: ({ path, currentVersion: version }) => ({ path, version, manifest: null }),
    deletion: async () => null,
  })
  /** Values of each place that the page has shown or reported as theirs. */
  readonly #seen = new Map<string, Set<string | undefined>>(places.map(place => [place, new Set()]))
  readonly #wrong: string[] = []
  #running: { sent: Values; isStored: boolean; respond: () => void } | null = null
  #isCut = false
  #isLost = false
  readonly #typing = new TypedSecrets<Place>()
  #count = 0

  constructor() {
    this.#store.connect({
      send: async (draft, _version, operationId) => this.#stored(draft, operationId),
      settle: async ({ id }) => this.#server.savedBy(id),
      load: async () => this.#server.load(),
      success: 'Saved.',
    })
    this.#server.setPool({ url: this.#newValue(), password: this.#newValue() })
    this.#server.setProperties(() => names.map(name => ({ name, value: this.#newValue(), secret: isSecret(name) })))
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

  #valuesOf(configuration: Configuration): Values {
    return valuesIn(this.#server.unsealed(configuration))
  }

  #mine(): Values {
    return this.#valuesOf(this.#open.draft.content)
  }

  #recordShown(): void {
    const open = this.#open
    const { draft } = open
    const conflicts = conflictsOf(open)
    const shown = [draft.base, draft.content].map(content => this.#valuesOf(content))
    for (const place of places) for (const values of shown) this.#seen.get(place)?.add(values.get(place))
    if (open.state !== 'conflicted' || !open.theirs.saved) return
    const theirs = this.#valuesOf(open.theirs.saved.configuration)
    const isReported = (place: Place) =>
      conflicts.some(({ path, field }) => (isName(place) ? path.endsWith(`.${place}`) : field === place))
    for (const place of places) {
      if (!isReported(place)) continue
      this.#seen.get(place)?.add(theirs.get(place))
      this.#typing.markKnown(place, theirs.get(place))
    }
  }

  write(at: Place, to: Place): void {
    if (!isName(at)) this.#edit(['packageProperties', 'connectionPoolInfo', at], this.#newValue())
    else this.#setList(all => withValue(all, at, to, this.#newValue()))
  }

  remove(at: Place): void {
    if (!isName(at)) this.#edit(['packageProperties', 'connectionPoolInfo', at], '')
    else this.#setList(all => all.filter(({ name }) => name !== at))
  }

  rename(at: Place, to: Place): void {
    if (isName(at) && isName(to)) this.#setList(all => withName(all, at, to))
  }

  #setList(make: (all: readonly Property[]) => Property[]): void {
    this.#edit(['packageProperties', 'customProperties'], make(this.#rows))
  }

  #edit(path: string[], value: string | Property[]): void {
    const edit: ConfigurationEdit = { kind: 'changeConfiguration', changes: [{ path, value }] }
    this.#store.edit('4', () => [edit])
    this.#recordShown()
  }

  undo(): void {
    this.#store.dispatch('4', { kind: 'undo' })
    this.#recordShown()
  }

  redo(): void {
    this.#store.dispatch('4', { kind: 'redo' })
    this.#recordShown()
  }

  discard(): void {
    for (const { id } of noticeStore.getState().notices) dismiss(id)
    this.#store.dispatch('4', { kind: 'discard' })
    this.#recordShown()
  }

  async restoreDiscarded(): Promise<void> {
    while (this.isAnswerAwaited) await this.answered()
    const notice = noticeStore.getState().notices.find(({ action }) => action)
    if (!notice) return
    dismiss(notice.id)
    notice.action?.run()
    this.#recordShown()
  }

  read(): void {
    const before = this.#store.get('4')
    const { saved, etag } = this.#server.load()
    if (before) this.#recordShown()
    this.#store.receive(saved, etag, undefined)
    if (before) this.#expectPreserved(before.draft.base, before.draft.content)
    this.#recordShown()
  }

  async save(): Promise<void> {
    if (isSaving(this.#open)) return
    this.#recordShown()
    void this.#store.save('4')
    await settled()
    this.#recordShown()
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

  /** Typed text is held in its field, above the stored value, until it is applied. */
  type(at: Place): void {
    const actual = this.#store.seen('4')
    const row = this.#rows.find(({ name }) => name === at)
    const isTyped = at === 'password' || row?.secret
    const below = this.#valuesOf(this.#open.draft.base)
    if (actual && isTyped)
      this.#typing.begin({ at, text: this.#newValue(), row, seen: actual }, [
        below.get(at),
        this.#mine().get(at),
        this.#running?.sent.get(at),
      ])
  }

  apply(): void {
    const typed = this.#typing.end()
    if (!typed) return
    this.#store.editAbove('4', typed.seen, content => [settingSecret(content, typed)])
    this.#recordShown()
  }

  /** Makes a secret open with a new value, or the reverse. */
  flag(at: Place): void {
    if (isName(at)) this.#setList(all => withFlag(all, at, this.#newValue()))
  }

  get #rows(): readonly Property[] {
    return this.#open.draft.content.packageProperties.customProperties
  }

  /** The response to the next save is lost. */
  lose(): void {
    this.#isLost = true
  }

  async #stored(sent: ConfigurationDraft, saveId: string): Promise<Loaded<SavedConfiguration>> {
    const values = this.#valuesOf(sent.content)
    const answer = (isStored: boolean) =>
      new Promise<void>(respond => {
        this.#running = { sent: values, isStored, respond }
      })
    if (this.#isCut) {
      this.#isCut = false
      await answer(false)
      throw unreachable()
    }
    try {
      const stored = this.#checkedSave(sent, values, saveId)
      const isLost = this.#isLost
      this.#isLost = false
      await answer(!isLost)
      if (!isLost) return stored
    } catch (failure) {
      if (failure instanceof ApiError && failure.code !== 'conflict') this.#wrong.push(failure.message)
      if (failure instanceof ApiError && this.they.changed.size === 0)
        this.#wrong.push('conflict without a second writer')
      await answer(false)
      throw failure
    }
    throw unreachable()
  }

  /** Saves on the server and checks the outcome. */
  #checkedSave(
    { content, base, etag }: ConfigurationDraft,
    values: Values,
    saveId: string,
  ): Loaded<SavedConfiguration> {
    const [before, below] = [this.#valuesOf(this.#server.newest), this.#valuesOf(base)]
    const stored = this.#server.save(content, etag, saveId)
    const after = this.#valuesOf(this.#server.newest)
    for (const place of places) {
      const [was, is] = [before.get(place), after.get(place)]
      // A value that was never shown must not be overwritten.
      if (was !== is && !this.#seen.get(place)?.has(was)) this.#wrong.push(place)
      // The stored value must be mine, otherwise theirs.
      if (is !== values.get(place) && is !== was) this.#wrong.push(`${place} has an unknown value`)
      if (was !== is && !this.#typing.mayReplace(is, was)) this.#wrong.push(`${place} was typed over`)
      if (is === values.get(place) && is !== below.get(place)) this.#typing.markKnown(place, is)
    }
    for (const name of this.#typing.openIn(this.#server.newest)) this.#wrong.push(`${name} is open`)
    return stored
  }

  get isAnswerAwaited(): boolean {
    return this.#running !== null
  }

  async answered(): Promise<void> {
    const answer = this.#running
    this.#running = null
    if (!answer) return
    const before = this.#mine()
    const { base, content } = this.#open.draft
    answer.respond()
    await settled()
    expectSame(this.#wrong, [])
    if (answer.isStored) this.#expectSame(before, place => before.get(place) !== answer.sent.get(place))
    else this.#expectPreserved(base, content)
    this.#recordShown()
  }

  async keep(side: 'mine' | 'theirs'): Promise<void> {
    const open = this.#open
    if (open.state !== 'conflicted' || !open.theirs.saved) return
    const { etag, saved } = open.theirs
    const [before, below] = [this.#mine(), this.#valuesOf(open.draft.base)]
    const theirs = this.#valuesOf(saved.configuration)
    this.#recordShown()
    const keeping = this.#store.keep('4', side)
    await Promise.resolve()
    // Fields that only I changed keep my values for both choices.
    if (this.#open.draft.etag === etag)
      this.#expectSame(before, place =>
        side === 'mine' ? before.get(place) !== below.get(place) : theirs.get(place) === below.get(place),
      )
    await Promise.race([keeping, settled()])
    this.#recordShown()
    expectSame(this.#wrong, [])
  }

  /** My changes are kept; other values may now be theirs. */
  #expectPreserved(base: Configuration, content: Configuration): void {
    const [below, before] = [this.#valuesOf(base), this.#valuesOf(content)]
    this.#expectSame(before, place => before.get(place) !== below.get(place))
  }

  #expectSame(before: Values, isMine: (place: Place) => boolean): void {
    const now = this.#mine()
    for (const place of places) if (isMine(place)) expectSame([place, now.get(place)], [place, before.get(place)])
  }
}

function expectSame(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(expected)
}
