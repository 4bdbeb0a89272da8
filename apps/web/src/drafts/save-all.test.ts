import { afterEach, describe, expect, it } from 'vitest'
import { currentOffers } from '../commands/use-commands.ts'
import { noticeStore } from '../ui/notices.ts'
import { draftKey, type DraftKey } from './draft-key.ts'
import { includeInSaveAll, type InvalidTexts } from './save-all.ts'

/** Documents in the order of their saves. */
const order: DraftKey[] = []
/** Whether each was saved without a message of its own. */
const silent: boolean[] = []

/** A store whose saves succeed. `beside`: a document that is saved together with another. */
function aStore(unsaved: DraftKey[], invalid: InvalidTexts[] = [], beside?: DraftKey, isLast = false) {
  const [saved, hidden]: [DraftKey[], DraftKey[]] = [[], []]
  const isOpen = (key: DraftKey) => !hidden.includes(key) || !saved.includes(key)
  includeInSaveAll({
    kind: isLast ? 'configuration' : 'entity',
    isLast,
    unsaved: () => unsaved.filter(key => !saved.includes(key)),
    isUnsaved: key => unsaved.includes(key) && !saved.includes(key),
    save: async (key, { isSilent }) => {
      order.push(key)
      silent.push(isSilent === true)
      saved.push(key, ...(beside === undefined ? [] : [beside]))
      return Promise.resolve(true)
    },
    invalid: () => invalid.filter(({ key }) => isOpen(key)),
    isOpen,
  })
  return { unsaved, saved, invalid, hidden }
}

const saveAll = () => currentOffers().find(({ id }) => id === 'drafts.saveAll')
const texts = () => noticeStore.getState().notices.map(({ text }) => text)
const [first, second, third] = [draftKey(1, undefined), draftKey(2, undefined), draftKey(3, undefined)]
const elsewhere = draftKey(4, undefined, { organisation: 'other', role: 'designer' })
const configurations = aStore([third], [], undefined, true)
const entities = aStore([first, second, elsewhere], [], second)

afterEach(() => noticeStore.setState({ notices: [] }))

describe('Save All', () => {
  it('saves each unsaved document of the organisation once, and is offered while there is one', async () => {
    saveAll()?.run()
    await expect.poll(() => configurations.saved).toEqual([third])
    expect(entities.saved).toEqual([first, second])
    // Configurations come after the entities, whichever store is known first.
    expect(order).toEqual([first, third])
    expect(silent).toEqual([true, true])
    await expect.poll(texts).toEqual(['2 entities and 1 configuration saved.'])
    expect(saveAll()).toBeUndefined()
  })

  it('names the documents with cells that stay unsaved', async () => {
    entities.unsaved.push(draftKey(5, undefined))
    const invalid = (key: DraftKey, name: string, count: number) => entities.invalid.push({ key, name, count })
    invalid(first, 'Patient', 2)
    invalid(elsewhere, 'Hidden', 7)
    invalid(second, 'Order', 1)
    saveAll()?.run()
    const expected = '3 cells were not saved, because their texts are not valid: Patient (2), Order (1).'
    await expect.poll(texts).toEqual([expected])
  })

  it('names the cells of a document without a tab, which is closed when it is saved', async () => {
    const withoutTab = draftKey(6, undefined)
    entities.invalid.splice(0, Infinity, { key: withoutTab, name: 'Visit', count: 1 })
    entities.unsaved.push(withoutTab)
    entities.hidden.push(withoutTab)
    saveAll()?.run()
    await expect.poll(texts).toEqual(['One cell was not saved, because its text is not valid: Visit (1).'])
  })
})
