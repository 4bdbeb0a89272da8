import {
  newConfiguration,
  placeholderOf,
  isPlaceholder,
  withoutSecrets,
  type Configuration,
} from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edit'
import { mergeConfigurations } from '@cadmus/model/merge-configuration'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SavedConfiguration } from '../../api/configurations.ts'
import { configurationDrafts as drafts, configurationStandIn, type ConfigurationDraft } from './configuration-store.ts'

type Property = Configuration['packageProperties']['customProperties'][number]

const propertiesOf = (of: Configuration) => of.packageProperties.customProperties
const withProperties = (of: Configuration, customProperties: Property[]): Configuration => ({
  ...of,
  packageProperties: { ...of.packageProperties, customProperties },
})

/** What stands for a secret that nobody has any longer. */
const unknown = '?'

/** A server's states of one configuration, its secrets in clear. */
class Server {
  readonly states: Configuration[] = [newConfiguration('Shop')]

  get newest(): Configuration {
    return this.states.at(-1) ?? newConfiguration('Shop')
  }

  get etag(): string {
    return String(this.states.length - 1)
  }

  answer(): { saved: SavedConfiguration; etag: string } {
    return { saved: configurationStandIn(4, withoutSecrets(this.newest), undefined), etag: this.etag }
  }

  /** Somebody else's list of what is theirs. */
  set(change: (own: Property[]) => Property[]): void {
    const all = propertiesOf(this.newest)
    const mine = all.filter(({ name }) => !name.startsWith('t'))
    this.states.push(withProperties(this.newest, [...mine, ...change(all.filter(({ name }) => name.startsWith('t')))]))
  }

  /** False: refused, since both changed the same. A placeholder is the secret of that name in the state of the tag. */
  save(content: Configuration, etag: string): boolean {
    const base = this.states[Number(etag)] ?? this.newest
    const secretOf = (placeholder: string) =>
      propertiesOf(base).find(({ name, secret }) => secret && placeholderOf(name) === placeholder)?.value
    const wanted = propertiesOf(content).map(item => {
      if (!item.secret || !isPlaceholder(item.value)) return item
      const value = secretOf(item.value)
      if (value === undefined) throw new Error(`The value of ${item.name} is not known any more.`)
      return { ...item, value }
    })
    const { merged } = mergeConfigurations(base, withProperties(content, wanted), this.newest)
    if (merged) this.states.push(merged)
    return merged !== undefined
  }
}

/** One person's page before that server, and what somebody else does there: each touches only properties of their own. */
class History {
  readonly server = new Server()
  draft = drafts.open(this.server.answer().saved, this.server.etag)
  #discarded: ConfigurationDraft | null = null
  #underWay: { sent: ConfigurationDraft; saved: SavedConfiguration; etag: string } | null = null
  #count = 0

  /** What the page has of this person's, its secrets as the server knows them. */
  mine(draft = this.draft): Property[] {
    const base = propertiesOf(this.server.states[Number(draft.etag)] ?? this.server.newest)
    return propertiesOf(draft.content)
      .filter(({ name }) => name.startsWith('m'))
      .map(item => {
        if (!item.secret || !isPlaceholder(item.value)) return item
        const stored = base.find(({ name }) => placeholderOf(name) === item.value)
        return { ...item, value: stored?.secret ? stored.value : unknown }
      })
      .toSorted(byName)
  }

  stored(letter: 'm' | 't'): Property[] {
    return propertiesOf(this.server.newest)
      .filter(({ name }) => name.startsWith(letter))
      .toSorted(byName)
  }

  edit(change: (all: Property[]) => Property[]): void {
    const before = propertiesOf(this.draft.content)
    const after = change(structuredClone(before))
    if (new Set(after.map(({ name }) => name)).size < after.length) return
    const edit: ConfigurationEdit = {
      kind: 'changeConfiguration',
      changes: [{ path: ['packageProperties', 'customProperties'], value: after }],
    }
    this.draft = drafts.edited(this.draft, [edit])
  }

  #isUnknown({ name }: Property): boolean {
    return this.mine().some(item => item.name === name && item.value === unknown)
  }

  newValue(): string {
    this.#count += 1
    return `value ${this.#count}`
  }

  read(): void {
    if (this.#underWay) return
    const { saved, etag } = this.server.answer()
    const before = this.mine()
    if (etag !== this.draft.etag) this.draft = drafts.rebased(this.draft, saved, etag)
    expectSame(this.mine(), before)
  }

  undo(): void {
    this.draft = drafts.undone(this.draft)
  }

  redo(): void {
    this.draft = drafts.redone(this.draft)
  }

  discard(): void {
    if (this.draft.done.length === 0) return
    this.#discarded = this.draft
    this.draft = drafts.discarded(this.draft)
  }

  bringBack(): void {
    if (this.#discarded) this.draft = drafts.broughtBack(this.draft, this.#discarded)
    this.#discarded = null
  }

  /** The server has it, and the answer is on its way. */
  send(): void {
    if (this.#underWay || this.draft.changes === 0) return
    // What it is ahead of waits until the save ends.
    this.draft = { ...this.draft, ahead: null }
    const sent = this.draft
    const [mine, theirs] = [this.mine(), this.stored('t')]
    if (mine.some(({ value }) => value === unknown)) {
      expectRefused(() => this.server.save(sent.content, sent.etag))
      this.edit(all => all.map(item => (this.#isUnknown(item) ? { ...item, value: this.newValue() } : item)))
      return
    }
    expectSame(this.server.save(sent.content, sent.etag), true)
    expectSame(this.stored('m'), mine)
    expectSame(this.stored('t'), theirs)
    this.#underWay = { sent, ...this.server.answer() }
  }

  answered(): void {
    if (!this.#underWay) return
    const { sent, saved, etag } = this.#underWay
    // What was typed and is stored by now cannot be taken back: the one before is gone.
    const typed = propertiesOf(sent.content).filter(({ secret, value }) => secret && !isPlaceholder(value))
    const gone = new Set(drafts.overtaken(this.draft, sent))
    const isTaken = new Set<string>()
    const before = this.mine().map(item => {
      const seen = propertiesOf(this.draft.content).find(({ name }) => name === item.name)?.value ?? ''
      // Its property went: whoever saves it is told to enter it again.
      const isKept = propertiesOf(sent.content).some(({ secret, value }) => secret && value === seen)
      const now = typed.find(({ name }) => placeholderOf(name) === seen)
      if (item.secret && isPlaceholder(seen) && !isKept && !now) return { ...item, value: unknown }
      if (!item.secret || isKept || !now) return item
      isTaken.add(item.name)
      return { ...item, value: now.value }
    })
    expectSame(gone, isTaken)
    this.draft = drafts.afterSave(this.draft, sent, saved, etag)
    this.#underWay = null
    this.#discarded = null
    expectSame(this.mine(), before)
  }
}

function expectRefused(save: () => unknown): void {
  expect(save).toThrow('is not known any more')
}

function expectSame(seen: unknown, wanted: unknown): void {
  expect(seen).toEqual(wanted)
}

const byName = (a: Property, b: Property) => a.name.localeCompare(b.name)

type Action = { kind: (typeof kinds)[number]; at: number; to: number; secret: boolean }
const kinds = [
  ...(['add', 'add', 'value', 'value', 'rename', 'delete', 'undo', 'redo', 'discard', 'bring back'] as const),
  ...(['their add', 'their value', 'their rename', 'their delete', 'read', 'read', 'send', 'answered'] as const),
]
const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom(...kinds),
  at: fc.nat(3),
  to: fc.nat(3),
  secret: fc.boolean(),
})

function act(history: History, { kind, at, to, secret }: Action): void {
  const value = history.newValue()
  const change = (letter: string, all: Property[]): Property[] => {
    const [name, other] = [`${letter}${at}`, `${letter}${to}`]
    if (kind.endsWith('add')) return all.some(item => item.name === name) ? all : [...all, { name, value, secret }]
    if (kind.endsWith('delete')) return all.filter(item => item.name !== name)
    if (kind.endsWith('value')) return all.map(item => (item.name === name ? { ...item, value } : item))
    const isFree = all.every(item => item.name !== other)
    return isFree ? all.map(item => (item.name === name ? { ...item, name: other } : item)) : all
  }
  if (kind === 'undo' || kind === 'redo' || kind === 'discard' || kind === 'read') history[kind]()
  else if (kind === 'send' || kind === 'answered') history[kind]()
  else if (kind === 'bring back') history.bringBack()
  else if (kind.startsWith('their')) history.server.set(own => change('t', own))
  else history.edit(all => change('m', all))
}

describe('Whatever two people do to one list', () => {
  it('each has what is theirs, secrets too, after every save, answer and look', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25, size: 'max' }), actions => {
        const history = new History()
        for (const one of actions) act(history, one)
        history.answered()
        history.send()
      }),
      { numRuns: 1000, seed: 20_261_123 },
    )
  })
})
