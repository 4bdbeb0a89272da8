import { columnName, columnsOf } from '@cadmus/model/columns'
import { groupOfColumns } from '@cadmus/model/edits/group-edits'
import { newEntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { afterEach, expect, it, vi } from 'vitest'
import { draftKey } from '../../drafts/draft-key.ts'
import { entityStandIn } from '../../drafts/entity-draft.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import { questionStore } from '../../workbench/confirm.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { moveAttributes } from './column-commands.ts'

afterEach(() => vi.unstubAllGlobals())

const columns = ['street', 'city', 'note'].map((name, position) => newTypeAttribute({ name, position }))

function opened(id: number, isGrouped: boolean) {
  const content = newEntityContent({
    name: `Moving${id}`,
    typeAttributes: isGrouped ? columns : [],
    groups: isGrouped ? [groupOfColumns('unique', columns.slice(0, 2))] : [],
  })
  const entity = entityStandIn(id, content, undefined)
  // A draft without a tab is dropped.
  workbench.getState().openInBackground({ kind: 'entity', id, name: content.name })
  entityStore.receive(entity, '"1"', undefined)
  const key = draftKey(id, undefined)
  const draft = () => entityStore.get(key)!.draft
  return { key, entity, draft, names: () => columnsOf(draft().content).map(columnName) }
}

it('a move of an attribute of a group asks first, and names the group', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ references: [], totalElements: 0 }))
  const [source, target] = [opened(7101, true), opened(7102, false)]
  const move = async (at: number) => {
    const view = { key: source.key, entity: source.entity, draft: source.draft() }
    return moveAttributes(view, { entity: target.entity, etag: '"1"' }, columns.slice(at, at + 1))
  }
  await move(2)
  expect(target.names()).toEqual(['note'])
  const moving = move(0)
  await expect
    .poll(() => questionStore.getState().question?.text)
    .toMatch(/^street\. Groups that change: street, city\./)
  questionStore.getState().question?.answer('cancel')
  await moving
  expect([source.names(), source.draft().content.groups.length]).toEqual([['street', 'city'], 1])
})
