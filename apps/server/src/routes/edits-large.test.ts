import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { entityEdits, saveChanges } from '@cadmus/model/contract/edits'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { newUid } from '@cadmus/model/uid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { createState, type EntityState, openState, saveEditsOn } from '../testing/edited-entities.ts'
import { saveBody } from '../testing/entities.ts'

describeOnBothStores('Saves of large entities', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let organisationId: number
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    const { shared } = server.context.store
    const { id } = await shared
      .selectFrom('organisation')
      .select('id')
      .where('code', '=', 'ACME')
      .executeTakeFirstOrThrow()
    organisationId = id
  })
  afterAll(() => server.stop())

  let count = 0
  /** An entity of more than 256 KB. */
  async function createLarge(): Promise<EntityState> {
    const attribute = { description: 'x'.repeat(600) }
    const typeAttributes = Array.from({ length: 450 }, (_, index) => ({ ...attribute, name: `column${index}` }))
    const { entity } = await designer.call(createEntity, {
      body: { entity: { name: `Large${++count}`, typeAttributes } },
    })
    return openState(designer, entity.id)
  }

  /** Takes all turns to write in the organisation; the result returns them. */
  function holdTurns(): () => void {
    const turns = Array.from({ length: 3 }, () => server.context.store.writing.begin(organisationId))
    return () => {
      for (const turn of turns) void turn.then(end => end())
    }
  }

  /** Contents stored before the transactions that will refer to them. */
  async function storedAhead(): Promise<number> {
    const rows = await server.context.store
      .of(organisationId)
      .selectFrom('loose_content')
      .select('hash')
      .where('organisation_id', '=', organisationId)
      .where('import_id', '=', 0)
      .execute()
    return rows.length
  }

  const describing = (description: string): EntityEdit[] => [{ kind: 'changeEntity', change: { description } }]

  it('store their contents before they take a turn to write, for edits, bodies and changes of several documents', async () => {
    const [one, other, third, fourth] = [
      await createLarge(),
      await createLarge(),
      await createLarge(),
      await createLarge(),
    ]
    const { entity: answered } = await designer.call(getEntity, { params: { id: other.id } })
    const release = holdTurns()
    const changes = [third, fourth].map(({ id, etag }) => ({
      kind: 'entity' as const,
      id,
      base: etag,
      edits: describing('changed together'),
    }))
    const saves = Promise.all([
      saveEditsOn(designer, one, describing('edited')),
      designer.send(updateEntity, {
        params: { id: other.id },
        body: saveBody(answered, { description: 'sent as a body' }),
        ifMatch: other.etag,
      }),
      designer.call(saveChanges, { body: { format: editFormat, operationId: newUid(), changes } }),
    ])
    await expect.poll(storedAhead).toBe(4)
    expect((await openState(designer, one.id)).content.description).toBe('')
    release()
    const [{ answer }, body, { results }] = await saves
    expect([answer.content?.description, body.status]).toEqual(['edited', 200])
    expect(results.map(result => result.content)).toMatchObject([
      { description: 'changed together' },
      { description: 'changed together' },
    ])
    expect(await storedAhead()).toBe(0)
    expect((await openState(designer, other.id)).content).toMatchObject({ description: 'sent as a body' })
    const { entries } = await designer.call(entityEdits.list, { params: { id: one.id } })
    expect(entries.at(-1)).toMatchObject({ before: one.etag.replaceAll('"', ''), edits: describing('edited') })
  })

  it('merge if two were prepared on the same state', async () => {
    const start = await createLarge()
    const uid = start.content.typeAttributes.at(-1)?.uid ?? ''
    const release = holdTurns()
    const saves = Promise.all([
      saveEditsOn(designer, start, describing('mine')),
      saveEditsOn(designer, start, [{ kind: 'changeAttributes', changes: [{ uid, change: { maxLength: 40 } }] }]),
    ])
    await expect.poll(storedAhead).toBe(2)
    release()
    await saves
    const { content } = await openState(designer, start.id)
    expect(content.description).toBe('mine')
    expect(content.typeAttributes.at(-1)).toMatchObject({ uid, maxLength: 40 })
  })

  it('are prepared one after the other, while small ones are stored', async () => {
    const [large, small] = [await createLarge(), await createState(designer)]
    const end = await server.context.store.preparing.begin(organisationId)
    const save = saveEditsOn(designer, large, describing('prepared later'))
    await saveEditsOn(designer, small, describing('stored at once'))
    expect((await openState(designer, large.id)).content.description).toBe('')
    end()
    const { answer } = await save
    expect(answer.content?.description).toBe('prepared later')
  })

  it('store no further content if they are repeated', async () => {
    const current = { ...(await createLarge()), etag: '*' }
    const operationId = newUid()
    const uid = current.content.typeAttributes.at(-1)?.uid ?? ''
    const first = await saveEditsOn(designer, current, describing('first'), { operationId })
    await saveEditsOn(designer, current, [
      ...describing('second'),
      { kind: 'changeAttributes', changes: [{ uid, change: { maxLength: 40 } }] },
    ])
    const before = await storedAhead()
    const repeated = await saveEditsOn(designer, current, describing('first'), { operationId })
    expect(repeated.answer.entry).toEqual(first.answer.entry)
    expect(await storedAhead()).toBe(before)
  })

  it('report problems and renames as saves of small ones do', async () => {
    const start = await createLarge()
    const { uid = '', name = '' } = start.content.typeAttributes.at(-1) ?? {}
    const change = (changed: object) =>
      saveEditsOn(designer, start, [{ kind: 'changeAttributes', changes: [{ uid, change: changed }] }])
    const problem = { path: `typeAttributes.${start.content.typeAttributes.length - 1}.choices` }
    await expect(change({ choices: ['a', 'a'] })).rejects.toMatchObject({
      status: 400,
      answer: { errors: [problem] },
    })
    const { answer } = await change({ name: `${name}x` })
    expect(answer.content?.typeAttributes.at(-1)).toMatchObject({ uid, name: `${name}x` })
  })
})
