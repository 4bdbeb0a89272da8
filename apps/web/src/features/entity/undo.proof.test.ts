import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { columnsOf } from '@cadmus/model/columns'
import { addAttributeEdits, changeAttributeEdits } from '@cadmus/model/edits/entity-actions'
import { type EntityEdit, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { mergeEntity } from '@cadmus/model/merge/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { LoggedChange } from '../../api/edit-log.ts'
import { ApiError } from '../../api/error.ts'
import { DraftMachine } from '../../drafts/draft-machine.ts'
import { causeOf } from '../../drafts/moved-steps.ts'
import type { DraftEffect, DraftEvent, OpenDraft, Side } from '../../drafts/open-draft.ts'
import { reversed, savedStacks, savedSteps } from '../../drafts/saved-steps.ts'
import { type Direction, hasUnsavedStep, takesSaved } from '../../drafts/take-back.ts'
import { Drafts } from '../../drafts/draft.ts'
import { entityDrafts, entityStandIn } from '../../drafts/entity-draft.ts'

type Open = OpenDraft<EntityAnswer, EntityContent, EntityEdit>
type Event = DraftEvent<EntityAnswer, EntityContent, EntityEdit>

const place = { path: 'user-defined/Shop/Sale', version: '1.0.0', manifest: { id: 2, name: 'Shop' } }
/** The contents of answers, which take longer to read than everything else. */
const contents = new WeakMap<EntityAnswer, EntityContent>()
const drafts = new Drafts<EntityAnswer, EntityContent, EntityEdit>({
  ...entityDrafts.adapter,
  contentOf: saved => contents.get(saved) ?? start,
})
const machine = new DraftMachine(drafts, 'Failed.')
const attributes = ['a', 'b'].map((name, position) => newTypeAttribute({ name, position, description: '0' }))
const relationship = newEntityAttribute({
  associatedEntity: { id: 9, name: 'Account', path: 'user-defined/Shop/Account' },
  associatedEntityTypeAttribute: 'id',
  foreignKeyTypeAttribute: 'accountId',
  position: 2,
})
const start = newEntityContent({ name: 'Sale', typeAttributes: attributes, entityAttributes: [relationship] })

const document = entityStandIn(4, start, place)

/** The values of a content by place: fields of the entity and of each column, whose absence is undefined. */
function valuesOf(content: EntityContent): Map<string, string> {
  const { description, name } = content
  const columns = columnsOf(content).flatMap(({ position: _position, ...column }) =>
    Object.entries(column).map(([field, value]) => [`${column.uid} ${field}`, JSON.stringify(value)] as const),
  )
  return new Map([['description', description], ['name', name], ...columns])
}

function changedBetween(before: EntityContent, after: EntityContent): Set<string> {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  return new Set([...was.keys(), ...is.keys()].filter(at => was.get(at) !== is.get(at)))
}

function expectSame(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(expected)
}

/** The server: all states of the entity, and its log, whose entry n leads to state n. */
class Server {
  readonly states: EntityContent[] = [start]
  readonly log: (LoggedChange & { who: string })[] = []

  get newest(): EntityContent {
    return this.states.at(-1) ?? start
  }

  answer() {
    const saved = { ...document }
    contents.set(saved, this.newest)
    return { saved, etag: String(this.states.length - 1) }
  }

  save(who: string, { draft }: Pick<Open, 'draft'>) {
    const base = this.states[Number(draft.etag)] ?? start
    const { merged, conflicts } = mergeEntity(base, draft.content, this.newest)
    if (!merged) {
      const reported = conflicts.map(one => ({ ...one, who: 'Ann', when: '2026-01-01T00:00:00Z' }))
      throw new ApiError(409, { code: 'conflict', conflicts: reported, etag: this.answer().etag })
    }
    const own = changedBetween(base, draft.content)
    // Nobody else's edit is changed.
    expectSame(changedBetween(this.newest, merged).difference(own), new Set())
    if (changedBetween(this.newest, merged).size === 0) return this.answer()
    const sequence = this.states.length
    const cause = causeOf(draft.done)
    const tags = { before: String(sequence - 1), after: String(sequence) }
    const entry = {
      sequence,
      changeId: sequence,
      entryId: sequence,
      operationId: null,
      description: '',
      at: '',
      actor: { name: who },
      follows: false,
      version: '1.0.0',
    }
    this.states.push(merged)
    this.log.unshift({ ...entry, ...tags, own: true, cause, who })
    return this.answer()
  }

  logOf(who: string): LoggedChange[] {
    return this.log.map(entry => ({ ...entry, own: entry.who === who }))
  }
}

class Person {
  readonly #server: Server
  readonly #name: string
  open: Open
  taken = 0

  constructor(server: Server, name: string) {
    this.#server = server
    this.#name = name
    this.open = this.#opened()
  }

  #opened(): Open {
    const [open] = machine.step(undefined, { kind: 'loaded', loaded: this.#server.answer() }, '')
    if (!open) throw new Error('The document is not open.')
    return open
  }

  #dispatch(event: Event): void {
    const [open, effects] = machine.step(this.open, event, '2026-01-01T00:00:00Z')
    if (open) this.open = open
    for (const effect of effects) this.#run(effect)
  }

  #run(effect: DraftEffect<EntityAnswer, EntityContent, EntityEdit>): void {
    if (effect.kind === 'read') this.#dispatch({ kind: 'read', after: effect.after, result: this.#server.answer() })
    if (effect.kind !== 'send') return
    const { id: operationId, sent } = effect.operation
    try {
      this.#dispatch({ kind: 'stored', operationId, answer: this.#server.save(this.#name, { draft: sent }) })
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      this.#dispatch({ kind: 'refused', operationId, failure })
    }
  }

  edit(edits: (content: EntityContent) => readonly EntityEdit[]): void {
    this.#dispatch({ kind: 'edit', edits })
  }

  save(): void {
    this.#dispatch({ kind: 'save', request: { id: `${this.#name} ${this.#server.states.length} ${Math.random()}` } })
  }

  read(): void {
    this.#dispatch({ kind: 'loaded', loaded: this.#server.answer() })
  }

  keep(side: Side): void {
    if (this.open.state === 'conflicted')
      this.#dispatch({ kind: 'keep', side, request: { id: `keep ${Math.random()}` } })
  }

  /** Closes and opens the page. A draft that is not saved yet is lost. */
  reload(): void {
    this.open = this.#opened()
  }

  /** Returns false if nothing is left to take back. */
  take(direction: Direction): boolean {
    if (hasUnsavedStep(this.open, direction)) {
      this.#dispatch({ kind: direction })
      return true
    }
    const log = this.#server.logOf(this.#name)
    const step = savedStacks(savedSteps(log), this.open.draft.done)[direction].at(-1)
    const [before, after] = [step?.sequence, step?.last].map((at = 0, index) => this.#server.states[at - 1 + index])
    if (!step || !before || !after || !takesSaved(this.open)) return false
    const { content: was, etag } = this.open.draft
    const edits = (content: EntityContent) =>
      entityEditsBetween(content, reversed(drafts.adapter, { before, after }, content).content)
    const cause = { kind: direction, sequence: step.sequence } as const
    this.#dispatch({ kind: 'derive', step: { name: '', cause }, edits })
    this.taken += 1
    const { draft } = this.open
    if (draft.etag !== etag) {
      // Nothing is left to save, so that a newer state with which the draft conflicted is shown.
      expectSame([draft.content, draft.changes], [this.#server.states[Number(draft.etag)], 0])
      return true
    }
    const [past, left, mine] = [valuesOf(was), valuesOf(after), changedBetween(before, after)]
    // Only places of the saved change that nobody has changed since.
    const changed = changedBetween(was, this.open.draft.content)
    expectSame(changed.difference(mine), new Set())
    for (const at of changed) expectSame([at, past.get(at)], [at, left.get(at)])
    return true
  }
}

const kinds = [
  ...(['write', 'rename', 'add', 'remove', 'relate', 'undo', 'undo', 'redo'] as const),
  ...(['save', 'save', 'read', 'reload', 'mine', 'theirs'] as const),
  ...(['saved', 'saved', 'saved', 'saved', 'saved', 'undone', 'undone', 'undone', 'undone', 'redone'] as const),
]
const actionOf = fc.record({
  kind: fc.constantFrom(...kinds),
  isSecond: fc.boolean(),
  at: fc.integer({ min: 0, max: 2 }),
  text: fc.constantFrom<string>('1', '2', '3'),
})
type Action = typeof actionOf extends fc.Arbitrary<infer A> ? A : never

function act(person: Person, { kind, at, text, isSecond }: Action): void {
  const attribute = (content: EntityContent) => content.typeAttributes[at % Math.max(1, content.typeAttributes.length)]
  const change = (fields: object) => (content: EntityContent) => {
    const item = attribute(content)
    return item ? changeAttributeEdits(content, item.uid, fields) : []
  }
  if (kind === 'write')
    person.edit(
      at === 2
        ? content => entityEditsBetween(content, { ...content, description: text })
        : change({ description: text }),
    )
  else if (kind === 'rename') person.edit(change({ name: `n${text}` }))
  else if (kind === 'add') person.edit(content => addAttributeEdits(content, { name: `x${text}`, dataType: 'string' }))
  else if (kind === 'remove')
    person.edit(content => [{ kind: 'removeAttributes', uids: [attribute(content)?.uid ?? ''] }])
  else if (kind === 'relate')
    person.edit(({ entityAttributes }) =>
      entityAttributes.length > 0
        ? [{ kind: 'removeRelationships', uids: entityAttributes.map(({ uid }) => uid) }]
        : [{ kind: 'addRelationships', added: [{ item: relationship, before: null }] }],
    )
  else if (kind === 'undo' || kind === 'redo') person.take(kind)
  else if (kind === 'mine' || kind === 'theirs') person.keep(kind)
  else if (kind === 'saved' || kind === 'undone' || kind === 'redone') {
    // On the newest state, so that changes follow one another more often than by chance.
    person.read()
    if (kind === 'saved') act(person, { kind: 'write', at, text, isSecond })
    else person.take(kind === 'undone' ? 'undo' : 'redo')
    person.save()
  } else person[kind]()
}

/** Two more saved edits are taken back and made again, in one save each or in one for both. */
function expectBothWays(server: Server, person: Person, isSavedEach: boolean): void {
  person.reload()
  const before = server.newest
  act(person, { kind: 'write', isSecond: false, at: 2, text: 'last' })
  person.save()
  act(person, { kind: 'add', isSecond: false, at: 0, text: 'last' })
  person.save()
  const after = server.newest
  const saves = server.states.length
  for (const [direction, expected, count] of [
    ['undo', before, 2],
    ['redo', after, isSavedEach ? 2 : 1],
  ] as const) {
    person.reload()
    for (let taken = 0; taken < count; taken += 1) {
      expect(person.take(direction)).toBe(true)
      if (isSavedEach) person.save()
    }
    person.save()
    expect(server.newest).toEqual(expected)
  }
  expect(server.states).toHaveLength(saves + (isSavedEach ? 4 : 2))
}

it('random edits, undo, redo, saves and merges of two people overwrite and lose no edit, and undo gives back the very state', () => {
  const runs = proofCount('undo', 250, 100_000)
  const started = performance.now()
  const counts = { sequences: runs, saved: 0, takenBack: 0 }
  fc.assert(
    fc.property(fc.array(actionOf, { maxLength: 25, size: 'max' }), fc.boolean(), (actions, isSavedEach) => {
      const server = new Server()
      const [one, two] = [new Person(server, 'one'), new Person(server, 'two')]
      for (const action of actions) act(action.isSecond ? two : one, action)
      expectBothWays(server, one, isSavedEach)
      counts.saved += server.log.length
      counts.takenBack += one.taken + two.taken
    }),
    { numRuns: runs, seed: proofSeed() },
  )
  recordProof({
    name: 'Edits, undo, redo, saves and merges of two people lose no edit, and undo gives back the very state',
    counts,
    durationMs: performance.now() - started,
  })
})
