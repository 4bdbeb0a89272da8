import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { EntityContent } from '@cadmus/model/entity'
import { mergeEntity } from '@cadmus/model/merge/entity'
import { proofCount } from '@cadmus/testing/proof'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError, unreachable } from '../../api/error.ts'
import type { Loaded } from '../../drafts/draft.ts'
import { originOf } from '../../drafts/moved-steps.ts'
import { isSaving, operationOf } from '../../drafts/open-draft.ts'
import { OpenDrafts } from '../../drafts/open-drafts.ts'
import { above, places, start, texts, type Texts, textEdits } from '../../testing/entity-texts.ts'
import { dismiss, noticeStore } from '../../ui/notices.ts'
import { entityDrafts as drafts, entityStandIn, type EntityDraft } from '../../drafts/entity-draft.ts'

const place = { path: 'user-defined/Shop/Sale', version: '1.0.0', manifest: { id: 2, name: 'Shop' } }
const settled = () => new Promise(resolve => setImmediate(resolve))

/** Simulates one page, the server's states of the entity, and a second writer. */
class History {
  readonly states: EntityContent[] = [start]
  readonly #store = new OpenDrafts({
    kind: 'entity',
    drafts,
    title: ({ name }) => name,
    failed: 'Failed.',
    placeOf: () => place,
    deletion: async () => null,
  })
  #running: { sent: EntityDraft; isStored: boolean; respond: () => void } | null = null
  #isCut = false
  #isLost = false
  readonly #answers = new Map<string, Loaded<EntityAnswer>>()
  readonly #wrong: string[] = []
  #clock = 0
  /** Times of my last write to a place and of the value below it; time of the other user's last write. */
  readonly #mine = new Map<string, { at: number; below: string | null | undefined }>()
  readonly #theirs = new Map<string, number>()

  constructor() {
    this.#store.connect({
      send: async (draft, _version, operationId) => this.#stored(draft, operationId),
      settle: async ({ id }) => this.#answers.get(id) ?? null,
      load: async () => this.#answer(),
      success: 'Saved.',
    })
    this.#receive()
  }

  get newest(): EntityContent {
    return this.states.at(-1) ?? start
  }

  get draft(): EntityDraft {
    return this.#open.draft
  }

  get #open() {
    const open = this.#store.get('4')
    if (!open) throw new Error('It is not open.')
    return open
  }

  #answer(): Loaded<EntityAnswer> {
    return { saved: entityStandIn(4, this.newest, place), etag: String(this.states.length - 1) }
  }

  #receive(): void {
    const { saved, etag } = this.#answer()
    this.#store.receive(saved, etag, undefined)
  }

  #wrote(at: string, below: EntityContent = this.#below()): void {
    this.#clock += 1
    this.#mine.set(at, { at: this.#clock, below: texts(below)[at] })
  }

  /** The state below my edits: a stored save without response, else the base of the draft. */
  #below(): EntityContent {
    const lost = operationOf(this.#open)
    if (lost && this.#answers.has(lost.id)) return lost.sent.content
    return this.#running?.isStored ? this.#running.sent.content : this.draft.base
  }

  write(at: string, text: string): void {
    this.#wrote(at)
    this.#store.edit('4', content => textEdits(content, at, text))
  }

  theyWrite(at: string, text: string): void {
    if (texts(this.newest)[at] === text) return
    this.#theirs.set(at, (this.#clock += 1))
    const next = structuredClone(this.newest)
    if (at === 'entity') next.description = text
    for (const item of next.typeAttributes) if (item.uid === at) item.description = text
    this.states.push(next)
  }

  undo(): void {
    const before = this.draft
    this.#store.dispatch('4', { kind: 'undo' })
    this.#noteReverted(before)
    if (before.incoming || before.done.length === 0) return
    expectSame(texts(drafts.redone(this.draft).content), texts(before.content))
  }

  redo(): void {
    const before = this.draft
    this.#store.dispatch('4', { kind: 'redo' })
    const [was, is] = [texts(before.content), texts(this.draft.content)]
    // Reports my changes that were replaced by theirs.
    if (before.undone.at(-1)?.name === 'My side of the conflict')
      for (const at of places) if (was[at] !== is[at]) this.#wrote(at)
  }

  discard(): void {
    for (const { id } of noticeStore.getState().notices) dismiss(id)
    const before = this.draft
    this.#store.dispatch('4', { kind: 'discard' })
    this.#noteReverted(before)
  }

  /** Records the values that the step restored. */
  #noteReverted(before: EntityDraft): void {
    const [was, is] = [texts(before.content), texts(this.draft.content)]
    for (const at of places) if (was[at] !== is[at]) this.#wrote(at)
  }

  async restoreDiscarded(): Promise<void> {
    // Waits while a save is in progress.
    if (isSaving(this.#open)) await this.answered()
    const notice = noticeStore.getState().notices.find(({ action }) => action)
    if (!notice) return
    dismiss(notice.id)
    notice.action?.run()
    const done = new Set(this.draft.done.map(originOf))
    expectSame(
      this.draft.undone.filter(step => done.has(originOf(step))),
      [],
    )
    // Restored changes count as written now.
    for (const at of places) if (texts(this.draft.base)[at] !== texts(this.draft.content)[at]) this.#wrote(at)
  }

  /** Reads are allowed during a save, as they do not change the shown state. */
  async read(): Promise<void> {
    const before = this.#store.get('4')
    const answer = this.#answers.get((before && operationOf(before)?.id) ?? '')
    const below = this.#below()
    this.#receive()
    await settled()
    if (!before) return
    const { content, etag } = before.draft
    // My save is stored: rebase onto its response first, then onto later states.
    const stored = answer && (this.states[Number(answer.etag)] ?? start)
    const isBelow = stored && this.draft.etag !== etag
    if (isBelow) this.#expectAbove(stored, above(below, texts(content), stored), answer.etag)
    else this.#expectAbove(below, texts(content), etag)
  }

  async save(): Promise<void> {
    if (isSaving(this.#open)) return
    void this.#store.save('4')
    await settled()
    expectSame(this.#wrong, [])
  }

  /** The next save does not reach the server. */
  cut(): void {
    this.#isCut = true
  }

  /** The response to the next save is lost. */
  lose(): void {
    this.#isLost = true
  }

  /** The server stores or refuses it; the page receives the outcome with the response. */
  async #stored(sent: EntityDraft, saveId: string): Promise<Loaded<EntityAnswer>> {
    const { newest } = this
    if (this.#isCut) {
      this.#isCut = false
      await this.#answerTo(sent, false)
      throw unreachable()
    }
    const { merged, conflicts } = mergeEntity(this.states[Number(sent.etag)] ?? start, sent.content, newest)
    const isLost = this.#isLost
    this.#isLost = false
    // A save without changes stores nothing, as its response shows.
    const isChange = merged !== undefined && drafts.adapter.compare(newest, merged).count > 0
    const isStored = isLost ? isChange : merged !== undefined
    if (merged) this.#take(sent, merged, isStored)
    const answer = this.#answer()
    if (isChange) this.#answers.set(saveId, answer)
    await this.#answerTo(sent, isStored)
    if (isLost) throw unreachable()
    if (merged) return answer
    const reported = conflicts.map(one => ({ ...one, who: 'Ann', when: '2026-01-01T00:00:00Z' }))
    throw new ApiError(409, { message: 'Stale.', code: 'conflict', conflicts: reported, etag: answer.etag })
  }

  #take(sent: EntityDraft, merged: EntityContent, isStored: boolean): void {
    const [before, after] = [texts(this.newest), texts(merged)]
    this.states.push(merged)
    for (const at of places) {
      const mine = this.#mine.get(at)
      const isAfter = (this.#theirs.get(at) ?? 0) > (mine?.at ?? 0)
      // Their later changes must not be overwritten unnoticed; a change that was reverted does not count.
      if (isAfter && before[at] !== mine?.below && after[at] !== before[at]) this.#wrong.push(at)
    }
    if (isStored) for (const at of places) if (texts(sent.base)[at] !== texts(sent.content)[at]) this.#wrote(at, merged)
  }

  async saved(): Promise<void> {
    await this.save()
    await this.answered()
  }

  async #answerTo(sent: EntityDraft, isStored: boolean): Promise<void> {
    await new Promise<void>(respond => {
      this.#running = { sent, isStored, respond }
    })
  }

  async answered(): Promise<void> {
    const answer = this.#running
    this.#running = null
    if (!answer) return
    const before = this.draft
    answer.respond()
    await settled()
    expectSame(this.#wrong, [])
    const { sent, isStored } = answer
    this.#expectAbove(isStored ? sent.content : sent.base, texts(before.content), sent.etag)
  }

  /** My edits are above the current state; unchanged if that state is the previous one. */
  #expectAbove(below: EntityContent, before: Texts, etag: string): void {
    const now = this.draft
    const state = this.states[Number(now.etag)] ?? start
    expectSame(texts(now.content), now.etag === etag ? before : above(below, before, state))
  }

  async keep(side: 'mine' | 'theirs'): Promise<void> {
    const open = this.#open
    if (open.state !== 'conflicted' || !open.theirs.saved) return
    const { etag, saved } = open.theirs
    const { base, content } = open.draft
    const theirs = drafts.open(saved, '').base
    if (side === 'mine') for (const at of places) if (texts(base)[at] !== texts(content)[at]) this.#wrote(at)
    const expected = side === 'mine' ? above(base, texts(content), theirs) : above(base, texts(theirs), content)
    const keeping = this.#store.keep('4', side)
    await Promise.resolve()
    // A later read may already be the base.
    if (this.draft.etag === etag) expectSame(texts(this.draft.content), expected)
    await Promise.race([keeping, settled()])
  }
}

function expectSame(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(expected)
}

const kinds = [
  ...(['write', 'write', 'write', 'undo', 'undo', 'redo', 'discard', 'restoreDiscarded', 'read', 'read'] as const),
  ...(['save', 'saved', 'saved', 'answered', 'cut', 'lose', 'theyWrite', 'theyWrite', 'mine', 'theirs'] as const),
]
const action = fc.record({
  kind: fc.constantFrom(...kinds),
  at: fc.constantFrom(...places),
  text: fc.constantFrom('a', 'b', 'c'),
})
type Action = { kind: (typeof kinds)[number]; at: string; text: string }

async function act(history: History, { kind, at, text }: Action): Promise<void> {
  if (kind === 'write' || kind === 'theyWrite') history[kind](at, text)
  else if (kind === 'mine' || kind === 'theirs') await history.keep(kind)
  else await history[kind]()
}

describe('concurrent edits of an entity by two people', () => {
  it('overwrite no change unnoticed, and lose no input', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30, size: 'max' }), async actions => {
        const history = new History()
        for (const one of actions) await act(history, one)
      }),
      { numRuns: proofCount('histories', 200, 1000), seed: 20_261_123 },
    )
  })
})
