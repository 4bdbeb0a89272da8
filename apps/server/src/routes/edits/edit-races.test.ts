import { createEntity, getEntity } from '@cadmus/model/contract/entity'
import { entityEdits } from '@cadmus/model/contract/edits'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { EntityEdit } from '@cadmus/model/edits/entity-edit'
import { entityContentSchema, type EntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { newUid } from '@cadmus/model/uid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleClient, RejectedCall } from '../../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../../testing/console.ts'

type State = { id: number; etag: string; content: EntityContent }

describeOnBothStores('Concurrent edits of an entity', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  let count = 0
  const opened = async (id: number): Promise<State> => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    return { id, etag, content: entityContentSchema.parse(JSON.parse(answer.entity.content)) }
  }
  const created = async (): Promise<State> => {
    const typeAttributes = ['code', 'title', 'amount', 'since', 'note'].map(name => ({ name }))
    const body = { entity: { name: `Raced${++count}`, typeAttributes } }
    return opened((await designer.call(createEntity, { body })).entity.id)
  }
  const save = (
    { id, etag }: State,
    edits: readonly EntityEdit[],
    more: { operationId?: string; dryRun?: boolean } = {},
  ) => {
    const body = { format: editFormat, operationId: newUid(), base: etag, edits: [...edits], ...more }
    return designer.callWithTag(entityEdits.save, { params: { id }, body })
  }

  it('all take effect if they touch different items', async () => {
    const start = await created()
    const names = Array.from({ length: 12 }, (_, index) => `column${index}`)
    await Promise.all(
      names.map((name, index) => {
        const item = newTypeAttribute({ name, position: 6 + index })
        return save(start, [{ kind: 'addAttributes', added: [{ item, before: null }] }])
      }),
    )
    const { content } = await opened(start.id)
    expect(content.typeAttributes.map(item => item.name).toSorted()).toEqual(
      [...start.content.typeAttributes.map(item => item.name), ...names].toSorted(),
    )
    const { entries } = await designer.call(entityEdits.list, { params: { id: start.id } })
    expect(entries.map(entry => entry.after).slice(0, -1)).toEqual(entries.map(entry => entry.before).slice(1))
  })

  it('are stored once if they belong to one operation, with one answer', async () => {
    const start = await created()
    const operationId = newUid()
    const edits: EntityEdit[] = [{ kind: 'changeEntity', change: { description: 'once' } }]
    const answers = await Promise.all(Array.from({ length: 4 }, () => save(start, edits, { operationId })))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const { entries } = await designer.call(entityEdits.list, { params: { id: start.id } })
    expect(entries).toHaveLength(2)
  })

  it('are either stored or cancelled when settled at the same time', async () => {
    for (let turn = 0; turn < 8; turn++) {
      const start = await created()
      const operationId = newUid()
      const saving = save(start, [{ kind: 'changeEntity', change: { description: 'late' } }], { operationId }).then(
        ({ answer }) => answer,
        (error: unknown) => (error instanceof RejectedCall ? error.answer.code : error),
      )
      const settling = designer.call(entityEdits.settle, { params: { id: start.id, operationId } })
      const [saved, { result }] = await Promise.all([saving, settling])
      expect(saved).toEqual(result ?? 'operation_cancelled')
      expect((await opened(start.id)).content.description).toBe(result ? 'late' : '')
    }
  })
})
