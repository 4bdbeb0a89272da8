import { newEntityContent } from '@cadmus/model/entity'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { changesQuery } from '../api/edit-log.ts'
import { queryClient } from '../api/query-client.ts'
import { noticeStore, notify } from '../ui/notices.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { draftKey } from './draft-key.ts'
import { editDraft } from './edit-draft.ts'
import { entityStandIn } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import { linkedStep } from './linked-steps.ts'
// Offers the undo of saves.
import './draft-tabs.ts'

vi.mock('../api/entity-states.ts', () => ({ readEntityStates: async () => new Map(), readChanges: async () => {} }))

const ids = [21, 22]
const key = (id: number) => draftKey(id, undefined)
const names = () => ids.map(id => entityStore.get(key(id))!.draft.content.name)

function rename(id: number, name: string) {
  const saved = entityStandIn(id, { ...newEntityContent({ name: `E${id}` }), uid: `uid-${id}` }, undefined)
  const edit = { kind: 'changeEntity' as const, change: { name } }
  return editDraft({ store: entityStore, saved, etag: '"1"' }, () => [edit], { hidden: true })!
}

/** A server that stores everything, with one entry in each log. */
function connect() {
  const contents = new Map(ids.map(id => [id, newEntityContent({ name: `E${id}` })]))
  const contentOf = (id: number, name: string) => ({ ...contents.get(id)!, name })
  entityStore.connect({
    send: async ({ saved: { id }, content }) => ({ saved: entityStandIn(id, content, undefined), etag: '"2"' }),
    settle: async () => null,
    load: async ({ id }) => ({ saved: entityStandIn(id, contentOf(id, `F${id}`), undefined), etag: '"2"' }),
    success: 'Saved.',
    log: {
      kind: 'entity',
      words: () => '',
      states: async id => ({ before: contentOf(id, `E${id}`), after: contentOf(id, `F${id}`) }),
    },
  })
  for (const id of ids) {
    const saved = entityStandIn(id, contentOf(id, `E${id}`), undefined)
    workbench.getState().openHidden({ kind: 'entity', id, name: saved.name })
    entityStore.receive(saved, '"1"', undefined)
    queryClient.setQueryData(changesQuery('entity', id, '"2"').queryKey, [
      {
        sequence: id,
        changeId: id,
        entryId: id,
        operationId: null,
        description: `Renamed E${id}`,
        version: '1.0.0',
        at: '2026-01-01T10:00:00Z',
        actor: { name: 'Ann' },
        own: true,
        follows: false,
        before: '"1"',
        after: '"2"',
      },
    ])
  }
}

it('a notice about unsaved changes goes with the save after which none of them is left', async () => {
  connect()
  const [first, second] = ids.map(id => rename(id, `F${id}`))
  const isUnsaved = () => [first, second].some(step => step?.isPresent())
  notify('success', 'Fixed, not saved yet.', undefined, { isUnsaved })
  const texts = () => noticeStore.getState().notices.map(({ text }) => text)
  await entityStore.save(key(21))
  expect(texts()).toContain('Fixed, not saved yet.')
  await entityStore.save(key(22))
  expect(texts()).toEqual(['Saved.'])
})

describe('A step over several drafts', () => {
  beforeEach(() => entityStore.close([...entityStore.state.getState().open.keys()]))
  const made = () =>
    linkedStep(
      'Rename',
      ids.map(id => rename(id, `F${id}`)),
    )

  it('is undone and made again in all of them when it is in one', () => {
    made()
    entityStore.dispatch(key(22), { kind: 'undo' })
    expect(names()).toEqual(['E21', 'E22'])
    entityStore.dispatch(key(21), { kind: 'redo' })
    expect(names()).toEqual(['F21', 'F22'])
  })

  it('follows its drafts only until all of them are saved or discarded', () => {
    const step = made()
    const mayMove = vi.fn(() => false)
    const watched = linkedStep('Rename', [
      step,
      { ...step, canUndo: mayMove, canRedo: mayMove, isPresent: () => step.isPresent() },
    ])
    entityStore.dispatch(key(21), { kind: 'discard' })
    expect(watched.isPresent()).toBe(true)
    entityStore.close(ids.map(key))
    const { length } = mayMove.mock.calls
    rename(21, 'G21')
    expect([watched.isPresent(), mayMove.mock.calls.length]).toEqual([false, length])
  })

  it('is undone after it was saved in all of them, by the reversals of these saves', async () => {
    connect()
    const step = made()
    await entityStore.save(key(21))
    // One draft is saved, the other is not.
    expect(step.canUndo()).toBe(false)
    await entityStore.save(key(22))
    expect([step.canUndo(), step.isPresent()]).toEqual([true, false])
    await step.undo()
    expect(names()).toEqual(['E21', 'E22'])
    const causes = ids.map(id => entityStore.get(key(id))?.draft.done.at(-1)?.cause)
    expect(causes).toEqual(ids.map(sequence => ({ kind: 'undo', sequence })))
    expect([step.canUndo(), step.canRedo()]).toEqual([false, false])
  })

  it('is undone as a whole, but not once a draft has a later step', () => {
    const step = made()
    step.undo()
    expect([names(), step.canRedo()]).toEqual([['E21', 'E22'], true])
    step.redo()
    entityStore.edit(key(21), () => [{ kind: 'changeEntity', change: { description: 'later' } }])
    expect(step.canUndo()).toBe(false)
    // What was undone in the other draft alone stays as it is here.
    entityStore.dispatch(key(22), { kind: 'undo' })
    expect(names()).toEqual(['F21', 'E22'])
  })
})
