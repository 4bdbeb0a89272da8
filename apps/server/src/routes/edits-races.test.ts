import { afterAll, beforeAll, expect, it } from 'vitest'
import { entityEdits } from '@cadmus/model/contract/edits'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { newUid } from '@cadmus/model/uid'
import { type ConsoleClient, RejectedCall } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { createState, openState, saveEditsOn } from '../testing/edited-entities.ts'

describeOnBothStores('Concurrent edits of an entity', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  it('all take effect if they touch different items', async () => {
    const start = await createState(designer)
    const names = Array.from({ length: 12 }, (_, index) => `column${index}`)
    await Promise.all(
      names.map((name, index) => {
        const item = newTypeAttribute({ name, position: 6 + index })
        return saveEditsOn(designer, start, [{ kind: 'addAttributes', added: [{ item, before: null }] }])
      }),
    )
    const { content } = await openState(designer, start.id)
    expect(content.typeAttributes.map(item => item.name).toSorted()).toEqual(
      [...start.content.typeAttributes.map(item => item.name), ...names].toSorted(),
    )
    const { entries } = await designer.call(entityEdits.list, { params: { id: start.id } })
    expect(entries.map(entry => entry.after).slice(0, -1)).toEqual(entries.map(entry => entry.before).slice(1))
  })

  it('are stored once if they belong to one operation, with one answer', async () => {
    const start = await createState(designer)
    const operationId = newUid()
    const edits: EntityEdit[] = [{ kind: 'changeEntity', change: { description: 'once' } }]
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => saveEditsOn(designer, start, edits, { operationId })),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const { entries } = await designer.call(entityEdits.list, { params: { id: start.id } })
    expect(entries).toHaveLength(2)
  })

  it('are either stored or cancelled when settled at the same time', async () => {
    for (let turn = 0; turn < 8; turn++) {
      const start = await createState(designer)
      const operationId = newUid()
      const saving = saveEditsOn(designer, start, [{ kind: 'changeEntity', change: { description: 'late' } }], {
        operationId,
      }).then(
        ({ answer }) => answer,
        (error: unknown) => (error instanceof RejectedCall ? error.answer.code : error),
      )
      const settling = designer.call(entityEdits.settle, { params: { id: start.id, operationId } })
      const [saved, { result }] = await Promise.all([saving, settling])
      expect(saved).toEqual(result ?? 'operation_cancelled')
      expect((await openState(designer, start.id)).content.description).toBe(result ? 'late' : '')
    }
  })
})
