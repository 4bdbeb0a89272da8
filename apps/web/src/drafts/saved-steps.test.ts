import { describe, expect, it } from 'vitest'
import type { LoggedChange } from '../api/edit-log.ts'
import { causeOf } from './moved-steps.ts'
import { savedStacks, savedSteps } from './saved-steps.ts'

type Kind = 'undo' | 'redo' | 'restore'

const change = (sequence: number, more: Partial<LoggedChange> = {}): LoggedChange => ({
  sequence,
  changeId: sequence,
  entryId: sequence,
  operationId: null,
  version: '1.0.0',
  description: `Change ${sequence}`,
  at: '2026-11-29T10:42:00.000Z',
  actor: { name: 'Ann' },
  own: true,
  follows: false,
  before: `state ${sequence - 1}`,
  after: `state ${sequence}`,
  ...more,
})
const causedBy = (kind: Kind, sequence: number) => ({ cause: { kind, sequence } })
const step = (kind: Kind, sequence: number) => ({ name: '', edits: [], ...causedBy(kind, sequence) })
const stacks = (changes: readonly LoggedChange[], unsaved: Parameters<typeof savedStacks>[1] = []) => {
  const { undo, redo } = savedStacks(savedSteps(changes.toReversed()), unsaved)
  return [undo, redo].map(steps => steps.map(({ sequence }) => sequence))
}

describe('saved changes that Undo and Redo reach', () => {
  it('are the own edits, without creations, versions, changes by others and those that followed', () => {
    const others = [change(2, { own: false }), change(3, { follows: true }), change(4, { after: 'state 3' })]
    expect(stacks([change(1, { before: null }), ...others, change(5)])).toEqual([[5], []])
  })

  it('leave out changes of frozen versions', () => {
    const changes = [change(1), change(2, { version: '2.0.0' }), change(3), change(4, { version: '2.0.0' })]
    expect(stacks(changes)).toEqual([[1, 2, 4], []])
  })

  it('a reversal takes the change off the stack, and a repetition returns it', () => {
    const changes = [change(1), change(2), change(3, causedBy('undo', 2))]
    expect(stacks(changes)).toEqual([[1], [3]])
    expect(stacks([...changes, change(4, causedBy('redo', 3))])).toEqual([[1, 4], []])
  })

  it('a reversal of several changes covers all own changes down to the oldest', () => {
    const changes = [change(1), change(2), change(3), change(4, causedBy('undo', 2))]
    expect(stacks(changes)).toEqual([[1], [4]])
  })

  it('a new change ends the redo of saved changes, a change by others does not', () => {
    const changes = [change(1), change(2), change(3, causedBy('undo', 2))]
    expect(stacks([...changes, change(4, { own: false })])).toEqual([[1], [3]])
    expect(stacks([...changes, change(4)])).toEqual([[1, 4], []])
    expect(stacks([...changes, change(4, causedBy('restore', 1))])).toEqual([[1, 4], []])
  })

  it('unsaved reversals and edits count as if they were saved', () => {
    const changes = [change(1), change(2), change(3, causedBy('undo', 2))]
    expect(stacks(changes, [step('undo', 1)])).toEqual([[], [3]])
    expect(stacks(changes, [step('redo', 3)])).toEqual([[1], []])
    expect(stacks(changes, [{ name: '', edits: [] }])).toEqual([[1], []])
  })

  it('several entries of one change are one step, from the first state to the last', () => {
    const [only] = savedSteps([change(8, { changeId: 7 }), change(7)])
    expect(only).toMatchObject({ sequence: 7, last: 8, description: 'Change 7' })
  })
})

describe('the cause of a save', () => {
  it('is the oldest change taken back or made again, if the save does nothing else', () => {
    expect(causeOf([step('undo', 5), step('undo', 3)])).toEqual({ kind: 'undo', sequence: 3 })
    expect(causeOf([step('redo', 9)])).toEqual({ kind: 'redo', sequence: 9 })
  })

  it('makes the save a change of its own if it also has other steps', () => {
    expect(causeOf([step('undo', 5), { name: '', edits: [] }])).toEqual({ kind: 'restore', sequence: 5 })
    expect(causeOf([{ name: '', edits: [] }])).toBeUndefined()
  })
})
