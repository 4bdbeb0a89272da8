import { newEntityContent } from '@cadmus/model/entity'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, unreachable } from '../api/error.ts'
import { noticeStore } from '../ui/notices.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { draftKey } from './draft-key.ts'
import { entityStandIn } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import { runOf } from './save-run.ts'
import { saveInTurn } from './save-all.ts'

const [one, two, alone] = [draftKey(31, undefined), draftKey(32, undefined), draftKey(33, undefined)]
const all = [one, two, alone]
const idOf = (key: string) => Number(key)

type Together = NonNullable<Parameters<typeof entityStore.connect>[0]['together']>
const together = vi.fn<Together['send']>()
const send = vi.fn<Parameters<typeof entityStore.connect>[0]['send']>()

entityStore.connect({
  send,
  settle: async () => Promise.resolve(null),
  load: async () => Promise.reject(unreachable()),
  success: 'Saved.',
  together: { parts: drafts => [drafts.filter(({ key }) => key !== alone)], send: together },
})

const stored = (draft: { saved: { id: number }; content: ReturnType<typeof newEntityContent> }) => ({
  saved: entityStandIn(draft.saved.id, draft.content, undefined),
  etag: '"2"',
})
const saveAll = async (options = {}) =>
  saveInTurn(
    all.map(key => ({ store: entityStore, key })),
    options,
  )
const unsaved = () => all.filter(key => entityStore.isUnsaved(key))
const texts = () => noticeStore.getState().notices.map(({ text }) => text)
const sentAlone = () => send.mock.calls.map(([draft]) => draft.saved.id)

describe('Documents that are saved together', () => {
  beforeEach(() => {
    entityStore.close([...entityStore.state.getState().open.keys()])
    workbench.getState().reset()
    noticeStore.setState({ notices: [] })
    together.mockReset()
    send.mockReset().mockImplementation(async draft => Promise.resolve(stored(draft)))
    for (const key of all) {
      const saved = entityStandIn(idOf(key), newEntityContent({ name: `E${key}` }), undefined)
      entityStore.receive(saved, '"1"', undefined)
      entityStore.edit(key, () => [{ kind: 'changeEntity', change: { description: 'typed' } }])
    }
  })

  it('that were deleted during the save of others are not counted as saved', async () => {
    together.mockImplementation(async part => {
      entityStore.dispatch(alone, { kind: 'deleted' })
      return Promise.resolve(new Map(part.map(({ key, draft }) => [key, stored(draft)])))
    })
    await saveAll()
    expect(unsaved()).toEqual([alone])
    expect(texts()).toEqual(['2 entities saved.'])
  })

  it('are sent by one call and counted in one message; others are saved on their own as part of the same action', async () => {
    together.mockImplementation(async part =>
      Promise.resolve(new Map(part.map(({ key, draft }) => [key, stored(draft)]))),
    )
    await saveAll()
    expect(together.mock.calls.map(([part]) => part.map(({ key }) => key))).toEqual([[one, two]])
    expect(sentAlone()).toEqual([33])
    expect(unsaved()).toEqual([])
    expect(texts()).toEqual(['3 entities saved.'])
    const runs = [together.mock.calls[0]![1], send.mock.calls[0]![2]].map(runOf)
    expect(new Set(runs).size).toBe(1)
  })

  it('are saved on their own if they are refused together, so that each shows its reason', async () => {
    together.mockRejectedValue(new ApiError(409, { code: 'locked', message: 'Locked.' }))
    send.mockImplementation(async draft => {
      if (draft.saved.id === 31) throw new ApiError(409, { code: 'locked', message: 'Locked.' })
      return Promise.resolve(stored(draft))
    })
    await saveAll()
    expect(sentAlone()).toEqual([31, 32, 33])
    expect(unsaved()).toEqual([one])
    expect(entityStore.get(one)?.problem?.message).toBe('Locked.')
    expect(texts()).toEqual(['2 entities saved.'])
    send.mockClear()
    entityStore.edit(two, () => [{ kind: 'changeEntity', change: { description: 'again' } }])
    await saveAll({ untilRefused: true })
    expect(sentAlone()).toEqual([31])
  })

  it('wait for their outcome if the answer is lost, and are not sent again', async () => {
    together.mockRejectedValue(unreachable())
    await saveAll()
    expect([one, two].map(key => entityStore.get(key)?.state)).toEqual(['unknown', 'unknown'])
    expect(sentAlone()).toEqual([33])
    expect(texts()).toEqual(['1 entity saved.'])
  })

  it('stay unsaved, without a second question, if the user cancels one', async () => {
    together.mockImplementation(async ([, second]) => Promise.resolve(new Map([[two, stored(second!.draft)]])))
    await saveAll()
    expect(unsaved()).toEqual([one])
    expect(sentAlone()).toEqual([33])
  })
})
