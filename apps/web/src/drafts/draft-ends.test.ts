import { describe, expect, it } from 'vitest'
import { ApiError } from '../api/error.ts'
import { drafts, type Content, type Document, type Edit } from '../testing/draft-world.ts'
import { isStale } from './draft-machine.ts'
import type { Discarded } from './open-draft.ts'
import {
  before,
  broken,
  conflict,
  conflicted,
  deleted,
  deletion,
  dirty,
  discard,
  edit,
  type Event,
  loaded,
  machine,
  mine,
  now,
  online,
  play,
  read,
  refused,
  save,
  saving,
  settling,
  stale,
  stored,
  theirs,
  undo,
  unsettled,
  words,
} from '../testing/draft-steps.ts'

describe('a document that is not open', () => {
  const step = (event: Event) => {
    const [open, effects] = machine.step(undefined, event, now)
    return [open?.state, words(effects)]
  }
  const [request, isSaved] = [{ id: '1' }, true]

  it('is clean once it is loaded', () => {
    const draft = drafts.open(before.saved, '0')
    const none = { problem: null, changedAt: null, restored: false, secretsOmitted: false, ownSaves: [] }
    expect(machine.step(undefined, loaded(before), now)).toEqual([{ state: 'clean', draft, ...none }, []])
  })

  it('opens with a draft of an earlier visit, which the user acknowledges', () => {
    const { draft } = play(dirty).open
    const restored: Event = { kind: 'restored', draft, changedAt: 'then', restored: true, secretsOmitted: true }
    const [open, effects] = machine.step(undefined, restored, now)
    expect(open).toEqual({
      state: 'dirty',
      draft,
      problem: null,
      changedAt: 'then',
      restored: true,
      secretsOmitted: true,
      ownSaves: [],
    })
    expect(words(effects)).toEqual(['store'])
    expect(play([{ kind: 'acknowledged' }], restored)).toMatchObject({
      open: { restored: false, secretsOmitted: false, changedAt: 'then' },
      effects: [],
    })
    const { ownSaves } = play([...saving, stored(mine)]).open
    expect(play([...saving, stored(mine), restored]).open).toMatchObject({ state: 'dirty', restored: true, ownSaves })
  })

  it('opens with a discarded draft, also of a deleted document', () => {
    const { draft } = play(dirty).open
    const discarded = (by: Discarded<Document, Content, Edit>['deleted']): Event => ({
      kind: 'undoDiscard',
      discarded: { draft, deleted: by, operations: [] },
    })
    expect(step(discarded(null))).toEqual(['dirty', ['store']])
    const by = { who: 'Ann', when: 'then' }
    const [open, effects] = machine.step(undefined, discarded(by), now)
    expect(open).toMatchObject({ state: 'deleted', by, saving: false, draft })
    expect(words(effects)).toEqual(['store'])
  })

  it('ends its requests and ignores other events', () => {
    expect(step({ kind: 'savedAsNew', request, isSaved })).toEqual([undefined, ['1: none']])
    expect(step({ kind: 'savedAsNew', request, isSaved: false })).toEqual([undefined, ['1: cancelled']])
    expect(step(save('1'))).toEqual([undefined, ['1: cancelled']])
    expect(step({ kind: 'keep', side: 'mine', request })).toEqual([undefined, ['1: cancelled']])
    for (const event of [online, undo, deleted, stored(mine)]) expect(step(event)).toEqual([undefined, []])
  })
})

describe('a draft reports', () => {
  it('who deleted the document, also to an undo of discarding the draft', () => {
    const by = { who: 'Ann', when: 'then' }
    const { open, effects } = play([...deletion, { kind: 'deletedBy', by }, discard])
    expect(open).toMatchObject({ by })
    expect(effects.at(-1)).toMatchObject({ discarded: { deleted: by, operations: [] } })
    expect(play([...dirty, discard]).effects.at(-1)).toMatchObject({ discarded: { deleted: null, operations: [] } })
    expect(play([{ kind: 'deletedBy', by }]).open).not.toHaveProperty('by')
  })

  it('the saves that were begun before it was discarded', () => {
    const after = [...saving, stored(mine), edit('b', 6), save('2'), discard]
    expect(play(after).effects.at(-1)).toMatchObject({ discarded: { operations: ['1', '2'] } })
  })

  it('the authors of conflicts, if they refer to the state shown', () => {
    const authors = (etag: string): Event => ({
      kind: 'authors',
      etag,
      authors: [{ path: '', field: 'a', who: 'Ann', when: 'then' }],
    })
    expect(play(conflicted).effects[1]).toMatchObject({ conflicts: [{ path: '', field: 'a' }], etag: '1' })
    const named = { ...conflict('Ann'), when: 'then' }
    expect(play([...conflicted, authors('1')])).toMatchObject({ open: { conflicts: [named] }, effects: [] })
    expect(play([...conflicted, authors('9')]).open).toMatchObject({ conflicts: [conflict('')] })
    expect(play([authors('1')]).open.state).toBe('clean')
  })

  it('the time of its first unsaved change', () => {
    expect([play([]), play(dirty), play([...dirty, undo])].map(({ open }) => open.changedAt)).toEqual([null, now, null])
  })
})

it('edits discarded during their save can be restored once the save is over, even if its outcome is unknown', () => {
  const { effects } = play([...saving, discard])
  const offer = effects.at(-1)
  if (offer?.kind !== 'offerUndo') throw new Error('No undo is offered.')
  const undoDiscard: Event = { kind: 'undoDiscard', discarded: offer.discarded }
  const waiting = [...saving, discard, undoDiscard]
  expect(play(waiting)).toMatchObject({ open: { state: 'saving', draft: { content: { a: 1 } } }, effects: [] })
  const stays = play([...waiting, refused(stale()), read(theirs)])
  expect(stays.open.draft.content.a).toBe(5)
  expect(play([...settling, discard, undoDiscard, unsettled]).open.draft.content.a).toBe(5)
})

it('a refusal is stale if the server reports conflicts or another state of the document', () => {
  const ofStatus = (status: number) => new ApiError(status, { message: 'x' })
  expect([stale(), ofStatus(400), ofStatus(403), ofStatus(404)].map(isStale)).toEqual([true, true, true, true])
  expect([ofStatus(409), broken, new Error('x'), null].map(isStale)).toEqual([false, false, false, false])
})
